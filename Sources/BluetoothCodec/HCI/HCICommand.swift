/// A command from the host to the controller (Core 5.4, Vol 4, Part E, 7).
public enum HCICommand: Hashable, Sendable {
  case reset
  case readLocalSupportedCommands
  /// The strength at which the link's peer is received; `connection`: the link's handle, 12 bits, as
  /// in every command.
  case readRSSI(connection: UInt16)
  /// `filterPolicy`: 0 all advertisers, 1 those of the accept list (Core 5.4, Vol 4, Part E,
  /// 7.8.10).
  case leSetScanParameters(LEScanTiming, own: OwnAddressType, filterPolicy: UInt8)
  /// Begins or ends a legacy scan; `filterDuplicates`: each advertiser is reported once.
  case leSetScanEnable(Bool, filterDuplicates: Bool)
  /// Requests different timing for a link; completed by
  /// ``LEEvent/connectionUpdateComplete(_:connection:_:)``.
  case leConnectionUpdate(LEConnectionUpdate)
  /// Which PHYs the link uses in either direction.
  case leReadPHY(connection: UInt16)
  /// For the scans that ``leSetExtendedScanEnable(_:filterDuplicates:duration:period:)`` begins.
  case leSetExtendedScanParameters(LEExtendedScan)
  /// `duration` in units of 10 ms, `period` in units of 1.28 s; 0: until it is disabled.
  case leSetExtendedScanEnable(
    Bool, filterDuplicates: LEDuplicateFilter, duration: UInt16, period: UInt16)
  /// A command that is not listed here.
  case other(HCIOpcode, HCIParameters)
}

/// How long and how often a scanner listens (Core 5.4, Vol 4, Part E, 7.8.10).
public struct LEScanTiming: Hashable, Sendable {
  /// Whether scan responses are asked for.
  public var isActive: Bool
  /// In units of 0.625 ms.
  public var interval: UInt16
  /// In units of 0.625 ms; at most `interval`.
  public var window: UInt16

  public init(isActive: Bool, interval: UInt16, window: UInt16) {
    self.isActive = isActive
    self.interval = interval
    self.window = window
  }
}

/// LE Set Extended Scan Parameters (Core 5.4, Vol 4, Part E, 7.8.64).
public struct LEExtendedScan: Hashable, Sendable {
  /// The kind of address that an active scan asks from.
  public var own: OwnAddressType
  /// 0: all advertisers; 1: those of the accept list (Core 5.4, Vol 4, Part E, 7.8.64).
  public var filterPolicy: UInt8
  /// Nil: not on this PHY.
  public var le1M: LEScanTiming?
  /// Nil: not on this PHY.
  public var leCoded: LEScanTiming?

  public init(
    own: OwnAddressType, filterPolicy: UInt8 = 0, le1M: LEScanTiming?,
    leCoded: LEScanTiming? = nil
  ) {
    self.own = own
    self.filterPolicy = filterPolicy
    self.le1M = le1M
    self.leCoded = leCoded
  }
}

/// What an extended scan does with an advertisement that it has reported already.
public enum LEDuplicateFilter: UInt8, Hashable, Sendable {
  case off = 0x00
  case on = 0x01
  /// On, and forgotten at the start of each scan period.
  case perPeriod = 0x02
}

/// LE Connection Update (Core 5.4, Vol 4, Part E, 7.8.18).
public struct LEConnectionUpdate: Hashable, Sendable {
  /// The link's handle: 12 bits.
  public var connection: UInt16
  /// In units of 1.25 ms.
  public var minimumInterval: UInt16
  /// In units of 1.25 ms.
  public var maximumInterval: UInt16
  /// Connection events that the peripheral may skip.
  public var latency: UInt16
  /// In units of 10 ms.
  public var supervisionTimeout: UInt16
  /// Expected length of a connection event, in units of 0.625 ms.
  public var minimumEventLength: UInt16
  /// In units of 0.625 ms.
  public var maximumEventLength: UInt16

  public init(
    connection: UInt16, minimumInterval: UInt16, maximumInterval: UInt16, latency: UInt16,
    supervisionTimeout: UInt16, minimumEventLength: UInt16 = 0, maximumEventLength: UInt16 = 0
  ) {
    self.connection = connection
    self.minimumInterval = minimumInterval
    self.maximumInterval = maximumInterval
    self.latency = latency
    self.supervisionTimeout = supervisionTimeout
    self.minimumEventLength = minimumEventLength
    self.maximumEventLength = maximumEventLength
  }
}

/// A command's parameters as bytes: at most the 255 that its length byte can count.
public struct HCIParameters: Hashable, Sendable {
  /// At most 255.
  public let bytes: Bytes

  /// Nil above 255 bytes.
  public init?(_ bytes: Bytes) {
    guard bytes.count <= Int(UInt8.max) else { return nil }
    self.bytes = bytes
  }
}
