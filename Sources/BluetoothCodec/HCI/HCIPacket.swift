/// A packet between host and controller (Core 5.4, Vol 4, Part A, 2, and Part E, 5.4).
public enum HCIPacket: Hashable, Sendable {
  case command(HCICommand)
  case acl(ACLPacket)
  case event(HCIEvent)
  /// The audio of a call or an isochronous stream, as bytes behind the type.
  case audio(HCIPacketType, Bytes)

  /// Reads one packet after its type byte, as UART transports and raw sockets carry it.
  ///
  /// Data are slices of `bytes`.
  ///
  /// - Throws: ``MalformedBytes`` for an unknown type or an invalid packet.
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

  /// The byte in front of the packet.
  public var type: HCIPacketType {
    switch self {
    case .command: .command
    case .acl: .acl
    case .event: .event
    case .audio(let type, _): type
    }
  }

  /// The type byte and the packet.
  ///
  /// - Throws: `.tooLong` if the content is more than its length field can count.
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

/// The type byte in front of a packet (Core 5.4, Vol 4, Part A, 2).
public enum HCIPacketType: UInt8, Hashable, Sendable {
  case command = 0x01
  case acl = 0x02
  case sco = 0x03
  case event = 0x04
  case iso = 0x05
}
