/// An advertisement that a controller received (Core 5.4, Vol 4, Part E, 7.7.65.2 and 7.7.65.13).
public struct AdvertisingReport: Hashable, Sendable {
  /// The kind of advertisement; a legacy report's event type is converted to these bits.
  public var properties: AdvertisingProperties
  /// Whether ``data`` is complete, as it always is for a legacy advertisement.
  public var dataStatus: AdvertisingDataStatus
  /// The type of ``address``, which also tells whether the controller resolved the address.
  public var addressType: PeerAddressType
  /// The address of the advertiser, or zero if the advertisement is anonymous.
  public var address: BluetoothAddress
  public var primaryPHY: PHY
  /// The PHY of the secondary advertising channel, or `.none` for a legacy advertisement.
  public var secondaryPHY: PHY
  /// The advertising set, 0 to 15, or nil if there is none.
  public var set: UInt8?
  /// The transmit power in dBm, or nil if unavailable.
  public var txPower: Int8?
  /// The received signal strength in dBm, or nil if unavailable.
  public var rssi: Int8?
  /// The interval of periodic advertising in units of 1.25 ms, or 0 if there is none.
  public var periodicInterval: UInt16
  /// The type of ``target``, which has no meaning unless the advertisement is directed.
  public var targetType: PeerAddressType
  /// The target address of a directed advertisement, or zero.
  public var target: BluetoothAddress
  /// The AD structures, or a part of them; see ``dataStatus``.
  public var data: Bytes

  /// Creates a report of a legacy advertisement; `.legacy` is added to the properties.
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

  /// The address to connect to, or nil if the advertiser is anonymous.
  public var peer: PeerAddress? { addressType.kind.map { PeerAddress(address, $0) } }
}

/// The properties of an advertisement (Core 5.4, Vol 4, Part E, 7.7.65.13, Event_Type).
public struct AdvertisingProperties: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The advertiser accepts connections; unknown for a scan response in a legacy report.
  public static let connectable = AdvertisingProperties(rawValue: 1 << 0)
  public static let scannable = AdvertisingProperties(rawValue: 1 << 1)
  public static let directed = AdvertisingProperties(rawValue: 1 << 2)
  public static let scanResponse = AdvertisingProperties(rawValue: 1 << 3)
  /// The advertisement used legacy PDUs of at most 31 bytes.
  public static let legacy = AdvertisingProperties(rawValue: 1 << 4)
}

/// Whether a report has all data of its advertisement.
public enum AdvertisingDataStatus: UInt8, Hashable, Sendable {
  /// The data is complete, or the last part of it.
  case complete = 0
  case moreToCome = 1
  /// The rest was lost and will not follow.
  case truncated = 2
}
