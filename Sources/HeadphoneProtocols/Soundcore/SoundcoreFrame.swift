public import BluetoothCodec

/// A frame of Soundcore's headphones.
///
/// `08 EE 00 00 00` (phone) or `09 FF 00 00 01` (headphone), command 2 bytes, length of the whole
/// frame LE16, body, sum of all bytes before it modulo 256.
public struct SoundcoreFrame: Hashable, Sendable {
  /// Who has sent a frame: the two begin differently.
  public enum Sender: Hashable, Sendable, CaseIterable {
    case phone, headphone

    var prefix: [UInt8] {
      switch self {
      case .phone: [0x08, 0xEE, 0x00, 0x00, 0x00]
      case .headphone: [0x09, 0xFF, 0x00, 0x00, 0x01]
      }
    }
  }

  /// Header and checksum; bytes.
  private static let overhead = 10

  /// By the frame's first five bytes.
  public var sender: Sender
  /// As it is written: 0x0101 for `01 01`.
  public var command: UInt16
  /// What stands between length and checksum.
  public private(set) var body: Bytes

  /// Cuts off what a length of 16 bits cannot count.
  public init(_ sender: Sender, _ command: UInt16, _ body: Bytes = []) {
    self.sender = sender
    self.command = command
    self.body = body.prefix(Int(UInt16.max) - Self.overhead)
  }

  /// - Throws: for a length that is not the frame's, and for a wrong checksum.
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

  private static func sum(_ bytes: Bytes) -> UInt8 { bytes.reduce(0, &+) }
}
