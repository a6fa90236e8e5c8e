/// A reader of the records in a btsnoop file, which does not copy them.
///
/// ```swift
/// var file = try BtsnoopFile(bytes)
/// while let record = try file.next() {
///   print(record.time.microsecondsSince1970, record.data.count, "bytes")
/// }
/// ```
public struct BtsnoopFile: Sendable {
  public let header: BtsnoopHeader
  private var reader: ByteReader

  /// Decodes the header of a whole file; throws for another identification or version.
  public init(_ bytes: Bytes) throws(MalformedBytes) {
    reader = ByteReader(bytes, of: "btsnoop file")
    header = try BtsnoopHeader(&reader)
  }

  /// Returns the next record, or nil at the end.
  ///
  /// - Throws: ``MalformedBytes`` if a record is malformed, or truncated as in a capture that was
  ///   killed. No further record can be found after it.
  public mutating func next() throws(MalformedBytes) -> BtsnoopRecord? {
    guard !reader.isAtEnd else { return nil }
    var ahead = reader
    let record = try BtsnoopRecord(&ahead)
    reader = ahead
    return record
  }
}

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

  private static let magic: [UInt8] = [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0x00]
  private static let version: UInt32 = 1

  public var datalink: BtsnoopDatalink

  public init(_ datalink: BtsnoopDatalink) { self.datalink = datalink }

  /// Decodes exactly 16 bytes; throws for another length, identification or version.
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

  /// Returns the 16 bytes of the header.
  public func encoded() -> [UInt8] {
    var bytes = Self.magic
    bytes.append(littleEndian: Self.version.byteSwapped)
    bytes.append(littleEndian: datalink.rawValue.byteSwapped)
    return bytes
  }
}

/// The contents of a btsnoop file's records (RFC 1761's Datalink Type, with Bluetooth's numbers).
public struct BtsnoopDatalink: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// HCI packets without a packet type.
  public static let unencapsulated = BtsnoopDatalink(rawValue: 1001)
  /// HCI packets with a packet type, as on a UART transport (H4).
  public static let uart = BtsnoopDatalink(rawValue: 1002)
  /// Packets and notes from the Linux kernel's monitor channel.
  public static let monitor = BtsnoopDatalink(rawValue: 2001)
}

/// The time of a record; see ``unixEpoch``.
public struct BtsnoopTime: Hashable, Sendable, Comparable {
  /// The number of µs since midnight, 1 January 0 AD.
  public var microseconds: UInt64

  public init(microseconds: UInt64) { self.microseconds = microseconds }

  /// 1970-01-01 00:00:00 UTC as all tools encode it, 12 days off the calendar.
  public static let unixEpoch = BtsnoopTime(microseconds: 0x00DC_DDB3_0F2F_8000)

  /// Creates a time from µs since 1970.
  public init(microsecondsSince1970 microseconds: Int64) {
    self.microseconds = Self.unixEpoch.microseconds &+ UInt64(bitPattern: microseconds)
  }

  /// The number of µs since 1970, negative before.
  public var microsecondsSince1970: Int64 {
    Int64(bitPattern: microseconds &- Self.unixEpoch.microseconds)
  }

  public static func < (a: BtsnoopTime, b: BtsnoopTime) -> Bool {
    a.microseconds < b.microseconds
  }
}
