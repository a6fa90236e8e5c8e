/// A device's address and whether it is public or random (Core 5.4, Vol 6, Part B, 1.3), or
/// BR/EDR's.
public struct PeerAddress: Hashable, Sendable {
  /// How the address is to be understood; the number is that of HCI.
  public enum Kind: UInt8, Hashable, Sendable {
    case `public` = 0
    case random = 1
    /// No LE address; BR/EDR knows no other kind.
    case classic = 0xFF
  }

  /// What a random address's two upper bits say about its lifetime.
  public enum RandomKind: Hashable, Sendable {
    case `static`, resolvablePrivate, nonResolvablePrivate, reserved
  }

  public var address: BluetoothAddress
  public var kind: Kind

  public init(_ address: BluetoothAddress, _ kind: Kind) {
    self.address = address
    self.kind = kind
  }

  /// What kind of random address it is; nil for any other.
  public var randomKind: RandomKind? {
    guard kind == .random else { return nil }
    return switch address.value >> 46 {
    case 0b11: .static
    case 0b01: .resolvablePrivate
    case 0b00: .nonResolvablePrivate
    default: .reserved
    }
  }

  /// Whether the device keeps this address: a public or a random static one.
  ///
  /// A private address changes every few minutes and must not be stored as a device's name.
  public var isIdentity: Bool { kind != .random || randomKind == .static }
}

extension PeerAddress: CustomStringConvertible {
  /// "F0:F1:F2:F3:F4:F5 (random static)".
  public var description: String {
    let words =
      switch randomKind {
      case nil: kind == .classic ? "BR/EDR" : "public"
      case .static: "random static"
      case .resolvablePrivate: "resolvable private"
      case .nonResolvablePrivate: "non-resolvable private"
      case .reserved: "random, reserved kind"
      }
    return "\(address) (\(words))"
  }
}
