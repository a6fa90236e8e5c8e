public import BluetoothCodec

/// A frame of Airoha's protocol (RACE), which contains the commands of Technics's earbuds.
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 1 | marker | 05 |
/// | 1 | 1 | kind | ``Kind`` |
/// | 2 | 2 | length | LE; number of bytes that follow |
/// | 4 | 2 | command | LE; a response repeats it |
/// | 6 | n | payload | a response's first byte is 0 for success |
///
/// There is no checksum.
public struct TechnicsFrame: UniformFrame {
  /// The kind of a frame.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    case command = 0x5A
    case response = 0x5B
    /// A command of the phone without a response.
    case order = 0x5C
    /// A report of the earbuds, unprompted or after a response.
    case report = 0x5D
  }

  package static let format = FrameFormat(
    marker: [0x05], length: .init(at: 1, width: 2, adding: 4), longest: 516)
  public static let never: [NeverSent] = [
    ("00 04", "writes the flash memory"), ("02 04", "writes the flash memory"),
    ("03 04", "reads the flash memory"), ("04 04", "erases the flash memory"),
    ("80 16", "reads the memory"), ("C0 0C", "reads the keys"), ("06 1C", "updates the firmware"),
  ].map { NeverSent("05 .. .. .. \($0)", $1, source: "auracast-research/race-toolkit") }
  private static let mostPayload = 510

  public var kind: Kind
  /// The number of the command, which a response repeats.
  public var command: UInt16
  /// The payload, at most 510 bytes.
  public private(set) var payload: Bytes

  /// Creates a frame, truncating the payload to 510 bytes.
  public init(_ kind: Kind, _ command: UInt16, _ payload: [UInt8] = []) {
    self.kind = kind
    self.command = command
    self.payload = payload.prefix(Self.mostPayload)
  }

  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "Technics frame"
    var reader = ByteReader(try Self.format.content(of: bytes, what), of: what)
    kind = try reader.value(of: Kind.self)
    _ = try reader.uint16()
    command = try reader.uint16()
    payload = reader.rest()
  }

  public func encoded() -> [UInt8] {
    var content: [UInt8] = [kind.rawValue, 0, 0]
    content.append(littleEndian: command)
    return Self.format.frame(around: content + payload)
  }
}
