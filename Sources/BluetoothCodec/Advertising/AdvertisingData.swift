/// The AD structures of an advertisement or a scan response, in order
/// (Core 5.4, Vol 3, Part C, 11; CSS Part A).
public struct AdvertisingData: Hashable, Sendable {
  public var structures: [AdvertisingStructure]

  public init(_ structures: [AdvertisingStructure] = []) { self.structures = structures }
}

/// One AD structure.
public enum AdvertisingStructure: Hashable, Sendable {
  case flags(AdvertisingFlags)
  /// UTF-8 as it was on the air: unsanitised, perhaps not even valid.
  case localName(Bytes, isComplete: Bool)
  case serviceUUIDs([BluetoothUUID], isComplete: Bool)
  case solicitedServiceUUIDs([BluetoothUUID])
  case serviceData(BluetoothUUID, Bytes)
  /// `company`: an assigned company identifier.
  case manufacturerData(company: UInt16, Bytes)
  /// dBm.
  case txPower(Int8)
  case appearance(UInt16)
  // The codec adds a case for each further AD type of the assigned numbers here.
  /// A type that is not listed here, with its data.
  case other(type: UInt8, Bytes)
}

/// The Flags AD type (CSS Part A, 1.3).
public struct AdvertisingFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let leLimitedDiscoverable = AdvertisingFlags(rawValue: 1 << 0)
  public static let leGeneralDiscoverable = AdvertisingFlags(rawValue: 1 << 1)
  public static let brEdrNotSupported = AdvertisingFlags(rawValue: 1 << 2)
  public static let simultaneousController = AdvertisingFlags(rawValue: 1 << 3)
}
