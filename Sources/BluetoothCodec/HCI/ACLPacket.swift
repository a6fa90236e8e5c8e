/// A packet of L2CAP data (Core 5.4, Vol 4, Part E, 5.4.2).
public struct ACLPacket: Hashable, Sendable {
  /// 12 bits.
  public var connection: UInt16
  /// Where the data stand in an L2CAP PDU: 2 bits.
  public var boundary: UInt8
  /// Point to point, or to all peripherals: 2 bits.
  public var broadcast: UInt8
  /// A fragment of an L2CAP PDU, as ``boundary`` says.
  public var data: Bytes

  public init(connection: UInt16, boundary: UInt8, broadcast: UInt8 = 0, data: Bytes) {
    self.connection = connection
    self.boundary = boundary
    self.broadcast = broadcast
    self.data = data
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    reader.what = "ACL data packet"
    let head = try reader.uint16()
    connection = head & 0x0FFF
    boundary = UInt8(head >> 12 & 0b11)
    broadcast = UInt8(head >> 14)
    data = try reader.take(Int(try reader.uint16()))
  }

  func append(to bytes: inout [UInt8]) throws(MalformedBytes) {
    bytes.append(
      littleEndian: connection & 0x0FFF | UInt16(boundary & 0b11) << 12
        | UInt16(broadcast & 0b11) << 14)
    guard let length = UInt16(exactly: data.count) else {
      throw MalformedBytes(
        "ACL data packet", at: bytes.count, .tooLong(count: data.count, limit: Int(UInt16.max)))
    }
    bytes.append(littleEndian: length)
    bytes += data
  }
}
