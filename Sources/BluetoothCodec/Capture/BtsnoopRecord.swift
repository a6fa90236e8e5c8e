/// A captured packet in a btsnoop file (RFC 1761, "Packet Record Format"); integers are big-endian.
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 4 | original length |
/// | 4 | 4 | included length *n* |
/// | 8 | 4 | flags, by the file's datalink |
/// | 12 | 4 | cumulative drops |
/// | 16 | 8 | timestamp in µs |
/// | 24 | *n* | data |
public struct BtsnoopRecord: Hashable, Sendable {
  /// The length of the packet before the capture truncated it, in bytes.
  public var originalLength: UInt32
  /// The flags, whose meaning depends on the file's datalink.
  public var flags: UInt32
  /// The number of packets lost since the capture began.
  public var drops: UInt32
  public var time: BtsnoopTime
  /// The packet, possibly truncated.
  public var data: Bytes

  public init(
    originalLength: UInt32, flags: UInt32, drops: UInt32 = 0, time: BtsnoopTime, data: Bytes
  ) {
    self.originalLength = originalLength
    self.flags = flags
    self.drops = drops
    self.time = time
    self.data = data
  }

  /// Decodes exactly one record, whose data is a slice of `bytes`.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "btsnoop record")
    try self.init(&reader)
    try reader.finish()
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    originalLength = try reader.bigEndian32()
    let includedLength = try reader.bigEndian32()
    guard includedLength <= originalLength else {
      throw reader.malformed(.badLength(Int(includedLength)), at: reader.offset - 4)
    }
    flags = try reader.bigEndian32()
    drops = try reader.bigEndian32()
    time = BtsnoopTime(microseconds: try reader.uint64().byteSwapped)
    data = try reader.read(Int(includedLength))
  }

  /// Returns the 24 bytes of the header and the data, without padding.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24 + data.count)
    for field in [originalLength, UInt32(truncatingIfNeeded: data.count), flags, drops] {
      bytes.append(littleEndian: field.byteSwapped)
    }
    bytes.append(littleEndian: time.microseconds.byteSwapped)
    return bytes + data
  }
}

extension BtsnoopRecord {
  private static let receivedBit: UInt32 = 1 << 0
  private static let controlBit: UInt32 = 1 << 1

  /// Creates a record for a `.uart` file from an HCI packet with its packet type.
  public init(uart packet: Bytes, isReceived: Bool, drops: UInt32 = 0, time: BtsnoopTime) {
    let type = packet.first.flatMap(HCIPacketType.init(rawValue:))
    let isControl = type == .command || type == .event
    self.init(
      originalLength: UInt32(truncatingIfNeeded: packet.count),
      flags: (isReceived ? Self.receivedBit : 0) | (isControl ? Self.controlBit : 0),
      drops: drops, time: time, data: packet)
  }

  /// Whether the controller sent the packet; for `.uart` and `.unencapsulated` files.
  public var isReceived: Bool { flags & Self.receivedBit != 0 }

  var isControl: Bool { flags & Self.controlBit != 0 }
}

extension ByteReader {
  mutating func bigEndian32() throws(MalformedBytes) -> UInt32 { try uint32().byteSwapped }
}
