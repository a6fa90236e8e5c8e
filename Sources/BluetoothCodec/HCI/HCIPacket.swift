/// An HCI packet with its packet type (Core 5.4, Vol 4, Part A, 2, and Part E, 5.4).
///
/// | type | packet | header (octets) |
/// | --- | --- | --- |
/// | 01 | command | opcode (2), length (1) |
/// | 02 | ACL data | connection handle and flags (2), length (2) |
/// | 03 | synchronous data | connection handle and flags (2), length (1) |
/// | 04 | event | code (1), length (1) |
/// | 05 | isochronous data | connection handle and flags (2), length (2, of which 14 bits count) |
public enum HCIPacket: Hashable, Sendable {
  case command(HCICommand)
  case acl(ACLPacket)
  case event(HCIEvent)
  /// The audio of a call or an isochronous stream: the bytes after the packet type.
  case audio(HCIPacketType, Bytes)

  /// Decodes exactly one packet with its packet type, as on UART transports and raw HCI sockets.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "HCI packet")
    let type = try reader.uint8()
    switch HCIPacketType(rawValue: type) {
    case .command: self = .command(try HCICommand(&reader))
    case .acl: self = .acl(try ACLPacket(&reader))
    case .event: self = .event(try HCIEvent(&reader))
    case .sco: self = .audio(.sco, reader.rest())
    case .iso: self = .audio(.iso, reader.rest())
    case nil: throw reader.malformed(.unknownType(UInt64(type)), at: 0)
    }
    try reader.finish()
  }

  public var type: HCIPacketType {
    switch self {
    case .command: .command
    case .acl: .acl
    case .event: .event
    case .audio(let type, _): type
    }
  }

  /// Returns the packet type and the packet; throws `.tooLong` beyond the length field.
  public func encoded() throws(MalformedBytes) -> [UInt8] {
    var bytes = [type.rawValue]
    switch self {
    case .command(let command): bytes += command.encoded()
    case .acl(let packet): try packet.append(to: &bytes)
    case .event(let event): bytes += try event.encoded()
    case .audio(_, let data): bytes += data
    }
    return bytes
  }
}

/// The packet type, the first byte on a UART transport (Core 5.4, Vol 4, Part A, 2).
public enum HCIPacketType: UInt8, Hashable, Sendable {
  case command = 0x01
  /// Asynchronous data, which carries L2CAP.
  case acl = 0x02
  /// Synchronous data: the audio of calls.
  case sco = 0x03
  case event = 0x04
  /// Isochronous data: LE Audio.
  case iso = 0x05
}
