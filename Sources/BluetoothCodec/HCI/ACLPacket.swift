/// An ACL Data packet: a fragment of an L2CAP PDU (Core 5.4, Vol 4, Part E, 5.4.2).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 2 | connection handle (bits 0 to 11), boundary (12, 13), broadcast (14, 15) |
/// | 2 | 2 | length *n* |
/// | 4 | *n* | data |
public struct ACLPacket: Hashable, Sendable {
  /// The 12-bit connection handle.
  public var connection: UInt16
  /// The Packet_Boundary_Flag: 0 or 2 begins an L2CAP PDU, 1 continues one.
  public var boundary: UInt8
  /// The Broadcast_Flag: 0 for point-to-point, 1 for all BR/EDR peripherals.
  public var broadcast: UInt8
  /// A fragment of an L2CAP PDU.
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
    data = try reader.read(Int(try reader.uint16()))
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
