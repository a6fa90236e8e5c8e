internal import BluetoothCodec
internal import GATT

/// What a controller's events tell of one link.
struct LinkEventState: Hashable, Sendable {
  /// The link's HCI connection handle; nil: not known yet.
  var connection: UInt16?
  /// False: what is told may be of an earlier link that had this handle.
  private var isUp = false
  private(set) var ended: HCIStatus?
  private(set) var encryptionFailure: HCIStatus?
  /// Nil: it was made before anyone listened, or this program may not hear of it.
  private(set) var timing: LEConnectionTiming?
  private(set) var phys: PHYs?

  /// Nothing is told yet.
  init(connection: UInt16? = nil) { self.connection = connection }

  /// To the peripheral, and from it.
  struct PHYs: Hashable, Sendable {
    var transmit: PHY
    var receive: PHY
  }

  /// The link is up by now.
  ///
  /// Who may not hear of links that are made cannot tell which one an earlier end was of.
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
      // A later link that has the handle is another one.
      guard link.connection == connection, link.status.isSuccess, !isUp else { return }
      self = LinkEventState(connection: connection)
      timing = link.timing
    case .connectionUpdateComplete(.success, connection, let timing): self.timing = timing
    case .phyUpdateComplete(.success, connection, let transmit, let receive):
      phys = PHYs(transmit: transmit, receive: receive)
    default: break
    }
  }

  /// The events of a link that are let through; those of advertisements, for example, are not.
  static let filter = HCIFilter(
    types: [.event],
    events: [
      HCIFilter.disconnectionComplete, HCIFilter.encryptionChange, HCIFilter.commandComplete,
      HCIFilter.commandStatus, HCIFilter.leMeta,
    ])

  /// Narrower than ``filter`` can be: by the LE event, and by the command.
  static let packets = PacketFilter(
    rules: [[1: HCIFilter.disconnectionComplete], [1: HCIFilter.encryptionChange]]
      + [
        LEEventCode.connectionComplete, LEEventCode.enhancedConnectionComplete,
        LEEventCode.connectionUpdateComplete, LEEventCode.phyUpdateComplete,
      ].map { [1: HCIFilter.leMeta, 3: $0] }
      + [HCIOpcode.readRSSI, .leReadPHY].map { opcode(of: HCIFilter.commandComplete, at: 4, $0) }
      + [HCIOpcode.leConnectionUpdate, .leReadPHY].map {
        opcode(of: HCIFilter.commandStatus, at: 5, $0)
      })

  private static func opcode(
    of event: UInt8, at place: Int, _ opcode: HCIOpcode
  ) -> PacketFilter.Rule {
    [
      1: event, place: UInt8(truncatingIfNeeded: opcode.rawValue),
      place + 1: UInt8(opcode.rawValue >> 8),
    ]
  }
}
