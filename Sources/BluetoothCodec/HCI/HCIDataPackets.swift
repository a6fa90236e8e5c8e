/// A packet of L2CAP's (Core 5.4, Vol 4, Part E, 5.4.2).
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
    try bytes.append(data, countedIn: 16, of: "ACL data packet")
  }
}

/// A packet of synchronous audio (Core 5.4, Vol 4, Part E, 5.4.3).
public struct SCOPacket: Hashable, Sendable {
  /// 12 bits.
  public var connection: UInt16
  /// How well the audio was received: 2 bits.
  public var packetStatus: UInt8
  /// Audio as the link's air mode codes it; at most 255 bytes.
  public var data: Bytes

  public init(connection: UInt16, packetStatus: UInt8 = 0, data: Bytes) {
    self.connection = connection
    self.packetStatus = packetStatus
    self.data = data
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    reader.what = "SCO data packet"
    let head = try reader.uint16()
    connection = head & 0x0FFF
    packetStatus = UInt8(head >> 12 & 0b11)
    data = try reader.take(Int(try reader.uint8()))
  }

  func append(to bytes: inout [UInt8]) throws(MalformedBytes) {
    bytes.append(littleEndian: connection & 0x0FFF | UInt16(packetStatus & 0b11) << 12)
    try bytes.append(data, countedIn: 8, of: "SCO data packet")
  }
}

/// A packet of isochronous data (Core 5.4, Vol 4, Part E, 5.4.5).
public struct ISOPacket: Hashable, Sendable {
  /// 12 bits.
  public var connection: UInt16
  /// Where the data stand in an SDU: 2 bits.
  public var boundary: UInt8
  /// Whether ``load`` begins with a time stamp of 4 bytes, in µs.
  public var hasTimestamp: Bool
  /// Time stamp, SDU header and SDU fragment.
  public var load: Bytes

  public init(connection: UInt16, boundary: UInt8, hasTimestamp: Bool, load: Bytes) {
    self.connection = connection
    self.boundary = boundary
    self.hasTimestamp = hasTimestamp
    self.load = load
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    reader.what = "ISO data packet"
    let head = try reader.uint16()
    connection = head & 0x0FFF
    boundary = UInt8(head >> 12 & 0b11)
    hasTimestamp = head >> 14 & 1 == 1
    load = try reader.take(Int(try reader.uint16() & 0x3FFF))
  }

  func append(to bytes: inout [UInt8]) throws(MalformedBytes) {
    bytes.append(
      littleEndian: connection & 0x0FFF | UInt16(boundary & 0b11) << 12
        | (hasTimestamp ? 1 << 14 : 0))
    try bytes.append(load, countedIn: 14, of: "ISO data packet")
  }
}

extension [UInt8] {
  /// Appends data after their length, a field of `bits` bits in 1 or 2 bytes.
  fileprivate mutating func append(
    _ data: Bytes, countedIn bits: Int, of what: String
  ) throws(MalformedBytes) {
    let limit = 1 << bits - 1
    guard data.count <= limit else {
      throw MalformedBytes(what, at: count, .tooLong(count: data.count, limit: limit))
    }
    if bits <= 8 {
      append(UInt8(data.count))
    } else {
      append(littleEndian: UInt16(data.count))
    }
    self += data
  }
}
