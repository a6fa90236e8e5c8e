package import HeadphoneProtocols

extension VolumeState {
  package func encoded() -> [UInt8] { [setting, isMuted ? 1 : 0, counter] }
}

extension ReceivedSetKey {
  /// Returns the 17 bytes: 1 for plain or 0 for encrypted, and the key.
  package func encoded() -> [UInt8] {
    switch self {
    case .plain(let key): [1] + key.bytes
    case .encrypted(let key): [0] + key.bytes
    }
  }
}
