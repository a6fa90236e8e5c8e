import AudioRoute
public import Bluetooth
import BluetoothCodec

/// The addresses of an adapter's links that can carry audio, whichever program uses them.
///
/// A summary of `RadioLink`s, so that the state stays equal when a handle or an LE link changes.
public struct AudioLinks: Hashable, Sendable {
  /// Upper case addresses of devices with a BR/EDR link, or an isochronous one of LE Audio.
  public var up: Set<String>
  /// The addresses with a voice link besides: a call.
  public var calls: Set<String>

  public init(up: Set<String> = [], calls: Set<String> = []) {
    self.up = up
    self.calls = calls
  }

  /// The links, among these, that are up and can carry audio.
  ///
  /// Only links in the state connected count. An LE link carries no sound and is left out; an
  /// isochronous one (LE Audio) does and counts like a BR/EDR link.
  public init(_ links: [RadioLink]) {
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

/// A headphone's own link for sound, with its name in `status --json`.
public enum AudioLink: String, Hashable, Sendable, CaseIterable {
  case up
  /// An audio link with a voice link besides.
  case call
  case down
}

extension State {
  /// Whether the link for sound of `headphone` is up, as the kernel says.
  ///
  /// The headphone's public address, its sound device's address and an identity address of its own
  /// are compared; a call on any of them wins over a plain link.
  ///
  /// - Returns: nil if the kernel does not report its links, or no such address is known.
  public func audioLink(of headphone: HeadphoneState) -> AudioLink? {
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
