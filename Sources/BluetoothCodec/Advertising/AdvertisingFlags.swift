/// The Flags AD type (CSS Part A, 1.3).
public struct AdvertisingFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let leLimitedDiscoverable = AdvertisingFlags(rawValue: 1 << 0)
  public static let leGeneralDiscoverable = AdvertisingFlags(rawValue: 1 << 1)
  public static let brEdrNotSupported = AdvertisingFlags(rawValue: 1 << 2)
  public static let simultaneousController = AdvertisingFlags(rawValue: 1 << 3)
}

/// The LE Role AD type (CSS Part A, 1.17).
public enum AdvertisingRole: UInt8, Hashable, Sendable {
  case peripheralOnly = 0x00
  case centralOnly = 0x01
  case peripheralPreferred = 0x02
  case centralPreferred = 0x03
}

/// The Security Manager Out of Band Flags AD type (CSS Part A, 1.7).
public struct OutOfBandFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let dataPresent = OutOfBandFlags(rawValue: 1 << 0)
  public static let leSupported = OutOfBandFlags(rawValue: 1 << 1)
  public static let randomAddress = OutOfBandFlags(rawValue: 1 << 3)
}
