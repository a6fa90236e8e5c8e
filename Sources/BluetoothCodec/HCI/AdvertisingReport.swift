/// One advertisement that a controller received, from a legacy or an extended report (Core 5.4, Vol
/// 4, Part E, 7.7.65.2 and 7.7.65.13).
public struct AdvertisingReport: Hashable, Sendable {
  /// The kind of advertisement; a legacy report's type is converted to the bits of an extended one.
  public var properties: AdvertisingProperties
  /// Whether ``data`` is complete; always so for a legacy advertisement.
  public var dataStatus: AdvertisingDataStatus
  /// The type of ``address``, which also shows whether the controller resolved it.
  public var addressType: PeerAddressType
  /// The address of the advertiser; zero for an anonymous advertisement.
  public var address: BluetoothAddress
  /// The PHY of the primary advertising channel.
  public var primaryPHY: PHY
  /// The PHY of the secondary channel; `.none` for a legacy advertisement.
  public var secondaryPHY: PHY
  /// The advertising set, 0 to 15; `nil` if there is none.
  public var set: UInt8?
  /// The transmit power in dBm; `nil` if it is not available.
  public var txPower: Int8?
  /// The received signal strength in dBm; `nil` if it is not available.
  public var rssi: Int8?
  /// The interval of periodic advertising in units of 1.25 ms; 0 without it.
  public var periodicInterval: UInt16
  /// The type of ``target``; meaningless unless the advertisement is directed.
  public var targetType: PeerAddressType
  /// The target address of a directed advertisement; else zero.
  public var target: BluetoothAddress
  /// The AD structures, or a part of them, see ``dataStatus``.
  public var data: Bytes

  /// A legacy advertisement.
  ///
  /// - Parameters:
  ///   - properties: `.legacy` is added.
  ///   - addressType: the type of the address.
  ///   - address: the advertiser's.
  ///   - rssi: in dBm; `nil` if it is not available.
  ///   - data: AD structures, up to 31 bytes.
  public init(
    _ properties: AdvertisingProperties, addressType: PeerAddressType,
    address: BluetoothAddress, rssi: Int8?, data: Bytes
  ) {
    self.properties = properties.union(.legacy)
    dataStatus = .complete
    self.addressType = addressType
    self.address = address
    primaryPHY = .le1M
    secondaryPHY = .none
    set = nil
    txPower = nil
    self.rssi = rssi
    periodicInterval = 0
    targetType = .public
    target = BluetoothAddress(value: 0)
    self.data = data
  }

  /// The address for connecting to the advertiser; `nil` if it is anonymous.
  public var peer: PeerAddress? { addressType.kind.map { PeerAddress(address, $0) } }
}

/// The properties of an advertisement (Core 5.4, Vol 4, Part E, 7.7.65.13, Event_Type).
public struct AdvertisingProperties: OptionSet, Hashable, Sendable {
  /// Bits 0 to 4 of the Event_Type.
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The advertiser accepts connections; unknown for a scan response in a legacy report.
  public static let connectable = AdvertisingProperties(rawValue: 1 << 0)
  /// The advertiser answers scan requests.
  public static let scannable = AdvertisingProperties(rawValue: 1 << 1)
  /// The advertisement is for one device only.
  public static let directed = AdvertisingProperties(rawValue: 1 << 2)
  /// The report is of a scan response.
  public static let scanResponse = AdvertisingProperties(rawValue: 1 << 3)
  /// The advertisement used legacy PDUs of at most 31 bytes.
  public static let legacy = AdvertisingProperties(rawValue: 1 << 4)
}

/// Whether a report's data are all of the advertisement's.
public enum AdvertisingDataStatus: UInt8, Hashable, Sendable {
  /// The data are complete, or the last part of them.
  case complete = 0
  /// Another report with the rest will follow.
  case moreToCome = 1
  /// The rest was lost, and will not follow.
  case truncated = 2
}
