/// A physical layer of LE (Core 5.4, Vol 4, Part E, 7.8.47).
public struct PHY: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No packets, for example on the secondary channels of a legacy advertisement.
  public static let none = PHY(rawValue: 0x00)
  public static let le1M = PHY(rawValue: 0x01)
  public static let le2M = PHY(rawValue: 0x02)
  public static let leCoded = PHY(rawValue: 0x03)
}

/// Which of its addresses this host uses on the air (Core 5.4, Vol 4, Part E, 7.8.10).
public enum OwnAddressType: UInt8, Hashable, Sendable {
  case `public` = 0x00
  case random = 0x01
  case resolvableOrPublic = 0x02
  case resolvableOrRandom = 0x03
}

/// How a peer's address came to be known (Core 5.4, Vol 4, Part E, 7.7.65.13).
public struct PeerAddressType: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let `public` = PeerAddressType(rawValue: 0x00)
  public static let random = PeerAddressType(rawValue: 0x01)
  /// The controller has resolved a private address to this public one.
  public static let publicIdentity = PeerAddressType(rawValue: 0x02)
  /// The controller has resolved a private address to this random static one.
  public static let randomIdentity = PeerAddressType(rawValue: 0x03)
  /// A private target address that the controller could not resolve.
  public static let unresolved = PeerAddressType(rawValue: 0xFE)
  /// Anonymous: the advertiser omitted its address.
  public static let anonymous = PeerAddressType(rawValue: 0xFF)

  /// Public or random, as a connection is made to it; nil if it is anonymous.
  public var kind: PeerAddress.Kind? {
    switch self {
    case .public, .publicIdentity: .public
    case .random, .randomIdentity, .unresolved: .random
    default: nil
    }
  }

  /// Whether the controller has resolved a private address to this identity.
  public var isIdentity: Bool { self == .publicIdentity || self == .randomIdentity }
}

/// Timing of an LE link (Core 5.4, Vol 4, Part E, 7.8.12).
public struct LEConnectionTiming: Hashable, Sendable {
  /// In units of 1.25 ms.
  public var interval: UInt16
  /// Connection events that the peripheral may skip.
  public var latency: UInt16
  /// In units of 10 ms.
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
