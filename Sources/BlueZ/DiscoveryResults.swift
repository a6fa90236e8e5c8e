internal import Bluetooth
internal import BluetoothCodec

/// The devices that one scan has found, made of bluetoothd's device objects.
///
/// One object can stand for both sides of a dual-mode headphone. The first sighting decides which
/// side exists: bluetoothd adds the class of device when the BR/EDR side responds to an inquiry,
/// about 5 s after the LE side was received.
struct DiscoveryResults {
  /// A changed RSSI alone is reported this often at most.
  static let signalInterval: Duration = .seconds(1)

  private struct Record {
    var isLowEnergy = false
    var last: DiscoveredPeripheral
    var reported: Duration
  }

  private let options: ScanOptions
  private let isPassive: Bool
  private var records: [String: Record] = [:]

  /// - Parameter isPassive: whether only connected devices are reported.
  init(_ options: ScanOptions, isPassive: Bool = false) {
    self.options = options
    self.isPassive = isPassive
  }

  /// Takes a device as it is now.
  ///
  /// - Returns: what to report; nil: it is not nearby, not wanted, or nothing is new.
  mutating func update(_ device: BlueZDevice, at now: Duration) -> DiscoveredPeripheral? {
    if let connected = connected(device) {
      guard records[device.path]?.last != connected else { return nil }
      records[device.path] = Record(last: connected, reported: now)
      return connected
    }
    guard !isPassive else { return nil }
    // Known devices have objects wherever they are; only those in range have a signal strength.
    guard let rssi = device.rssi else { return nil }
    let wasLowEnergy = records[device.path]?.isLowEnergy ?? false
    let isLowEnergy = wasLowEnergy || device.showsLowEnergy
    let data = device.advertisingData
    // Its controls are on the audio side, whatever its LE side offers.
    let isClassic = !isLowEnergy || device.classOfDevice != nil && options.hasSerialControls(data)
    var found = DiscoveredPeripheral(
      peer: PeerAddress(
        device.address, device.isRandom ? .random : isClassic ? .classic : .public),
      rssi: rssi, data: data, isConnectable: true,
      audioAddress: device.classOfDevice == nil || device.isRandom ? nil : device.address)
    guard options.passes(found) else { return nil }
    found.isAudioOnly = options.isAudioOnly(found)
    if let record = records[device.path] {
      var same = record.last
      same.rssi = rssi
      let isNew = same != found
      let isDue = record.last.rssi != rssi && now - record.reported >= Self.signalInterval
      guard isNew || isDue else { return nil }
    }
    records[device.path] = Record(isLowEnergy: isLowEnergy, last: found, reported: now)
    return found
  }

  /// A device of BR/EDR that is connected, and does not advertise: it is known by its product, or by
  /// its services on serial channels; nil: it is none, or not wanted.
  private func connected(_ device: BlueZDevice) -> DiscoveredPeripheral? {
    guard device.isConnected, !device.isRandom, device.classOfDevice != nil else { return nil }
    let isSerial = options.hasSerialControls(device.advertisingData)
    guard device.product != nil || isSerial else { return nil }
    let found = DiscoveredPeripheral(
      peer: PeerAddress(device.address, .classic), rssi: nil,
      data: isSerial ? device.advertisingData : AdvertisingData(),
      isConnectable: true, product: device.product)
    return options.passes(found) ? found : nil
  }

  /// bluetoothd has removed the object: the device is gone.
  mutating func remove(_ path: String) { records[path] = nil }
}

extension BlueZDevice {
  /// Whether its LE side is there, as far as its properties tell.
  fileprivate var showsLowEnergy: Bool {
    isRandom || classOfDevice == nil || !manufacturerData.isEmpty || !serviceData.isEmpty
  }
}
