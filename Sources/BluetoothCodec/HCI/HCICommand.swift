/// A command from the host to the controller (Core 5.4, Vol 4, Part E, 5.4.1 and 7).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 2 | opcode: OCF (bits 0 to 9), OGF (10 to 15) |
/// | 2 | 1 | length *n* |
/// | 3 | *n* | parameters |
///
/// ```swift
/// let scan = HCICommand.leSetScanEnable(true, filterDuplicates: false)
/// print(scan.opcode, scan.encoded())  // LE Set Scan Enable [12, 32, 2, 1, 0]
/// ```
///
/// Section numbers below are those of Core 5.4, Vol 4, Part E. Connection handles have 12 bits.
public enum HCICommand: Hashable, Sendable {
  case reset
  /// Reads the supported commands (7.4.2); returns ``HCIReturn/supportedCommands(_:)``.
  case readLocalSupportedCommands
  /// Reads the RSSI of a link (7.5.4); returns ``HCIReturn/rssi(connection:_:)``.
  case readRSSI(connection: UInt16)
  /// Sets a legacy scan (7.8.10); `filterPolicy` is 1 for the filter accept list, 0 for all.
  case leSetScanParameters(LEScanTiming, own: OwnAddressType, filterPolicy: UInt8)
  /// Starts or stops a legacy scan (7.8.11); `filterDuplicates` reports each advertiser once.
  case leSetScanEnable(Bool, filterDuplicates: Bool)
  /// Requests connection parameters (7.8.18); `connectionUpdateComplete` reports the new ones.
  case leConnectionUpdate(LEConnectionUpdate)
  /// Reads the PHYs of a link (7.8.47); returns ``HCIReturn/phy(connection:transmit:receive:)``.
  case leReadPHY(connection: UInt16)
  case leSetExtendedScanParameters(LEExtendedScan)
  /// Starts or stops an extended scan (7.8.65).
  ///
  /// `duration` is in units of 10 ms (0: until stopped), `period` in units of 1.28 s.
  case leSetExtendedScanEnable(
    Bool, filterDuplicates: LEDuplicateFilter, duration: UInt16, period: UInt16)
  case other(HCIOpcode, HCIParameters)
}

/// The parameters of a scan on one PHY (Core 5.4, Vol 4, Part E, 7.8.10).
public struct LEScanTiming: Hashable, Sendable {
  public var isActive: Bool
  /// The time between the starts of two windows, in units of 0.625 ms.
  public var interval: UInt16
  /// The time to scan in each interval, in units of 0.625 ms; at most `interval`.
  public var window: UInt16

  public init(isActive: Bool, interval: UInt16, window: UInt16) {
    self.isActive = isActive
    self.interval = interval
    self.window = window
  }
}

/// The parameters of LE Set Extended Scan Parameters (Core 5.4, Vol 4, Part E, 7.8.64).
public struct LEExtendedScan: Hashable, Sendable {
  public var own: OwnAddressType
  /// 0 for all advertisers, 1 for those in the filter accept list.
  public var filterPolicy: UInt8
  /// The timing on LE 1M, or nil to skip this PHY.
  public var le1M: LEScanTiming?
  /// The timing on LE Coded, or nil to skip this PHY.
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

/// The treatment of advertisements that an extended scan has reported before.
public enum LEDuplicateFilter: UInt8, Hashable, Sendable {
  case off = 0x00
  case on = 0x01
  /// Reports each advertisement once per scan period.
  case perPeriod = 0x02
}

/// The parameters of LE Connection Update (Core 5.4, Vol 4, Part E, 7.8.18).
public struct LEConnectionUpdate: Hashable, Sendable {
  /// The 12-bit connection handle.
  public var connection: UInt16
  /// The shortest acceptable connection interval, in units of 1.25 ms.
  public var minimumInterval: UInt16
  /// The longest acceptable connection interval, in units of 1.25 ms.
  public var maximumInterval: UInt16
  /// The number of connection events that the peripheral may skip.
  public var latency: UInt16
  /// The supervision timeout, in units of 10 ms.
  public var supervisionTimeout: UInt16
  /// The expected minimum length of a connection event, in units of 0.625 ms.
  public var minimumEventLength: UInt16
  /// The expected maximum length of a connection event, in units of 0.625 ms.
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

/// The parameters of a command: at most the 255 bytes that the length byte can count.
public struct HCIParameters: Hashable, Sendable {
  /// At most 255 bytes.
  public let bytes: Bytes

  /// Creates parameters, or returns nil above 255 bytes.
  public init?(_ bytes: Bytes) {
    guard bytes.count <= Int(UInt8.max) else { return nil }
    self.bytes = bytes
  }
}
