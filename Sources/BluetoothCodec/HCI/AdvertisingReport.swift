/// One advertisement that a controller heard, by a legacy or an extended report
/// (Core 5.4, Vol 4, Part E, 7.7.65.2 and 7.7.65.13).
public struct AdvertisingReport: Hashable, Sendable {
  /// A legacy report's type as the bits that an extended one has.
  public var properties: AdvertisingProperties
  /// Always `.complete` for a legacy advertisement.
  public var dataStatus: AdvertisingDataStatus
  public var addressType: PeerAddressType
  /// Of the advertiser; zero for an anonymous advertisement.
  public var address: BluetoothAddress
  /// The PHY of the primary advertising channel.
  public var primaryPHY: PHY
  /// `.none` for a legacy advertisement.
  public var secondaryPHY: PHY
  /// The advertising set, 0 to 15; nil if there is none.
  public var set: UInt8?
  /// dBm; nil if not available.
  public var txPower: Int8?
  /// dBm; nil if not available.
  public var rssi: Int8?
  /// In units of 1.25 ms; 0: no periodic advertising.
  public var periodicInterval: UInt16
  /// The target address of a directed advertisement; meaningless otherwise.
  public var targetType: PeerAddressType
  /// Zero unless the advertisement is directed.
  public var target: BluetoothAddress
  /// AD structures, perhaps only a part of them (`dataStatus`).
  public var data: Bytes

  /// A legacy advertisement.
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

  /// As a connection is made to it; nil if the advertiser is anonymous.
  public var peer: PeerAddress? { addressType.kind.map { PeerAddress(address, $0) } }
}

/// What an advertisement allows (Core 5.4, Vol 4, Part E, 7.7.65.13, Event_Type).
public struct AdvertisingProperties: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Unknown for a scan response in a legacy report.
  public static let connectable = AdvertisingProperties(rawValue: 1 << 0)
  public static let scannable = AdvertisingProperties(rawValue: 1 << 1)
  public static let directed = AdvertisingProperties(rawValue: 1 << 2)
  public static let scanResponse = AdvertisingProperties(rawValue: 1 << 3)
  public static let legacy = AdvertisingProperties(rawValue: 1 << 4)
}

/// Whether a report's data is all of the advertisement's.
public enum AdvertisingDataStatus: UInt8, Hashable, Sendable {
  case complete = 0
  /// Another report with the rest will follow.
  case moreToCome = 1
  /// The rest was lost.
  case truncated = 2
}
