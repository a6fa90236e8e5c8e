package import BluetoothCodec
package import DBus

/// A remote device of bluetoothd (org.bluez.Device1), with every property checked and bounded.
package struct BlueZDevice: Hashable, Sendable {
  static let interface = "org.bluez.Device1"
  /// The maximum number of services: an advertisement of 31 bytes has up to 14, SDP some dozens.
  static let listLimit = 128
  /// The longest advertising data in bytes (Core 5.4, Vol 4, Part E, 7.8.54).
  static let dataLimit = 1650

  /// The object path, such as "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5".
  package var path: String
  package var adapter: String
  /// The identity address, or the current address of a device that is not bonded.
  package var address: BluetoothAddress
  /// Whether the LE address is random; false also for a device with BR/EDR only.
  package var isRandom: Bool
  /// The name as advertised or read, unsanitised, or nil if it is not known yet.
  package var name: String?
  /// The class of device, or nil if the BR/EDR side was never discovered.
  package var classOfDevice: UInt32?
  /// The external appearance (Core 5.4, Vol 3, Part C, 12.2), or nil if unknown.
  package var appearance: UInt16?
  /// The service UUIDs as advertised, or as discovered once the device was connected.
  package var services: [BluetoothUUID]
  package var manufacturerData: [UInt16: [UInt8]]
  package var serviceData: [BluetoothUUID: [UInt8]]
  /// The advertised Resolvable Set Identifier, 6 bytes (CSIS 1.0, 3.3), or nil.
  ///
  /// Before 5.78 bluetoothd shows it only with experimental features.
  package var setIdentifier: [UInt8]?
  /// The name of a broadcast (AD type 0x30), or nil if there is none.
  ///
  /// Experimental in bluetoothd before 5.78; since 5.83 it is ``name`` instead.
  package var broadcastName: [UInt8]?
  /// The advertised flags (Core Specification Supplement, Part A, 1.3), or nil without any.
  package var flags: UInt8?
  /// The Device ID from the device's service records, or nil if it is not available.
  package var product: ProductID?
  /// The signal strength in dBm, or nil unless a discovery sees the device.
  package var rssi: Int8?
  /// The advertised transmit power in dBm, or nil if unknown.
  package var txPower: Int8?
  /// Whether one of the device's sides is bonded.
  package var isPaired: Bool
  package var isTrusted: Bool
  var isBlocked: Bool
  /// Whether any link is up; Device1 does not reveal which.
  package var isConnected: Bool
  package var areServicesResolved: Bool

  /// Creates a device from its properties; fails without a well-formed address and adapter.
  package init?(at path: String, _ properties: DBusObjectTree.Properties) {
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
    let advertised = Self.data(properties["AdvertisingData"], \.integer)
    let identifier = advertised[0x2E]
    setIdentifier = identifier?.count == 6 ? identifier : nil
    broadcastName = advertised[0x30]
    flags = properties["AdvertisingFlags"]?.bytes?.first
    product = properties["Modalias"]?.string.flatMap(ProductID.init(modalias:))
    rssi = properties["RSSI"]?.integer.flatMap(Int8.init(exactly:))
    txPower = properties["TxPower"]?.integer.flatMap(Int8.init(exactly:))
    // Until bluetoothd has read the services of a link, it signals only Bonded (since 5.65), not
    // Paired.
    isPaired = properties["Paired"]?.boolean == true || properties["Bonded"]?.boolean == true
    isTrusted = properties["Trusted"]?.boolean == true
    isBlocked = properties["Blocked"]?.boolean == true
    isConnected = properties["Connected"]?.boolean == true
    areServicesResolved = properties["ServicesResolved"]?.boolean == true
  }

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
  private static let onlyLowEnergy: UInt8 = 1 << 2

  /// Whether a BR/EDR side is known: it responded to an inquiry, or the LE side advertises it.
  var showsClassic: Bool {
    classOfDevice != nil || flags.map { $0 & Self.onlyLowEnergy == 0 } == true
  }

  /// The properties in the form of an advertisement, in a stable order.
  var advertisingData: AdvertisingData {
    var structures = localName
    if !services.isEmpty { structures.append(.serviceUUIDs(services, isComplete: true)) }
    for (company, bytes) in manufacturerData.sorted(by: { $0.key < $1.key }) {
      structures.append(.manufacturerData(company: company, bytes[...]))
    }
    for (service, bytes) in serviceData.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      structures.append(.serviceData(service, bytes[...]))
    }
    if let setIdentifier { structures.append(.resolvableSetIdentifier(setIdentifier[...])) }
    if let broadcastName { structures.append(.other(type: 0x30, broadcastName[...])) }
    if let classOfDevice { structures.append(.classOfDevice(classOfDevice)) }
    if let appearance { structures.append(.appearance(appearance)) }
    if let txPower { structures.append(.txPower(txPower)) }
    return AdvertisingData(structures)
  }

  var localName: [AdvertisingStructure] {
    name.map { [.localName(Array($0.utf8)[...], isComplete: true)] } ?? []
  }
}
