public import BluetoothCodec

/// A state whose control point requires its change counter (VOCS 1.0, AICS 1.0).
public protocol CountedState: Hashable, Sendable {
  /// Decodes the value of the characteristic.
  init(decoding bytes: Bytes) throws(MalformedBytes)
  /// The change counter, which each request must repeat.
  var counter: UInt8 { get }
}

/// Volume Offset State (2B80; Volume Offset Control Service 1.0).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 2 | offset, -255 to 255 |
/// | 2 | 1 | change counter |
public struct OutputState: CountedState {
  /// The valid offsets.
  public static let offsets = -255...255

  /// The offset to the volume; negative values are quieter.
  public var offset: Int16
  public var counter: UInt8

  public init(offset: Int16, counter: UInt8) {
    self.offset = offset
    self.counter = counter
  }

  /// Decodes exactly three bytes, and rejects an offset out of range.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "volume offset state")
    let bits = try reader.uint16()
    offset = Int16(bitPattern: bits)
    guard Self.offsets.contains(Int(offset)) else {
      throw reader.malformed(.badValue(UInt64(bits)), at: 0)
    }
    counter = try reader.uint8()
    try reader.finish()
  }

  /// Returns the bytes of Set Volume Offset for the control point.
  public func request(offset: Int16) -> [UInt8] { [0x01, counter] + Self.littleEndian(offset) }

  private static func littleEndian(_ value: Int16) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: UInt16(bitPattern: value))
    return bytes
  }
}

/// Audio Input State (2B77; Audio Input Control Service 1.0).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | gain, signed, in units of ``InputGain`` |
/// | 1 | 1 | mute: 0 no, 1 yes, 2 disabled |
/// | 2 | 1 | gain mode: 0 manual only, 1 automatic only, 2 manual, 3 automatic |
/// | 3 | 1 | change counter |
public struct InputState: CountedState {
  /// Whether the gain is manual or automatic, and whether that can be changed.
  public enum Mode: UInt8, Hashable, Sendable {
    case manualOnly, automaticOnly, manual, automatic
  }

  /// The gain, in units of ``InputGain``.
  public var gain: Int8
  /// Whether the input is muted, or nil if it cannot be muted.
  public var isMuted: Bool?
  public var mode: Mode
  public var counter: UInt8

  public init(gain: Int8, isMuted: Bool?, mode: Mode, counter: UInt8) {
    self.gain = gain
    self.isMuted = isMuted
    self.mode = mode
    self.counter = counter
  }

  /// Decodes exactly four bytes, and rejects an unknown mute or mode.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "audio input state")
    gain = try reader.int8()
    isMuted = try reader.mute()
    mode = try reader.choice(Mode.self)
    counter = try reader.uint8()
    try reader.finish()
  }

  public var hasManualGain: Bool { mode == .manualOnly || mode == .manual }
  /// Whether the gain is automatic, or nil if that cannot be changed.
  public var isAutomatic: Bool? {
    switch mode {
    case .manual: false
    case .automatic: true
    case .manualOnly, .automaticOnly: nil
    }
  }

  /// Returns the bytes of Set Gain for the control point.
  public func request(gain: Int8) -> [UInt8] { [0x01, counter, UInt8(bitPattern: gain)] }
  /// Returns the bytes of Unmute or Mute for the control point.
  public func request(isMuted: Bool) -> [UInt8] { [isMuted ? 0x03 : 0x02, counter] }
  /// Returns the bytes of Set Manual or Automatic Gain Mode for the control point.
  public func request(isAutomatic: Bool) -> [UInt8] { [isAutomatic ? 0x05 : 0x04, counter] }
}

/// Gain Settings Attribute (2B78; Audio Input Control Service 1.0): unit, minimum, maximum.
public struct InputGain: Hashable, Sendable {
  /// The unit of gain in 0.1 dB.
  public var unit: UInt8
  /// The minimum and maximum gain in units.
  public var range: ClosedRange<Int8>

  public init(unit: UInt8, range: ClosedRange<Int8>) {
    self.unit = unit
    self.range = range
  }

