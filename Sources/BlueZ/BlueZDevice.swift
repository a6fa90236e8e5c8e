public import BluetoothCodec
public import DBus

/// A remote device as bluetoothd knows it (org.bluez.Device1), every property checked and bounded.
public struct BlueZDevice: Hashable, Sendable {
  static let interface = "org.bluez.Device1"
  /// An advertisement of 31 bytes holds up to 14 service UUIDs; SDP adds a few dozen.
  static let listLimit = 128
  /// The longest advertising data (Core 5.4, Vol 4, Part E, 7.8.54).
  static let dataLimit = 1650

  /// Its object, for example "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5".
  public var path: String
  /// The adapter's object.
  public var adapter: String
  public var address: BluetoothAddress
  /// The LE address is random; false also for a device of BR/EDR alone.
  public var isRandom: Bool
  /// As it was advertised or read, unsanitised; nil: not known yet.
  public var name: String?
  /// Class of device; nil: its BR/EDR side was never found.
  public var classOfDevice: UInt32?
  /// External appearance (Core 5.4, Vol 3, Part C, 12.2).
  public var appearance: UInt16?
  /// As advertised, or as discovered once it was connected.
  public var services: [BluetoothUUID]
  /// By company identifier, as advertised.
  public var manufacturerData: [UInt16: [UInt8]]
  /// By service, as advertised.
  public var serviceData: [BluetoothUUID: [UInt8]]
  /// Of its advertisements (Core Specification Supplement, Part A, 1.3); nil: it has none.
  public var flags: UInt8?
  /// From its service discovery; nil: not available.
  public var product: ProductID?
  /// dBm, while somebody discovers.
  public var rssi: Int8?
  /// dBm.
  public var txPower: Int8?
  /// One of its sides is.
  public var isPaired: Bool
  public var isTrusted: Bool
  /// Some link is up; Device1 does not say which.
  public var isConnected: Bool
  public var areServicesResolved: Bool

  /// - Returns: nil without an address and an adapter that are such.
  public init?(at path: String, _ properties: DBusObjectTree.Properties) {
    guard let address = properties["Address"]?.string.flatMap(BluetoothAddress.init(_:)),
      let adapter = properties["Adapter"]?.path
    else { return nil }
    self.path = path
    self.adapter = adapter
    self.address = address
    isRandom = properties["AddressType"]?.string == "random"
    name = properties["Name"]?.string.map { String($0.prefix(Self.listLimit * 2)) }
    classOfDevice = properties["Class"]?.integer.flatMap(UInt32.init(exactly:))
    appearance = properties["Appearance"]?.integer.flatMap(UInt16.init(exactly:))
    services = (properties["UUIDs"]?.strings ?? []).prefix(Self.listLimit)
      .compactMap(BluetoothUUID.init(_:))
    manufacturerData = Self.data(properties["ManufacturerData"]) { key in
      key.integer.flatMap(UInt16.init(exactly:))
    }
    serviceData = Self.data(properties["ServiceData"]) { key in
      key.string.flatMap(BluetoothUUID.init(_:))
    }
    flags = properties["AdvertisingFlags"]?.bytes?.first
    product = properties["Modalias"]?.string.flatMap(ProductID.init(modalias:))
    rssi = properties["RSSI"]?.integer.flatMap(Int8.init(exactly:))
    txPower = properties["TxPower"]?.integer.flatMap(Int8.init(exactly:))
    // bluetoothd does not signal Paired for a link whose services it has not read; Bonded (since
    // 5.65) it does.
    isPaired = properties["Paired"]?.boolean == true || properties["Bonded"]?.boolean == true
    isTrusted = properties["Trusted"]?.boolean == true
    isConnected = properties["Connected"]?.boolean == true
    areServicesResolved = properties["ServicesResolved"]?.boolean == true
  }

  /// A dictionary of byte arrays, in variants or not.
  private static func data<Key: Hashable>(
    _ value: DBusValue?, _ read: (DBusValue) -> Key?
  ) -> [Key: [UInt8]] {
    var data: [Key: [UInt8]] = [:]
    for (key, value) in value?.dictionary ?? [:] where data.count < listLimit {
      guard let key = read(key), let bytes = value.bytes, bytes.count <= dataLimit else {
        continue
      }
      data[key] = bytes
    }
    return data
  }
}

extension BlueZDevice {
  /// "BR/EDR Not Supported" among the flags.
  private static let onlyLowEnergy: UInt8 = 1 << 2

  /// Whether bluetoothd knows of a BR/EDR side: it has answered an inquiry, or the LE side advertises
  /// one.
  var showsClassic: Bool {
    classOfDevice != nil || flags.map { $0 & Self.onlyLowEnergy == 0 } == true
  }

  /// What it advertises, as an advertisement carries it, in an order that does not change.
  var advertisingData: AdvertisingData {
    var structures: [AdvertisingStructure] = []
    if let name { structures.append(.localName(Array(name.utf8)[...], isComplete: true)) }
    if !services.isEmpty { structures.append(.serviceUUIDs(services, isComplete: true)) }
    for (company, bytes) in manufacturerData.sorted(by: { $0.key < $1.key }) {
      structures.append(.manufacturerData(company: company, bytes[...]))
    }
    for (service, bytes) in serviceData.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      structures.append(.serviceData(service, bytes[...]))
    }
    if let classOfDevice { structures.append(.classOfDevice(classOfDevice)) }
    if let appearance { structures.append(.appearance(appearance)) }
    if let txPower { structures.append(.txPower(txPower)) }
    return AdvertisingData(structures)
  }
}
