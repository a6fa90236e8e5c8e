public import BluetoothCodec

/// A frame of Soundcore's headphones.
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 5 | prefix | phone: 08 EE 00 00 00; headphone: 09 FF 00 00 01 |
/// | 5 | 2 | command | as its two bytes are written: 0x0101 is 01 01 |
/// | 7 | 2 | length | LE; bytes of the whole frame, 10 and the body's |
/// | 9 | n | body | the command's own |
/// | 9 + n | 1 | checksum | low 8 bits of the sum of all before it |
///
/// Over BLE a frame may take several values; over RFCOMM it is part of a stream. Proven by
/// recordings of Life Q30, P31i and Space One Pro, and by the published tests of another project.
///
/// ```swift
/// // 08 EE 00 00 00 06 01 0A 00 07: which sound modes?
/// SoundcoreFrame(.phone, 0x0601).encoded()
/// ```
public struct SoundcoreFrame: SerialFrame {
  /// The side that has sent a frame, which the prefix names.
  public enum Sender: Hashable, Sendable, CaseIterable {
    case phone, headphone

    /// The first five bytes.
    var prefix: [UInt8] {
      switch self {
      case .phone: [0x08, 0xEE, 0x00, 0x00, 0x00]
      case .headphone: [0x09, 0xFF, 0x00, 0x00, 0x01]
      }
    }
  }

  /// The framing of one side's stream.
  package static func format(of sender: Sender) -> FrameFormat {
    FrameFormat(
      marker: sender.prefix, length: .init(at: 2, width: 2, adding: 0),
      check: .sum(includesMarker: true), longest: 1024)
  }

  /// Bytes of header and checksum.
  private static let overhead = 10

  /// The side that has sent it, by the prefix.
  public var sender: Sender
  /// The command's two bytes as one number, the first one high: 0x0101 for `01 01`.
  public var command: UInt16
  /// The bytes between length and checksum.
  public private(set) var body: Bytes

  /// Creates a frame; a body that a length of 16 bits cannot count is cut off.
  public init(_ sender: Sender, _ command: UInt16, _ body: Bytes = []) {
    self.sender = sender
    self.command = command
    self.body = body.prefix(Int(UInt16.max) - Self.overhead)
  }

  /// Decodes one whole frame of either side.
  ///
  /// - Throws: `MalformedBytes` for another prefix, a length that is not the frame's, and a wrong
  ///   checksum.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Soundcore frame")
    let prefix = try reader.take(5)
    guard let sender = Sender.allCases.first(where: { $0.prefix[...] == prefix }) else {
      throw reader.malformed(.unknownType(UInt64(prefix.first ?? 0)), at: 0)
    }
    self.sender = sender
    command = UInt16(try reader.uint8()) << 8
    command |= UInt16(try reader.uint8())
    let length = Int(try reader.uint16())
    guard length >= Self.overhead else { throw reader.malformed(.badLength(length), at: 7) }
    body = try reader.take(length - Self.overhead)
    let sum = try reader.uint8()
    guard sum == Self.sum(bytes.prefix(length - 1)) else { throw reader.impossible(sum) }
    try reader.finish()
  }

  /// The whole frame with its checksum.
  public func encoded() -> [UInt8] {
    var bytes = sender.prefix + [UInt8(command >> 8), UInt8(truncatingIfNeeded: command)]
    bytes.append(littleEndian: UInt16(body.count + Self.overhead))
    bytes += body
    return bytes + [Self.sum(bytes[...])]
  }

  /// The low 8 bits of the sum.
  private static func sum(_ bytes: Bytes) -> UInt8 { bytes.reduce(0, &+) }
}
