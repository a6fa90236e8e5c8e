/// An HCI packet with its packet type (Core 5.4, Vol 4, Part A, 2, and Part E, 5.4).
///
/// | type | packet | header (octets) |
/// | --- | --- | --- |
/// | 01 | command | opcode (2), length (1) |
/// | 02 | ACL data | connection handle and flags (2), length (2) |
/// | 03 | synchronous data | connection handle and flags (2), length (1) |
/// | 04 | event | code (1), length (1) |
/// | 05 | isochronous data | connection handle and flags (2), length (2, of which 14 bits count) |
///
/// ```swift
/// let packet = try HCIPacket(decoding: [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00])
/// if case .event(.commandComplete(_, .reset, let result)) = packet {
///   print(result.status?.isSuccess == true)  // true
/// }
/// ```
public enum HCIPacket: Hashable, Sendable {
  /// A command from the host to the controller.
  case command(HCICommand)
  /// Asynchronous data: L2CAP, and in it ATT and SDP.
  case acl(ACLPacket)
  /// An event, from controller to host.
  case event(HCIEvent)
  /// The audio of a call or an isochronous stream, as bytes after the packet type.
  case audio(HCIPacketType, Bytes)

  /// Decodes one packet with its packet type, as on UART transports and raw HCI sockets.
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

  /// The packet type.
  public var type: HCIPacketType {
    switch self {
    case .command: .command
    case .acl: .acl
    case .event: .event
    case .audio(let type, _): type
    }
  }

  /// The packet type and the packet.
  ///
  /// - Throws: `.tooLong` if the content exceeds its length field.
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
  /// A command from the host to the controller.
  case command = 0x01
  /// Asynchronous data: L2CAP, and in it ATT and SDP.
  case acl = 0x02
  /// Synchronous data: telephone audio.
  case sco = 0x03
  /// An event from the controller to the host.
  case event = 0x04
  /// Isochronous data: LE Audio.
  case iso = 0x05
}
