/// An HCI packet of a capture, whatever the datalink of its file.
public struct CapturedPacket: Hashable, Sendable {
  public var time: BtsnoopTime
  /// Whether the controller sent it.
  public var isReceived: Bool
  public var packet: HCIPacket
}

extension BtsnoopRecord {
  /// Whether the packet was cut for the capture, as phones do that record headers alone.
  public var isTruncated: Bool { data.count < Int(originalLength) }

  /// The HCI packet of the record; nil: it has none, or none that decodes.
  ///
  /// - Parameter datalink: of the file.
  public func packet(of datalink: BtsnoopDatalink) -> CapturedPacket? {
    var isReceived = isReceived
    let bytes: Bytes
    switch datalink {
    case .uart: bytes = data
    case .unencapsulated:
      let type: HCIPacketType = isControl ? isReceived ? .event : .command : .acl
      bytes = [type.rawValue] + data
    case .monitor:
      guard let type = monitorOpcode.packetType else { return nil }
      isReceived = monitorOpcode.isReceived
      bytes = [type.rawValue] + data
    default: return nil
    }
    guard let packet = try? HCIPacket(decoding: bytes) else { return nil }
    return CapturedPacket(time: time, isReceived: isReceived, packet: packet)
  }
}

extension MonitorOpcode {
  /// Whether the controller sent the packet.
  var isReceived: Bool { [.event, .aclReceived, .scoReceived, .isoReceived].contains(self) }
}
