/// A device address with its type: public or random on LE (Core 5.4, Vol 6, Part B, 1.3), or
/// BR/EDR.
///
/// ```swift
/// let address = BluetoothAddress("70:F1:F2:F3:F4:F5")
/// if let address { print(PeerAddress(address, .random)) }  // … (resolvable private)
/// ```
public struct PeerAddress: Hashable, Sendable {
  /// The type of an address; 0 and 1 are the numbers of HCI.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// An LE address that the maker assigned.
    case `public` = 0
    /// An LE address that the device generated, see ``PeerAddress/randomKind``.
    case random = 1
    /// A BR/EDR address, which is always public.
    case classic = 0xFF
  }

  /// The subtype of a random address, by its two most significant bits: 11, 01, 00 or 10.
  ///
  /// A static address stays the same at least until the device restarts, so it can identify a bond.
  /// A resolvable private address changes every few minutes and can be resolved only with the
  /// device's Identity Resolving Key; a non-resolvable one identifies nothing (Core 5.4, Vol 6,
  /// Part B, 1.3.2).
  public enum RandomKind: Hashable, Sendable {
    case `static`, resolvablePrivate, nonResolvablePrivate, reserved
  }

  /// The address.
  public var address: BluetoothAddress
  /// The type.
  public var kind: Kind

  public init(_ address: BluetoothAddress, _ kind: Kind) {
    self.address = address
    self.kind = kind
  }

  /// The subtype of a random address; `nil` for any other.
  public var randomKind: RandomKind? {
    guard kind == .random else { return nil }
    return switch address.value >> 46 {
    case 0b11: .static
    case 0b01: .resolvablePrivate
    case 0b00: .nonResolvablePrivate
    default: .reserved
    }
  }

  /// Whether the device keeps this address: it is public or random static.
  ///
  /// A private address changes every few minutes, so it cannot identify a device.
  public var isIdentity: Bool { kind != .random || randomKind == .static }
}

extension PeerAddress: CustomStringConvertible {
  /// Address and type, for example "F0:F1:F2:F3:F4:F5 (random static)".
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
