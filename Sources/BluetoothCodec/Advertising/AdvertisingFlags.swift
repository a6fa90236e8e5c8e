/// The Flags AD type (CSS Part A, 1.3).
///
/// An earbud that advertises `06` is discoverable and has no BR/EDR side at this address; one that
/// advertises `02` or `1A` is a dual-mode device.
public struct AdvertisingFlags: OptionSet, Hashable, Sendable {
  /// The first octet of the flags.
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// LE Limited Discoverable Mode: discoverable for a short time.
  public static let leLimitedDiscoverable = AdvertisingFlags(rawValue: 1 << 0)
  /// LE General Discoverable Mode.
  public static let leGeneralDiscoverable = AdvertisingFlags(rawValue: 1 << 1)
  /// BR/EDR Not Supported: a single-mode device.
  public static let brEdrNotSupported = AdvertisingFlags(rawValue: 1 << 2)
  /// The controller supports LE and BR/EDR to the same device simultaneously.
  public static let simultaneousController = AdvertisingFlags(rawValue: 1 << 3)
}
