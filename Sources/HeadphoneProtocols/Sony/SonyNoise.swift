public import BluetoothCodec

/// The state of noise control and ambient sound, which one message reports and sets.
///
/// The message is the number of a layout, followed by one byte for each field:
///
/// | layout | fields |
/// | --- | --- |
/// | 0x02 ``Layout/first`` | effect, kind, cancelling, kind of ambient sound, voice, level |
/// | 0x15 ``Layout/dual`` | settled, on, ambient, cancelling, voice, level |
/// | 0x17 ``Layout/plain`` | settled, on, ambient, voice, level |
/// | 0x19 ``Layout/adaptive`` | settled, on, ambient, voice, level, adapts, sensitivity |
/// | 0x22 ``Layout/ambientOnly`` | settled, on, voice, level |
///
/// A command repeats all fields of the last report, except for its change. Confirmed by recordings
/// of WH-1000XM4, XB900N (first), CH720N, WH-1000XM5 (plain) and XM6 (adaptive). Two WH-1000XM4 and
/// a WH-1000XM3 were recorded with commands of kind 1, which they report as kind 2.
///
/// ```swift
/// let noise = try SonyNoise(decoding: [0x17, 0x01, 0x01, 0x00, 0x00, 0x14])
/// noise.mode  // .noiseCancelling
/// noise.with(.transparency, level: 10).encoded()  // 17 01 01 01 00 0A
/// ```
public struct SonyNoise: Hashable, Sendable {
  /// The layouts of the message, by their numbers in it.
  public enum Layout: UInt8, Hashable, Sendable, CaseIterable {
    case first = 0x02
    /// The layout whose field `cancelling` distinguishes noise cancelling from wind reduction.
    case dual = 0x15
    case plain = 0x17
    case adaptive = 0x19
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

  fileprivate enum Field: Hashable, Sendable {
    /// First generation: 0 off, 1 on, 0x10 while a slider moves, 0x11 in a complete command.
    case effect
    /// First generation: 2 if `cancelling` includes wind reduction; a command then has 1.
    case kind
    /// First generation: 0 ambient; for kind 2: 2 cancelling, 1 wind reduction. Second generation:
    /// 2 cancelling, 3 or 5 wind reduction.
    case cancelling
    case ambientKind
    /// Whether voices have priority, and the level of ambient sound.
    case voice, level
    /// Whether the value is final; 0 while a slider moves.
    case isSettled
    /// Whether noise control is on, whether it is ambient sound rather than cancelling, whether
    /// ambient sound is adaptive, and its sensitivity.
    case isOn, isAmbient, adapts, sensitivity

    var range: ClosedRange<UInt8> {
      switch self {
      case .isOn, .isAmbient, .isSettled, .voice, .adapts: 0...1
      case .level: 0...SonyNoise.mostAmbient
      case .effect, .kind, .cancelling, .ambientKind, .sensitivity: 0...UInt8.max
      }
    }
  }

  /// The highest level of ambient sound.
  public static let mostAmbient: UInt8 = 20
  private static let dualKind: UInt8 = 2
  /// The kind of a command to a headphone that reports `dualKind`.
  private static let commandKind: UInt8 = 1
  /// The effect in a command that is not a step of a moving slider.
  private static let commandEnds: UInt8 = 0x11

  public let layout: Layout
  private var bytes: [UInt8]
  let mistake: MalformedBytes?

  /// Decodes the layout's number and its fields, or throws for bytes after the last field.
  public init(decoding message: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(message, of: "Sony noise control")
    layout = try reader.value(of: Layout.self)
    var mistake: MalformedBytes?
    bytes = []
    for field in layout.fields {
      let value = try reader.uint8()
      if !field.range.contains(value) { mistake = reader.impossible(value) }
      bytes.append(value)
    }
    self.mistake = mistake
    try reader.finish()
  }

  /// Returns the layout's number and its fields.
  public func encoded() -> [UInt8] { [layout.rawValue] + bytes }

  private subscript(field: Field) -> UInt8? {
    get {
      layout.fields.firstIndex(of: field).map { bytes[$0] }
        .flatMap { field.range.contains($0) ? $0 : nil }
    }
    set {
      guard let newValue, let index = layout.fields.firstIndex(of: field) else { return }
      bytes[index] = newValue
    }
  }

