/// A physical layer of LE (Core 5.4, Vol 4, Part E, 7.8.47).
public struct PHY: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No packets, for example on the secondary channel of a legacy advertisement.
  public static let none = PHY(rawValue: 0x00)
  /// 1 Mbit/s, which all devices support.
  public static let le1M = PHY(rawValue: 0x01)
  /// 2 Mbit/s.
  public static let le2M = PHY(rawValue: 0x02)
  /// Long range: 125 or 500 kbit/s.
  public static let leCoded = PHY(rawValue: 0x03)
}

/// The type of address that this host uses on the air (Core 5.4, Vol 4, Part E, 7.8.10).
public enum OwnAddressType: UInt8, Hashable, Sendable {
  /// The public address.
  case `public` = 0x00
  /// The random address that the host has set.
  case random = 0x01
  /// A resolvable private address, or else the public one.
  case resolvableOrPublic = 0x02
  /// A resolvable private address, or else the random one.
  case resolvableOrRandom = 0x03
}

/// The type of a peer's address (Core 5.4, Vol 4, Part E, 7.7.65.13).
public struct PeerAddressType: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A public address.
  public static let `public` = PeerAddressType(rawValue: 0x00)
  /// A random address, static or private.
  public static let random = PeerAddressType(rawValue: 0x01)
  /// A public address to which the controller has resolved a private one.
  public static let publicIdentity = PeerAddressType(rawValue: 0x02)
  /// A random static address to which the controller has resolved a private one.
  public static let randomIdentity = PeerAddressType(rawValue: 0x03)
  /// A private target address that the controller could not resolve.
  public static let unresolved = PeerAddressType(rawValue: 0xFE)
  /// No address: the advertiser is anonymous.
  public static let anonymous = PeerAddressType(rawValue: 0xFF)

  /// The type for connecting to the peer; `nil` if it is anonymous.
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
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 2 | connection interval |
/// | 2 | 2 | peripheral latency |
/// | 4 | 2 | supervision time-out |
///
/// A headphone at 15 ms, for example, has `interval` 12. The time-out must be longer than twice the
/// interval times `latency` + 1.
public struct LEConnectionTiming: Hashable, Sendable {
  /// The time between two connection events, in units of 1.25 ms (7.5 ms to 4 s).
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

  /// Decodes 6 bytes.
  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    interval = try reader.uint16()
    latency = try reader.uint16()
    supervisionTimeout = try reader.uint16()
  }

  /// Appends 6 bytes.
  func append(to bytes: inout [UInt8]) {
    bytes.append(littleEndian: interval)
    bytes.append(littleEndian: latency)
    bytes.append(littleEndian: supervisionTimeout)
  }
}
