internal import Bluetooth
internal import BluetoothCodec
internal import Companion
internal import GATT

extension AudioLinks {
  /// Those of an adapter's links that can carry sound.
  init(_ links: [RadioLink]) {
    self.init()
    for link in links where link.state == .connected {
      let address = link.address.description
      switch link.kind {
      case .acl, .isochronous: up.insert(address)
      case .sco, .eSCO: calls.insert(address)
      case .le, .other: break
      }
    }
  }
}

extension Dependencies {
  /// The adapter's links now; nil: the radio cannot tell, or not within `limit`.
  func links(for limit: Duration) async -> [RadioLink]? {
    await first(of: radio.links(), for: limit, by: clock)
  }
}
