/// A frame of RFCOMM (RFCOMM 1.2, 5; TS 07.10, 5.2).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | address: bit 0 set, bit 1 C/R, bits 2 to 7 DLCI |
/// | 1 | 1 | control: the kind, and bit 4 P/F |
/// | 2 | 1 or 2 | length *n* above bit 0, which says that the field ends |
/// | | 0 or 1 | credits, where P/F is set in a frame of data |
/// | | *n* | data |
/// | | 1 | checksum |
///
/// The kernel speaks RFCOMM; this reads what a capture has of it.
public struct RFCOMMFrame: Hashable, Sendable {
  /// The kind of a frame, by the control field without P/F.
  public enum Kind: UInt8, Hashable, Sendable {
    /// Asks for a connection (SABM), and accepts it (UA).
    case connect = 0x2F
    case accept = 0x63
    /// There is no connection (DM), and ends one (DISC).
    case disconnected = 0x0F
    case disconnect = 0x43
    /// Data (UIH).
    case data = 0xEF
  }

  /// The Data Link Connection Identifier, of 6 bits; 0 is the multiplexer's own.
  public var connection: UInt8
  public var kind: Kind
  /// The data, without credits.
  public var data: Bytes

  /// The server channel.
  public var channel: UInt8 { connection >> 1 }

  private static let finalBit: UInt8 = 0x10

  /// Decodes exactly one frame.
  ///
  /// - Throws: ``MalformedBytes`` for another kind, a wrong length or checksum.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "RFCOMM frame")
    let address = try reader.uint8()
    guard address & 1 == 1 else { throw reader.malformed(.badValue(UInt64(address)), at: 0) }
    connection = address >> 2
    let control = try reader.uint8()
    guard let kind = Kind(rawValue: control & ~Self.finalBit) else {
      throw reader.malformed(.unknownType(UInt64(control)), at: 1)
    }
    self.kind = kind
    let low = try reader.uint8()
    var length = Int(low >> 1)
    if low & 1 == 0 { length |= Int(try reader.uint8()) << 7 }
    let covered = bytes.prefix(kind == .data ? 2 : reader.offset)
    // The credits are no part of the length.
    if kind == .data, control & Self.finalBit != 0, connection != 0 { _ = try reader.uint8() }
    data = try reader.read(length)
    let check = try reader.uint8()
    guard check == Self.checksum(covered) else {
      throw reader.malformed(.badValue(UInt64(check)), at: reader.offset - 1)
    }
    try reader.finish()
  }

  /// The checksum of address and control, and of the length in other frames than data: the
  /// reflected polynomial E0 from FF, complemented (TS 07.10, 5.2.1.6).
  static func checksum(_ bytes: Bytes) -> UInt8 {
    ~bytes.reduce(UInt8.max) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xE0 : sum >> 1 }
    }
  }
}
