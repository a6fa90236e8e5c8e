package import BluetoothCodec

extension PeerAddress.Kind {
  /// The name in JSON, in files and on screens.
  package var name: String {
    switch self {
    case .public: "public"
    case .random: "random"
    case .classic: "BR/EDR"
    }
  }

  /// Creates the kind with this name, or fails for any other text.
  package init?(name: String) {
    switch name {
    case "public": self = .public
    case "random": self = .random
    case "BR/EDR": self = .classic
    default: return nil
    }
  }
}
