internal import BluetoothCodec
internal import Companion

extension HeadphoneID {
  /// The digits of an address, lower case: short to type and without a shell's special characters.
  init(_ address: BluetoothAddress) {
    self.init(rawValue: address.description.filter { $0 != ":" }.lowercased())
  }
}

extension AirAddress {
  init(_ peer: PeerAddress) {
    let kind: Kind =
      switch peer.kind {
      case .public: .public
      case .random: .random
      case .classic: .classic
      }
    self.init(peer.address.description, kind)
  }
}

extension PeerAddress {
  /// Nil if the text is no address.
  init?(_ address: AirAddress) {
    guard let value = BluetoothAddress(address.text) else { return nil }
    let kind: Kind =
      switch address.kind {
      case .public: .public
      case .random: .random
      case .classic: .classic
      }
    self.init(value, kind)
  }
}
