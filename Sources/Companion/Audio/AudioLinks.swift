import AudioRoute

/// The links that can carry sound, as the kernel has them, whoever uses them.
public struct AudioLinks: Hashable, Sendable {
  /// Upper case addresses of devices with a BR/EDR link, or an isochronous one of LE Audio.
  public var up: Set<String>
  /// Those with a voice link besides: a call.
  public var calls: Set<String>

  public init(up: Set<String> = [], calls: Set<String> = []) {
    self.up = up
    self.calls = calls
  }
}

/// A headphone's own link for sound.
public enum AudioLink: Hashable, Sendable {
  case down
  case up
  /// With a voice link besides.
  case call
}

extension State {
  /// Whether the link for sound of `headphone` is up, as the kernel says.
  ///
  /// - Returns: nil if the kernel does not tell, or the headphone's public address is not known.
  public func audioLink(of headphone: HeadphoneState) -> AudioLink? {
    guard let audioLinks else { return nil }
    let match = audioMatch(for: headphone)
    let own = headphone.address.isLasting ? headphone.address.text : nil
    let addresses = [
      headphone.publicAddress, match?.card?.address, match?.sink?.bluetooth?.address, own,
    ].compactMap { $0?.uppercased() }
    if addresses.contains(where: audioLinks.calls.contains) { return .call }
    if addresses.contains(where: audioLinks.up.contains) { return .up }
    // A random address says nothing of the other side.
    let isReported = headphone.address.kind == .public || addresses.contains { $0 != own }
    return isReported ? .down : nil
  }
}
