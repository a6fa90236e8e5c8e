import AudioRoute
import BluetoothCodec
package import BluetoothRadio

/// The addresses of an adapter's links that can carry audio, whichever program uses them.
package struct AudioLinks: Hashable, Sendable {
  /// The upper-case addresses of devices with a BR/EDR or isochronous link.
  package var up: Set<String>
  /// The upper-case addresses that also have a voice link, which means a call.
  package var calls: Set<String>

  package init(up: Set<String> = [], calls: Set<String> = []) {
    self.up = up
    self.calls = calls
  }

  /// Creates the summary; LE links carry no sound, while isochronous ones (LE Audio) count like
  /// BR/EDR.
  package init(_ links: [RadioLink]) {
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

/// The state of a headphone's audio link as reported by the kernel, with raw values for `status
/// --json`.
package enum AudioLink: String, Hashable, Sendable, CaseIterable {
  case up
  case call
  case down
}

extension State {
  /// Returns the state of a headphone's audio link; a call on any of its addresses comes first.
  ///
  /// - Returns: nil if the kernel does not report its links, or no BR/EDR or identity address is
  /// known.
  package func audioLink(of headphone: HeadphoneState) -> AudioLink? {
    guard let audioLinks else { return nil }
    let match = audioMatch(for: headphone)
    let own = headphone.address.isIdentity ? headphone.address.address.description : nil
    let addresses = [
      headphone.publicAddress, match?.card?.address, match?.sink?.bluetooth?.address, own,
    ].compactMap { $0?.uppercased() }
    if addresses.contains(where: audioLinks.calls.contains) { return .call }
    if addresses.contains(where: audioLinks.up.contains) { return .up }
    // A random address does not identify the other side.
    let isReported = headphone.address.kind == .public || addresses.contains { $0 != own }
    return isReported ? .down : nil
  }
}
