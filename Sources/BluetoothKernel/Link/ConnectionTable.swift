internal import BluetoothCodec
internal import BluetoothRadio

/// An adapter's links, kept up to date by the events of its controller.
///
/// Reading the kernel's list again would not suffice: an event reaches a raw socket before the
/// kernel has processed it, so a list that is read in response may be outdated.
struct ConnectionTable {
  private(set) var links: [RadioLink]

  /// Creates the table from a list that was read after the socket for events was opened.
  init(_ links: [RadioLink]) { self.links = links.filter { $0.state == .connected } }

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

  /// Adds a link, unless the initial list had it and its event is only read now.
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
