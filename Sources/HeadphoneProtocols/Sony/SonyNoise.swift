public import BluetoothCodec

/// Noise control and ambient sound, reported and set by one message.
public struct SonyNoise: Hashable, Sendable {
  /// Which fields a headphone's messages have, by the number that stands before them.
  public enum Layout: UInt8, Hashable, Sendable, CaseIterable {
    /// The first generation.
    case first = 0x02
    /// With a byte that distinguishes cancelling from wind reduction.
    case dual = 0x15
    case plain = 0x17
    /// With ambient sound that adapts.
    case adaptive = 0x19
    /// Without noise cancelling.
    case ambientOnly = 0x22

    fileprivate var fields: [Field] {
      switch self {
      case .first: [.effect, .kind, .cancelling, .ambientKind, .voice, .level]
      case .dual: [.isSettled, .isOn, .isAmbient, .cancelling, .voice, .level]
      case .plain: [.isSettled, .isOn, .isAmbient, .voice, .level]
      case .adaptive:
        [.isSettled, .isOn, .isAmbient, .voice, .level, .adapts, .sensitivity]
      case .ambientOnly: [.isSettled, .isOn, .voice, .level]
      }
    }
  }

  /// A byte of the message.
  fileprivate enum Field: Hashable, Sendable {
    /// First generation: 0 off, 1 on, 0x10 while a slider moves, 0x11 an order's end.
    case effect
    /// First generation: 2 where ``cancelling`` covers wind reduction, too.
    case kind
    /// First generation: 0 ambient; of kind 2: 2 cancelling, 1 wind reduction. Later: 2 cancelling,
    /// 3 or 5 wind reduction.
    case cancelling
    case ambientKind
    case voice, level
    /// 0 while a slider moves.
    case isSettled
    case isOn, isAmbient, adapts, sensitivity

    var range: ClosedRange<UInt8> {
      switch self {
      case .isOn, .isAmbient, .isSettled, .voice, .adapts: 0...1
      case .level: 0...SonyNoise.mostAmbient
      case .sensitivity: 0...2
      case .effect, .kind, .cancelling, .ambientKind: 0...UInt8.max
      }
    }
  }

  /// The highest level of ambient sound.
  public static let mostAmbient: UInt8 = 20
  /// Of kind 2.
  private static let dualKind: UInt8 = 2
  private static let orderEnds: UInt8 = 0x11

  public let layout: Layout
  private var bytes: [UInt8]

  /// Reads what follows the command: the layout's number and its fields.
  ///
  /// - Throws: for a layout that is not known, and a level or switch that cannot be.
  public init(decoding message: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(message, of: "Sony noise control")
    layout = try reader.value(of: Layout.self)
    bytes = []
    for field in layout.fields { bytes.append(try reader.uint8(in: field.range)) }
    try reader.finish()
  }

  /// The layout's number and its fields.
  public func encoded() -> [UInt8] { [layout.rawValue] + bytes }

  private subscript(field: Field) -> UInt8? {
    get { layout.fields.firstIndex(of: field).map { bytes[$0] } }
    set {
      guard let newValue, let index = layout.fields.firstIndex(of: field) else { return }
      bytes[index] = newValue
    }
  }

  /// Which of the three it is; wind reduction is a kind of cancelling.
  public var mode: ANCMode {
    switch layout {
    case .first:
      self[.effect] == 0 ? .off : self[.cancelling] == 0 ? .transparency : .noiseCancelling
    case .ambientOnly: self[.isOn] == 0 ? .off : .transparency
    case .dual, .plain, .adaptive:
      self[.isOn] == 0 ? .off : self[.isAmbient] == 0 ? .noiseCancelling : .transparency
    }
  }

  /// The modes that headphones with this layout have.
  public var modes: [ANCMode] {
    layout == .ambientOnly ? [.off, .transparency] : [.off, .noiseCancelling, .transparency]
  }

  /// 0 to 20; the first generation reports 0 while it cancels.
  public var level: UInt8 { self[.level] ?? 0 }

  /// The levels that can be ordered.
  public var levels: ClosedRange<UInt8> { (layout == .first ? 0 : 1)...Self.mostAmbient }

  /// Whether ambient sound lets voices through first.
  public var focusesOnVoice: Bool { self[.voice] == 1 }

  /// Whether cancelling is for wind; nil: this headphone does not have that.
  public var reducesWind: Bool? {
    switch layout {
    case .first: self[.kind] == Self.dualKind ? mode != .off && self[.cancelling] == 1 : nil
    case .dual: [3, 5].contains(self[.cancelling])
    case .plain, .adaptive, .ambientOnly: nil
    }
  }

  /// Whether ambient sound adapts; nil: this headphone does not have that.
  public var adapts: Bool? { self[.adapts].map { $0 == 1 } }

  /// 0 standard, 1 high, 2 low; nil: this headphone does not have that.
  public var sensitivity: UInt8? { self[.sensitivity] }

  // MARK: Orders

  /// The order for a mode; all else stays.
  ///
  /// - Parameter level: of ambient sound, where the headphone has none to tell while it cancels.
  public func ordering(_ mode: ANCMode, level: UInt8) -> SonyNoise {
    var order = settled
    let isAmbient = mode == .transparency
    switch layout {
    case .first:
      order[.effect] = mode == .off ? 0 : Self.orderEnds
      order[.cancelling] = mode == .noiseCancelling ? (self[.kind] == Self.dualKind ? 2 : 1) : 0
      order[.level] = isAmbient ? level : 0
    case .dual, .plain, .adaptive, .ambientOnly:
      order[.isOn] = mode == .off ? 0 : 1
      if mode != .off { order[.isAmbient] = isAmbient ? 1 : 0 }
      // A zero is never sent: what it means is not known.
      order[.level] = max(1, level)
    }
    return order
  }

  /// The order for wind reduction, which is a kind of cancelling.
  public func ordering(wind isOn: Bool, level: UInt8) -> SonyNoise {
    var order = ordering(.noiseCancelling, level: level)
    if isOn { order[.cancelling] = layout == .first ? 1 : 3 } else { order[.cancelling] = 2 }
    return order
  }

  /// The order for voices to be let through first, or not.
  public func ordering(voice isOn: Bool) -> SonyNoise {
    var order = settled
    order[.voice] = isOn ? 1 : 0
    return order
  }

  /// The order for ambient sound to adapt, or not.
  public func ordering(adapts: Bool) -> SonyNoise {
    var order = settled
    order[.adapts] = adapts ? 1 : 0
    return order
  }

  /// The order for how readily ambient sound adapts.
  public func ordering(sensitivity: UInt8) -> SonyNoise {
    var order = settled
    order[.sensitivity] = sensitivity
    return order
  }

  /// The same as an order that is no step of a moving slider.
  private var settled: SonyNoise {
    var order = self
    order[.isSettled] = 1
    order[.effect] = mode == .off ? 0 : Self.orderEnds
    return order
  }
}
