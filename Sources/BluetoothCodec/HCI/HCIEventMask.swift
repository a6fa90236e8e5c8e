/// Which events the controller may send (Core 5.4, Vol 4, Part E, 7.3.1).
public struct HCIEventMask: OptionSet, Hashable, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public static let disconnectionComplete = HCIEventMask(rawValue: 1 << 4)
  public static let encryptionChange = HCIEventMask(rawValue: 1 << 7)
  public static let hardwareError = HCIEventMask(rawValue: 1 << 15)
  public static let encryptionKeyRefreshComplete = HCIEventMask(rawValue: 1 << 47)
  public static let leMeta = HCIEventMask(rawValue: 1 << 61)

  /// What a controller sends after its reset.
  public static let standard = HCIEventMask(rawValue: 0x0000_1FFF_FFFF_FFFF)
}

/// Which LE Meta events the controller may send (Core 5.4, Vol 4, Part E, 7.8.1).
public struct LEEventMask: OptionSet, Hashable, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public static let connectionComplete = LEEventMask(rawValue: 1 << 0)
  public static let advertisingReport = LEEventMask(rawValue: 1 << 1)
  public static let connectionUpdateComplete = LEEventMask(rawValue: 1 << 2)
  public static let dataLengthChange = LEEventMask(rawValue: 1 << 6)
  public static let enhancedConnectionComplete = LEEventMask(rawValue: 1 << 9)
  public static let directedAdvertisingReport = LEEventMask(rawValue: 1 << 10)
  public static let phyUpdateComplete = LEEventMask(rawValue: 1 << 11)
  public static let extendedAdvertisingReport = LEEventMask(rawValue: 1 << 12)

  /// What a controller sends after its reset.
  public static let standard = LEEventMask(rawValue: 0x1F)
}
