/// A physical layer of LE (Core 5.4, Vol 4, Part E, 7.8.47).
public struct PHY: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No packets, as on the secondary channel of a legacy advertisement.
  public static let none = PHY(rawValue: 0x00)
  /// 1 Mbit/s, which all devices support.
  public static let le1M = PHY(rawValue: 0x01)
  public static let le2M = PHY(rawValue: 0x02)
  /// Long range: 125 or 500 kbit/s.
  public static let leCoded = PHY(rawValue: 0x03)
}

/// The type of address that this host uses on the air (Core 5.4, Vol 4, Part E, 7.8.10).
public enum OwnAddressType: UInt8, Hashable, Sendable {
  case `public` = 0x00
  case random = 0x01
  /// A resolvable private address, or the public one if none can be generated.
  case resolvableOrPublic = 0x02
  /// A resolvable private address, or the random one if none can be generated.
  case resolvableOrRandom = 0x03
}

/// The type of a peer's address (Core 5.4, Vol 4, Part E, 7.7.65.13).
public struct PeerAddressType: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let `public` = PeerAddressType(rawValue: 0x00)
  public static let random = PeerAddressType(rawValue: 0x01)
  /// The public identity address to which the controller resolved a private one.
  public static let publicIdentity = PeerAddressType(rawValue: 0x02)
  /// The random static identity address to which the controller resolved a private one.
  public static let randomIdentity = PeerAddressType(rawValue: 0x03)
  /// A private target address that the controller could not resolve.
  public static let unresolved = PeerAddressType(rawValue: 0xFE)
  public static let anonymous = PeerAddressType(rawValue: 0xFF)

  /// The type to connect with, or nil if the advertiser is anonymous.
  public var kind: PeerAddress.Kind? {
    switch self {
    case .public, .publicIdentity: .public
    case .random, .randomIdentity, .unresolved: .random
    default: nil
    }
  }
}

/// The connection parameters of an LE link (Core 5.4, Vol 4, Part E, 7.8.12).
///
/// The timeout must be longer than twice the interval times `latency` + 1.
public struct LEConnectionTiming: Hashable, Sendable {
  /// The connection interval in units of 1.25 ms (7.5 ms to 4 s).
  public var interval: UInt16
  /// The number of connection events that the peripheral may skip, 0 to 499.
  public var latency: UInt16
  /// The time without a packet after which the link is lost, in units of 10 ms (100 ms to 32 s).
  public var supervisionTimeout: UInt16

  public init(interval: UInt16, latency: UInt16, supervisionTimeout: UInt16) {
    self.interval = interval
    self.latency = latency
    self.supervisionTimeout = supervisionTimeout
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    interval = try reader.uint16()
    latency = try reader.uint16()
    supervisionTimeout = try reader.uint16()
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(littleEndian: interval)
    bytes.append(littleEndian: latency)
    bytes.append(littleEndian: supervisionTimeout)
  }
}
