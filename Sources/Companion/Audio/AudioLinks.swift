import AudioRoute
import BluetoothCodec
package import BluetoothRadio

/// The addresses of an adapter's links that can carry audio, whichever program uses them.
///
/// A summary of `RadioLink`s, so that the state stays equal when a handle or an LE link changes.
package struct AudioLinks: Hashable, Sendable {
  /// The upper case addresses of devices with a BR/EDR or isochronous link.
  package var up: Set<String>
  /// The addresses that also have a voice link, which means a call.
  package var calls: Set<String>

  package init(up: Set<String> = [], calls: Set<String> = []) {
    self.up = up
    self.calls = calls
  }

  /// Creates the summary of the connected links among `links`.
  ///
  /// An LE link carries no sound and is left out. An isochronous one (LE Audio) counts like BR/EDR.
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

/// The state of a headphone's audio link, whose raw values appear in `status --json`.
package enum AudioLink: String, Hashable, Sendable, CaseIterable {
  case up
  /// An audio link with a voice link.
  case call
  case down
}

extension State {
  /// Returns the state of the audio link of `headphone`, as reported by the kernel.
  ///
  /// The headphone's public address, the address of its sound device and its own identity address
  /// are compared. A call on any of them takes precedence.
  ///
  /// - Returns: nil if the kernel does not report its links, or no such address is known.
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
