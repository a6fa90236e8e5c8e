public import BluetoothCodec

extension PeerAddress.Kind {
  /// The kind's name in JSON, in files and on screens.
  public var name: String {
    switch self {
    case .public: "public"
    case .random: "random"
    case .classic: "BR/EDR"
    }
  }

  /// The kind with this name; nil for any other text.
  public init?(name: String) {
    switch name {
    case "public": self = .public
    case "random": self = .random
    case "BR/EDR": self = .classic
    default: return nil
    }
  }
}
