/// The Flags AD type (CSS Part A, 1.3).
public struct AdvertisingFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let leLimitedDiscoverable = AdvertisingFlags(rawValue: 1 << 0)
  public static let leGeneralDiscoverable = AdvertisingFlags(rawValue: 1 << 1)
  public static let brEdrNotSupported = AdvertisingFlags(rawValue: 1 << 2)
  public static let simultaneousController = AdvertisingFlags(rawValue: 1 << 3)
}
