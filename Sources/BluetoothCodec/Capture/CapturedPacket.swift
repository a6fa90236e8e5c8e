/// An HCI packet from a capture of any datalink.
public struct CapturedPacket: Hashable, Sendable {
  public var time: BtsnoopTime
  public var isReceived: Bool
  public var packet: HCIPacket
}

extension BtsnoopRecord {
  /// Whether the capture cut the packet, as phones do that record headers only.
  public var isTruncated: Bool { data.count < Int(originalLength) }

  /// Returns the HCI packet of the record, or nil if there is none or it cannot be decoded.
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
  public var isReceived: Bool { [.event, .aclReceived, .scoReceived, .isoReceived].contains(self) }
}
