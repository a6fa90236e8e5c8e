public import BluetoothCodec

/// A frame of Sony's headphones.
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 1 | marker | 3E |
/// | 1 | 1 | kind | ``Kind`` |
/// | 2 | 1 | sequence | 0 or 1 |
/// | 3 | 4 | length n | BE; bytes of the payload before escaping |
/// | 7 | n | payload | command, usually a type, then parameters |
/// | 7 + n | 1 | checksum | low 8 bits of the sum of all bytes from kind to payload |
/// | 8 + n | 1 | end | 3C |
///
/// Between the markers, and in the checksum, 3C, 3D and 3E are written as 3D and the value without
/// bit 0x10. Each command is acknowledged at once by a frame with the other sequence number, which
/// is that of the next command. Recordings of both generations confirm this.
///
/// ```swift
/// // 3E 0C 00 00 00 00 02 00 00 0E 3C requests the generation of the protocol.
/// SonyFrame(.command, sequence: 0, payload: [0x00, 0x00]).encoded()
/// ```
public struct SonyFrame: UniformFrame {
  /// The kind of a frame's content.
  public enum Kind: Hashable, Sendable {
    case acknowledgement
    /// A command of table 1 or table 2 (voice guidance, peripherals) that must be acknowledged.
    case command, secondCommand
    /// A command of table 1 or 2 that is not acknowledged.
    case shot, secondShot
    /// Any other number, such as 0x2D (large data), which is ignored.
    case other(UInt8)

    init(_ raw: UInt8) {
      switch raw {
      case 0x01: self = .acknowledgement
      case 0x0C: self = .command
      case 0x0E: self = .secondCommand
      case 0x1C: self = .shot
      case 0x1E: self = .secondShot
      default: self = .other(raw)
      }
    }

    var rawValue: UInt8 {
      switch self {
      case .acknowledgement: 0x01
      case .command: 0x0C
      case .secondCommand: 0x0E
      case .shot: 0x1C
      case .secondShot: 0x1E
      case .other(let raw): raw
      }
    }

    var wantsAcknowledgement: Bool { self == .command || self == .secondCommand }
  }

  /// The framing: the length counts the payload before escaping, and a raw 3C always ends a frame.
  package static let format = FrameFormat(
    marker: [0x3E], length: .init(at: 2, width: 4, isBigEndian: true, adding: 9),
    check: .sum(includesMarker: false), end: [0x3C],
    escape: .init(byte: 0x3D, values: [0x3C, 0x3D, 0x3E], bits: 0x10), longest: 2048)

  public static let never: [NeverSent] = [
    NeverSent(
      "3E 0C .. .. .. .. .. 22 00 01", "switches the headphone off",
      source: "empratyush/sonyHeadphonesQuickTile"),
    NeverSent(
      "3E 0C .. .. .. .. .. 24", "switches the headphone off",
      source: "empratyush/sonyHeadphonesQuickTile"),
    // One more byte would be the user's consent to that.
    NeverSent(
      "3E 0C .. .. .. .. .. E8 05", "ends the connection, for one of the other kind",
      source: "mos9527/SonyHeadphonesClient"),
  ]

  public var kind: Kind
  /// The alternating sequence number, 0 or 1.
  public var sequence: UInt8
  /// The payload before escaping: the first byte is the command, the second usually the type.
  public var payload: Bytes

  public init(_ kind: Kind, sequence: UInt8, payload: Bytes = []) {
    self.kind = kind
    self.sequence = sequence
    self.payload = payload
  }

  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let content = try Self.format.content(of: bytes, "Sony frame")
    var reader = ByteReader(content, of: "Sony frame")
    kind = Kind(try reader.uint8())
    sequence = try reader.uint8(in: 0...1)
    _ = try reader.read(4)
    payload = reader.rest()
  }

  public func encoded() -> [UInt8] {
    Self.format.frame(around: [kind.rawValue, sequence, 0, 0, 0, 0] + payload)
  }
}
