internal import BluetoothCodec

/// The state of one link, as the controller's HCI events report it.
struct LinkEventState: Hashable, Sendable {
  var connection: UInt16?
  /// Whether the link is up; earlier events may belong to another link with the same handle.
  private var isUp = false
  private(set) var ended: HCIStatus?
  private(set) var encryptionFailure: HCIStatus?
  /// The connection parameters, or nil if the event was missed; receiving it needs CAP_NET_RAW.
  private(set) var timing: LEConnectionTiming?
  private(set) var phys: PHYs?
  /// The payload of a link-layer packet to the peripheral, 27 to 251 bytes, or nil as for `timing`.
  private(set) var packetLength: Int?

  init(connection: UInt16? = nil) { self.connection = connection }

  struct PHYs: Hashable, Sendable {
    var transmit: PHY
    var receive: PHY
  }

  /// Marks the link as up; disconnections reported before may be another link's and are dropped.
  mutating func begin() {
    isUp = true
    if timing == nil { (ended, encryptionFailure) = (nil, nil) }
  }

  mutating func receive(_ event: HCIEvent) {
    switch event {
    case .disconnectionComplete(.success, connection, let reason): ended = ended ?? reason
    case .encryptionChange(let status, connection, _) where !status.isSuccess:
      encryptionFailure = status
    case .commandComplete(_, .leReadPHY, .phy(connection, let transmit, let receive)):
      phys = PHYs(transmit: transmit, receive: receive)
    case .le(let event): receive(event)
    default: break
    }
  }

  private mutating func receive(_ event: LEEvent) {
    switch event {
    case .connectionComplete(let link), .enhancedConnectionComplete(let link, _):
      // An event after this link came up belongs to a later link with the same handle.
      guard link.connection == connection, link.status.isSuccess, !isUp else { return }
      self = LinkEventState(connection: connection)
      timing = link.timing
      // The default until a change is reported (Core 5.4, Vol 6, Part B, 4.5.10).
      packetLength = Self.packetLengths.lowerBound
    case .connectionUpdateComplete(.success, connection, let timing): self.timing = timing
    case .phyUpdateComplete(.success, connection, let transmit, let receive):
      phys = PHYs(transmit: transmit, receive: receive)
    case .dataLengthChange(connection, let length):
      let range = Self.packetLengths
      packetLength = max(range.lowerBound, min(Int(length.transmitOctets), range.upperBound))
    default: break
    }
  }

  /// The payload of a link-layer packet in bytes, without and with the full data length extension.
  private static let packetLengths = 27...251

  /// The kernel's HCI filter for events of links; it cannot exclude advertisements.
  static let filter = HCIFilter(
    types: [.event],
    events: [
      HCIEventCode.disconnectionComplete, HCIEventCode.encryptionChange,
      HCIEventCode.commandComplete,
      HCIEventCode.commandStatus, HCIEventCode.leMeta,
    ])

  /// Returns a filter that is narrower than `filter`: by LE event, by command and by link.
  ///
  /// A socket that is not read buffers about 200 events. With those of other links it would be full
  /// after days, and the kernel would drop the event with the reason for this link's end.
  static func packets(of connection: UInt16? = nil) -> PacketFilter {
    var rules: [PacketFilter.Rule] = [
      PacketFilter.event(HCIEventCode.disconnectionComplete, connection, at: 4),
      PacketFilter.event(HCIEventCode.encryptionChange, connection, at: 4),
      PacketFilter.complete(.readRSSI, connection),
      PacketFilter.complete(.leReadPHY, connection),
      PacketFilter.status(.leConnectionUpdate),
      PacketFilter.status(.leReadPHY),
      PacketFilter.subevent(LEEventCode.connectionUpdateComplete, connection, at: 5),
      PacketFilter.subevent(LEEventCode.phyUpdateComplete, connection, at: 5),
      PacketFilter.subevent(LEEventCode.dataLengthChange, connection, at: 4),
    ]
    if connection == nil {
      rules += [
        PacketFilter.subevent(LEEventCode.connectionComplete),
        PacketFilter.subevent(LEEventCode.enhancedConnectionComplete),
      ]
    }
    return PacketFilter(rules: rules)
  }
}
