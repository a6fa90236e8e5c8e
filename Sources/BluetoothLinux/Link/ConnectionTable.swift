internal import Bluetooth
internal import BluetoothCodec

/// An adapter's links, kept up to date by the events of its controller.
///
/// The list of the kernel alone would not do: an event reaches a raw socket before the kernel has
/// taken it in, so a list that is asked for in answer to one may be the old one.
struct ConnectionTable {
  private(set) var links: [RadioLink]

  /// `links`: as listed after the events that come are listened to.
  init(_ links: [RadioLink]) { self.links = links.filter { $0.state == .connected } }

  /// Takes an event in; whether a link came or went.
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

  /// A handle that was listed may be in an event that is read later.
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