  /// The mode, or nil if a field is invalid; wind reduction is part of noise cancelling.
  public var mode: ANCMode? {
    switch layout {
    case .first:
      self[.effect] == 0 ? .off : self[.cancelling] == 0 ? .transparency : .noiseCancelling
    case .ambientOnly: self[.isOn].map { $0 == 0 ? .off : .transparency }
    case .dual, .plain, .adaptive:
      self[.isOn] == 0
        ? .off
        : self[.isOn].flatMap { _ in
          self[.isAmbient].map { $0 == 0 ? .noiseCancelling : .transparency }
        }
    }
  }

  /// The modes of headphones with this layout.
  public var modes: [ANCMode] {
    layout == .ambientOnly ? [.off, .transparency] : [.off, .noiseCancelling, .transparency]
  }

  /// The level of ambient sound, 0 to 20, or nil if it is invalid; the first generation may report
  /// 0 while cancelling.
  public var level: UInt8? { self[.level] }

  /// The levels that can be set; whether layouts with the lower bound 1 also support 0 is unknown.
  public var levels: ClosedRange<UInt8> {
    (layout == .first || layout == .plain ? 0 : 1)...Self.mostAmbient
  }

  /// Returns the number of levels in a description of noise control, or nil for any other message.
  ///
  /// A WH-1000XM3 sent `61 02 02 00 01 02 00 14 01 14`, in which the number (14) follows each kind
  /// of ambient sound.
  static func steps(_ payload: Bytes) -> UInt8? {
    let bytes = Array(payload)
    guard bytes.count == 10, bytes[1] == Layout.first.rawValue, bytes[7] == bytes[9] else {
      return nil
    }
    return bytes[7]
  }

  /// Whether voices have priority in ambient sound, or nil if the field is invalid.
  public var focusesOnVoice: Bool? { self[.voice].map { $0 == 1 } }

  /// Whether cancelling is tuned to wind, or nil if the headphone cannot reduce wind noise.
  public var reducesWind: Bool? {
    switch layout {
    case .first: self[.kind] == Self.dualKind ? mode != .off && self[.cancelling] == 1 : nil
    case .dual: [3, 5].contains(self[.cancelling])
    case .plain, .adaptive, .ambientOnly: nil
    }
  }

  /// Whether ambient sound is adaptive, or nil if it cannot be.
  public var adapts: Bool? { self[.adapts].map { $0 == 1 } }

  /// The sensitivity of adaptive ambient sound: 0 standard, 1 high, 2 low; nil without it.
  public var sensitivity: UInt8? { self[.sensitivity] }

  /// Returns the parameters of a command that sets one of ``modes`` with a level of 0 to 20, which
  /// must be given, as the first generation reports 0 while cancelling.
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
      changed[.level] = max(levels.lowerBound, level)
    }
    return changed
  }

  /// Returns the parameters of a command that sets wind reduction and switches cancelling on.
  public func with(wind isOn: Bool, level: UInt8) -> SonyNoise {
    var changed = with(.noiseCancelling, level: level)
    if isOn { changed[.cancelling] = layout == .first ? 1 : 3 } else { changed[.cancelling] = 2 }
    return changed
  }

  /// Returns the parameters of a command that gives voices priority in ambient sound.
  public func with(voice isOn: Bool) -> SonyNoise {
    var changed = settled
    changed[.voice] = isOn ? 1 : 0
    return changed
  }

  /// Returns the parameters of a command that makes ambient sound adaptive.
  public func with(adapts: Bool) -> SonyNoise {
    var changed = settled
    changed[.adapts] = adapts ? 1 : 0
    return changed
  }

  /// Returns the parameters of a command that sets the sensitivity of adaptive ambient sound.
  public func with(sensitivity: UInt8) -> SonyNoise {
    var changed = settled
    changed[.sensitivity] = sensitivity
    return changed
  }

  /// A copy with the parameters of a complete command, not of a step of a moving slider.
  private var settled: SonyNoise {
    var changed = self
    changed[.isSettled] = 1
    changed[.effect] = mode == .off ? 0 : Self.commandEnds
    if changed[.kind] == Self.dualKind { changed[.kind] = Self.commandKind }
    return changed
  }
}