  /// Decodes exactly three bytes, and rejects a maximum below the minimum.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "audio input gain")
    unit = try reader.uint8()
    let (least, most) = (try reader.int8(), try reader.int8())
    guard least <= most else {
      throw reader.malformed(.badValue(UInt64(UInt8(bitPattern: most))), at: 2)
    }
    range = least...most
    try reader.finish()
  }

  /// "dB" or, for example, "x 0.5 dB".
  public var unitText: String { unit == 10 ? "dB" : "x \(unit / 10).\(unit % 10) dB" }
}

/// Audio Input Type (Assigned Numbers, 6.12.2).
public enum InputType: UInt8, Hashable, Sendable, CaseIterable {
  case unspecified, bluetooth, microphone, analog, digital, radio, streaming, ambient

  /// The name in identifiers.
  public var name: String { self == .unspecified ? "other" : "\(self)" }
  /// The title of an input without a description.
  public var title: String {
    switch self {
    case .unspecified: "Input"
    case .bluetooth: "Bluetooth"
    case .microphone: "Microphone"
    case .analog: "Analogue input"
    case .digital: "Digital input"
    case .radio: "Radio"
    case .streaming: "Streaming"
    case .ambient: "Surroundings"
    }
  }
}

/// Mute of the Microphone Control Service (2BC3; MICS 1.0): 0 not muted, 1 muted, 2 disabled.
public struct MicrophoneMute: Hashable, Sendable {
  /// Whether the microphones are muted, or nil if they cannot be muted now.
  public var isMuted: Bool?

  public init(_ isMuted: Bool?) { self.isMuted = isMuted }

  /// Decodes exactly one byte.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "microphone mute")
    isMuted = try reader.mute()
    try reader.finish()
  }

  /// Returns the byte of the characteristic.
  public func encoded() -> [UInt8] { [UInt8(muted: isMuted)] }
}

/// Read Only Properties of Audio Streaming for Hearing Aids, version 1 (source.android.com).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | version: 1 |
/// | 1 | 1 | right (bit 0), one of two (bit 1), member of a set (bit 2) |
/// | 2 | 8 | identifier, the same for both sides |
/// | 10 | 1 | features: streaming by L2CAP (bit 0) |
/// | 11 | 2 | render delay in ms |
/// | 13 | 2 | reserved |
/// | 15 | 2 | codecs: G.722 at 16 kHz (bit 1) |
public struct ASHAProperties: Hashable, Sendable {
  public var side: Side
  public var isBinaural: Bool
  /// The identifier of both sides, 8 bytes.
  public var identifier: [UInt8]
  /// The delay until sound is heard, in ms.
  public var renderDelay: UInt16
  public var hasG722: Bool

  /// Decodes the value, and rejects another length or version.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "ASHA properties")
    let version = try reader.uint8()
    guard version == 1 else { throw reader.malformed(.badValue(UInt64(version)), at: 0) }
    let capabilities = try reader.uint8()
    side = capabilities & 1 << 0 != 0 ? .right : .left
    isBinaural = capabilities & 1 << 1 != 0
    identifier = Array(try reader.read(8))
    _ = try reader.uint8()
    renderDelay = try reader.uint16()
    _ = try reader.uint16()
    hasG722 = try reader.uint16() & 1 << 1 != 0
    try reader.finish()
  }

  /// The side, whether the aid is one of two, and the codec, in words.
  public var displayText: String {
    "\(side), \(isBinaural ? "one of two" : "alone"), "
      + (hasG722 ? "G.722 at 16 kHz" : "no known codec")
  }
}

extension ByteReader {
  /// Reads a mute state: 0 no, 1 yes, or 2 disabled, which is nil.
  fileprivate mutating func mute() throws(MalformedBytes) -> Bool? {
    let value = try uint8(in: 0...2)
    return value == 2 ? nil : value == 1
  }
}

extension UInt8 {
  package init(muted isMuted: Bool?) { self = isMuted.map { $0 ? 1 : 0 } ?? 2 }
}
