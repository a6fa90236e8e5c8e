/// A frame of RFCOMM (RFCOMM 1.2, 5; TS 07.10, 5.2).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | address: bit 0 set, bit 1 C/R, bits 2 to 7 DLCI |
/// | 1 | 1 | control: the kind, and bit 4 P/F |
/// | 2 | 1 or 2 | length *n* above bit 0, which is set in the last byte |
/// | | 0 or 1 | credits, where P/F is set in a frame of data |
/// | | *n* | data |
/// | | 1 | checksum |
///
/// The kernel implements RFCOMM. This type reads and writes the frames in a capture.
public struct RFCOMMFrame: Hashable, Sendable {
  /// The kind of a frame: the control field without P/F.
  public enum Kind: UInt8, Hashable, Sendable {
    /// Requests a connection (SABM) or accepts it (UA).
    case connect = 0x2F
    case accept = 0x63
    /// Reports that there is no connection (DM) or ends it (DISC).
    case disconnected = 0x0F
    case disconnect = 0x43
    /// Data (UIH).
    case data = 0xEF
  }

  /// The 6-bit Data Link Connection Identifier (DLCI); 0 is the multiplexer's.
  public var connection: UInt8
  public var kind: Kind
  /// The C/R bit, set in the initiator's requests and data and in its peer's responses.
  public var isCommand: Bool
  /// The data without credits, at most ``longestData`` bytes.
  public var data: Bytes

  /// The server channel.
  public var channel: UInt8 { connection >> 1 }

  public static let psm: UInt16 = 0x0003

  /// The longest data that the length field can count, in bytes.
  public static let longestData = 0x7FFF

  private static let finalBit: UInt8 = 0x10
  private static let commandBit: UInt8 = 0x02

  public init(_ kind: Kind, on connection: UInt8, isCommand: Bool, data: Bytes = []) {
    self.kind = kind
    self.connection = connection
    self.isCommand = isCommand
    self.data = data
  }

  /// Decodes exactly one frame; throws for another kind, or a wrong length or checksum.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "RFCOMM frame")
    let address = try reader.uint8()
    guard address & 1 == 1 else { throw reader.malformed(.badValue(UInt64(address)), at: 0) }
    connection = address >> 2
    isCommand = address & Self.commandBit != 0
    let control = try reader.uint8()
    guard let kind = Kind(rawValue: control & ~Self.finalBit) else {
      throw reader.malformed(.unknownType(UInt64(control)), at: 1)
    }
    self.kind = kind
    let low = try reader.uint8()
    var length = Int(low >> 1)
    if low & 1 == 0 { length |= Int(try reader.uint8()) << 7 }
    let covered = bytes.prefix(kind == .data ? 2 : reader.offset)
    // The length does not include the credits.
    if kind == .data, control & Self.finalBit != 0, connection != 0 { _ = try reader.uint8() }
    data = try reader.read(length)
    let check = try reader.uint8()
    guard check == Self.checksum(covered) else {
      throw reader.malformed(.badValue(UInt64(check)), at: reader.offset - 1)
    }
    try reader.finish()
  }

  /// Returns the whole frame, without credits.
  public func encoded() -> [UInt8] {
    var bytes = [
      connection << 2 | (isCommand ? Self.commandBit : 0) | 1,
      kind == .data ? kind.rawValue : kind.rawValue | Self.finalBit,
    ]
    let low = UInt8(truncatingIfNeeded: data.count << 1)
    bytes += data.count < 0x80 ? [low | 1] : [low, UInt8(truncatingIfNeeded: data.count >> 7)]
    let check = Self.checksum(bytes.prefix(kind == .data ? 2 : bytes.count))
    return bytes + data + [check]
  }

  /// Returns the checksum of address and control and, except for data, the length.
  ///
  /// It has the reflected polynomial E0, starts from FF and is complemented (TS 07.10, 5.2.1.6).
  static func checksum(_ bytes: Bytes) -> UInt8 {
    ~bytes.reduce(UInt8.max) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xE0 : sum >> 1 }
    }
  }
}
