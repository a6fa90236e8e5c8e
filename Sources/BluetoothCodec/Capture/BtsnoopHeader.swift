/// The header of a btsnoop file (RFC 1761, "File Format"); integers are big-endian.
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 8 | "btsnoop" and a zero byte |
/// | 8 | 4 | version, 1 |
/// | 12 | 4 | datalink |
public struct BtsnoopHeader: Hashable, Sendable {
  /// The length of the header in bytes.
  public static let count = 16

  /// The identification pattern: "btsnoop" and a zero byte.
  private static let magic: [UInt8] = [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0x00]
  private static let version: UInt32 = 1

  /// The content of the records; unknown numbers are kept.
  public var datalink: BtsnoopDatalink

  public init(_ datalink: BtsnoopDatalink) { self.datalink = datalink }

  /// Decodes exactly 16 bytes.
  ///
  /// - Throws: ``MalformedBytes`` if they do not begin with "btsnoop", are not of version 1, or are
  ///   not 16.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "btsnoop header")
    try self.init(&reader)
    try reader.finish()
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    for expected in Self.magic {
      let byte = try reader.uint8()
      guard byte == expected else {
        throw reader.malformed(.badValue(UInt64(byte)), at: reader.offset - 1)
      }
    }
    let version = try reader.bigEndian32()
    guard version == Self.version else {
      throw reader.malformed(.badValue(UInt64(version)), at: reader.offset - 4)
    }
    datalink = BtsnoopDatalink(rawValue: try reader.bigEndian32())
  }

  /// The 16 bytes of the header.
  public func encoded() -> [UInt8] {
    var bytes = Self.magic
    bytes.append(littleEndian: Self.version.byteSwapped)
    bytes.append(littleEndian: datalink.rawValue.byteSwapped)
    return bytes
  }
}
