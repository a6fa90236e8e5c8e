/// The 48 bits that name a device on the air.
public struct BluetoothAddress: Hashable, Sendable {
  /// The address as a number: F0:F1:F2:F3:F4:F5 is 0xF0F1F2F3F4F5.
  public let value: UInt64

  /// Keeps the lower 48 bits.
  public init(value: UInt64) { self.value = value & 0xFFFF_FFFF_FFFF }
}

/// A device's address and whether it is public or random (Core 5.4, Vol 6, Part B, 1.3).
public struct PeerAddress: Hashable, Sendable {
  public enum Kind: UInt8, Hashable, Sendable {
    case `public` = 0
    case random = 1
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
}
