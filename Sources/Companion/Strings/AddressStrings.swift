package import BluetoothCodec

extension PeerAddress.Kind {
  package var name: String {
    switch self {
    case .public: "public"
    case .random: "random"
    case .classic: "BR/EDR"
    }
  }

  package init?(name: String) {
    switch name {
    case "public": self = .public
    case "random": self = .random
    case "BR/EDR": self = .classic
    default: return nil
    }
  }
}
