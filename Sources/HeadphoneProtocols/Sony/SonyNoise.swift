public import BluetoothCodec

/// Noise control and ambient sound, which one message reports and sets.
///
/// The message is a layout's number and then one byte for each field:
///
/// | layout | fields |
/// | --- | --- |
/// | 0x02 ``Layout/first`` | effect, kind, cancelling, kind of ambient sound, voice, level |
/// | 0x15 ``Layout/dual`` | settled, on, ambient, cancelling, voice, level |
/// | 0x17 ``Layout/plain`` | settled, on, ambient, voice, level |
/// | 0x19 ``Layout/adaptive`` | settled, on, ambient, voice, level, adapts, sensitivity |
/// | 0x22 ``Layout/ambientOnly`` | settled, on, voice, level |
///
/// A command repeats all fields of the last report but what it changes. Proven by recordings of
/// WH-1000XM4, XB900N (first), CH720N, WH-1000XM5 (plain) and XM6 (adaptive). Two WH-1000XM4 and a
/// WH-1000XM3 were recorded with commands of kind 1, which they report as kind 2.
///
/// ```swift
/// let noise = try SonyNoise(decoding: [0x17, 0x01, 0x01, 0x00, 0x00, 0x14])
/// noise.mode  // .noiseCancelling
/// noise.ordering(.transparency, level: 10).encoded()  // 17 01 01 01 00 0A
/// ```
public struct SonyNoise: Hashable, Sendable {
  /// The fields of a headphone's messages, by the number that stands before them.
  public enum Layout: UInt8, Hashable, Sendable, CaseIterable {
    /// The first generation.
    case first = 0x02
    /// With a byte that distinguishes cancelling from wind reduction.
    case dual = 0x15
    /// Without wind reduction.
    case plain = 0x17
    /// With ambient sound that adapts.
    case adaptive = 0x19
    /// Without noise cancelling.
    case ambientOnly = 0x22

    /// The fields in the order of the message.
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

  /// The meaning of one byte of the message.
  fileprivate enum Field: Hashable, Sendable {
    /// First generation: 0 off, 1 on, 0x10 while a slider moves, 0x11 a command's end.
    case effect
    /// First generation: 2 where ``cancelling`` covers wind reduction, too; a command has 1 then.
    case kind
    /// First generation: 0 ambient; of kind 2: 2 cancelling, 1 wind reduction. Later: 2 cancelling,
    /// 3 or 5 wind reduction.
    case cancelling
    case ambientKind
    /// Whether voices are let through first, and the level of ambient sound.
    case voice, level
    /// 0 while a slider moves.
    case isSettled
    /// Switches: noise control, ambient sound instead of cancelling, ambient sound that adapts; and
    /// how readily it does.
    case isOn, isAmbient, adapts, sensitivity

    /// The values that are accepted; others are malformed.
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
  /// The kind whose cancelling has wind reduction.
  private static let dualKind: UInt8 = 2
  /// The kind of a command to a headphone that reports ``dualKind``.
  private static let commandKind: UInt8 = 1
  /// The effect of a command that is not a step of a moving slider.
  private static let commandEnds: UInt8 = 0x11

  /// Which fields the message has.
  public let layout: Layout
  /// The fields' values, in the order of the layout.
  private var bytes: [UInt8]

  /// Decodes what follows the command: the layout's number and its fields.
  ///
  /// - Throws: `MalformedBytes` for a layout that is not known, a value out of its range, and bytes
  ///   behind the last field.
  public init(decoding message: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(message, of: "Sony noise control")
    layout = try reader.value(of: Layout.self)
    bytes = []
    for field in layout.fields { bytes.append(try reader.uint8(in: field.range)) }
    try reader.finish()
  }

  /// The layout's number and its fields.
  public func encoded() -> [UInt8] { [layout.rawValue] + bytes }

  /// A field's value; nil where the layout has no such field, and then setting it does nothing.
  private subscript(field: Field) -> UInt8? {
    get { layout.fields.firstIndex(of: field).map { bytes[$0] } }
    set {
      guard let newValue, let index = layout.fields.firstIndex(of: field) else { return }
      bytes[index] = newValue
    }
  }

  /// The mode that the fields amount to; wind reduction counts as cancelling.
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

  /// The level of ambient sound, 0 to 20; the first generation reports 0 while it cancels.
  public var level: UInt8 { self[.level] ?? 0 }

  /// The levels that can be ordered; 0 is left to the first generation.
  public var levels: ClosedRange<UInt8> { (layout == .first ? 0 : 1)...Self.mostAmbient }

  /// Whether ambient sound lets voices through first.
  public var focusesOnVoice: Bool { self[.voice] == 1 }

  /// Whether cancelling is tuned to wind; nil: this headphone does not have that.
  public var reducesWind: Bool? {
    switch layout {
    case .first: self[.kind] == Self.dualKind ? mode != .off && self[.cancelling] == 1 : nil
    case .dual: [3, 5].contains(self[.cancelling])
    case .plain, .adaptive, .ambientOnly: nil
    }
  }

  /// Whether ambient sound adapts; nil: this headphone does not have that.
  public var adapts: Bool? { self[.adapts].map { $0 == 1 } }

  /// How readily ambient sound adapts: 0 standard, 1 high, 2 low; nil: this headphone does not have
  /// that.
  public var sensitivity: UInt8? { self[.sensitivity] }

  // MARK: Commands

  /// The command for a mode; all else stays.
  ///
  /// - Parameters:
  ///   - mode: one of ``modes``.
  ///   - level: of ambient sound, 0 to 20; needed because the first generation reports 0 while it
  ///     cancels.
  /// - Returns: the message that follows the command's number.
  public func with(_ mode: ANCMode, level: UInt8) -> SonyNoise {
    var changed = settled
    let isAmbient = mode == .transparency
    switch layout {
    case .first:
      changed[.effect] = mode == .off ? 0 : Self.commandEnds
      changed[.cancelling] = mode == .noiseCancelling ? (self[.kind] == Self.dualKind ? 2 : 1) : 0
      changed[.level] = isAmbient ? level : 0
    case .dual, .plain, .adaptive, .ambientOnly:
      changed[.isOn] = mode == .off ? 0 : 1
      if mode != .off { changed[.isAmbient] = isAmbient ? 1 : 0 }
      // A zero is never sent: what it means is not known.
      changed[.level] = max(1, level)
    }
    return changed
  }

  /// The command for wind reduction, which switches cancelling on.
  public func with(wind isOn: Bool, level: UInt8) -> SonyNoise {
    var changed = with(.noiseCancelling, level: level)
    if isOn { changed[.cancelling] = layout == .first ? 1 : 3 } else { changed[.cancelling] = 2 }
    return changed
  }

  /// The command for whether voices are let through first.
  public func with(voice isOn: Bool) -> SonyNoise {
    var changed = settled
    changed[.voice] = isOn ? 1 : 0
    return changed
  }

  /// The command for whether ambient sound adapts.
  public func with(adapts: Bool) -> SonyNoise {
    var changed = settled
    changed[.adapts] = adapts ? 1 : 0
    return changed
  }

  /// The command for how readily ambient sound adapts.
  public func with(sensitivity: UInt8) -> SonyNoise {
    var changed = settled
    changed[.sensitivity] = sensitivity
    return changed
  }

  /// The same values as a finished order, not a step of a moving slider.
  private var settled: SonyNoise {
    var changed = self
    changed[.isSettled] = 1
    changed[.effect] = mode == .off ? 0 : Self.commandEnds
    if changed[.kind] == Self.dualKind { changed[.kind] = Self.commandKind }
    return changed
  }
}
