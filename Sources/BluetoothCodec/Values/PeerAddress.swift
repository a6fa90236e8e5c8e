/// A device address with its type: LE public, LE random, or BR/EDR (Core 5.4, Vol 6, Part B, 1.3).
public struct PeerAddress: Hashable, Sendable {
  /// The type of an address; 0 and 1 are HCI's numbers.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    case `public` = 0
    case random = 1
    /// A BR/EDR address, which is always public.
    case classic = 0xFF
  }

  /// The subtype of a random address, from its two most significant bits: 11, 01, 00 or 10.
  ///
  /// A static address lasts at least until the device restarts, so it can identify a bond. A
  /// resolvable private one changes every few minutes and needs the device's Identity Resolving
  /// Key. A non-resolvable one identifies nothing (Core 5.4, Vol 6, Part B).
  public enum RandomKind: Hashable, Sendable {
    case `static`, resolvablePrivate, nonResolvablePrivate, reserved
  }

  public var address: BluetoothAddress
  public var kind: Kind

  public init(_ address: BluetoothAddress, _ kind: Kind) {
    self.address = address
    self.kind = kind
  }

  /// The subtype of a random address, or nil for any other address.
  public var randomKind: RandomKind? {
    guard kind == .random else { return nil }
    return switch address.value >> 46 {
    case 0b11: .static
    case 0b01: .resolvablePrivate
    case 0b00: .nonResolvablePrivate
    default: .reserved
    }
  }

  /// Whether the device keeps this address because it is public or random static.
  public var isIdentity: Bool { kind != .random || randomKind == .static }
}

extension PeerAddress: CustomStringConvertible {
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
