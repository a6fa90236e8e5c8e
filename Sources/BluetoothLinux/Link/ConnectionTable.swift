internal import Bluetooth
internal import BluetoothCodec

/// An adapter's links, kept up to date by the events of its controller.
///
/// The kernel's list alone would not suffice: an event reaches a raw socket before the kernel has
/// processed it, so a list that is read in response may be outdated.
struct ConnectionTable {
  private(set) var links: [RadioLink]

  /// The links of a list that was read after the socket for events was opened.
  init(_ links: [RadioLink]) { self.links = links.filter { $0.state == .connected } }

  /// Applies an event; returns whether a link was added or removed.
  mutating func receive(_ event: HCIEvent) -> Bool {
    let before = links
    switch event {
    case .connectionComplete(.success, let link, let isEncrypted):
      add(RadioLink(link, isEncrypted: isEncrypted))
    case .synchronousConnectionComplete(.success, let link, _):
      add(RadioLink(link, isEncrypted: false))
    case .disconnectionComplete(.success, let connection, _):
      links.removeAll { $0.handle == connection }
    default: return false
    }
    return links != before
  }

  /// Adds a link, unless the list had it already, whose event is then read later.
  private mutating func add(_ link: RadioLink) {
    guard !links.contains(where: { $0.handle == link.handle && $0.kind == link.kind }) else {
      return
    }
    links.removeAll { $0.handle == link.handle }
    links.append(link)
  }
}

extension RadioLink {
  fileprivate init(_ link: ClassicLink, isEncrypted: Bool) {
    let kind: Kind =
      switch link.kind {
      case .sco: .sco
      case .acl: .acl
      case .eSCO: .eSCO
      }
    self.init(
      kind: kind, address: link.peer, state: .connected, handle: link.connection,
      isEncrypted: isEncrypted)
  }
}
