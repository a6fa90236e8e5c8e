internal import BluetoothCodec
internal import BluetoothRadio

/// The results of one scan, made from bluetoothd's device objects.
///
/// One object can represent both sides of a dual-mode headphone. bluetoothd adds the class of
/// device when the BR/EDR side responds to an inquiry, about 5 s after the first LE advertisement.
struct DiscoveryResults {
  /// The shortest time between two reports that differ only in the RSSI.
  static let signalInterval: Duration = .seconds(1)

  private struct Record {
    var isLowEnergy = false
    var last: DiscoveredPeripheral
    var reported: Duration
  }

  private let options: ScanOptions
  private var records: [String: Record] = [:]

  init(_ options: ScanOptions) {
    self.options = options
  }

  /// Updates a device, and returns its report, or nil if it is away, filtered out or unchanged.
  ///
  /// | device | reported as |
  /// | --- | --- |
  /// | connected over BR/EDR | its product, or its services on serial channels |
  /// | connected, LE only | its LE address and services |
  /// | with RSSI, LE side shown | its LE address, with the audio address of the other side |
  /// | with RSSI, BR/EDR side only | its BR/EDR address |
  /// | without RSSI | nothing: it is not in range |
  mutating func update(_ device: BlueZDevice, at now: Duration) -> DiscoveredPeripheral? {
    if let connected = connected(device) {
      guard records[device.path]?.last != connected else { return nil }
      records[device.path] = Record(last: connected, reported: now)
      return connected
    }
    if let held = held(device) {
      guard records[device.path]?.last != held else { return nil }
      records[device.path] = Record(isLowEnergy: true, last: held, reported: now)
      return held
    }
    // Known devices keep their objects when they are away; only devices in range have an RSSI.
    guard let rssi = device.rssi else { return nil }
    let wasLowEnergy = records[device.path]?.isLowEnergy ?? false
    let isLowEnergy = wasLowEnergy || device.showsLowEnergy
    let data = device.advertisingData
    // Controls on the BR/EDR side take precedence over anything that the LE side offers.
    let isSerial = options.hasSerialControls(data, device.product)
    let isClassic = !isLowEnergy || device.classOfDevice != nil && isSerial
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

  /// Returns the report of a connected BR/EDR device by its Device ID or serial services.
  private func connected(_ device: BlueZDevice) -> DiscoveredPeripheral? {
    guard device.isConnected, !device.isRandom, device.classOfDevice != nil else { return nil }
    let isSerial = options.hasSerialControls(device.advertisingData, device.product)
    guard device.product != nil || isSerial else { return nil }
    let found = DiscoveredPeripheral(
      peer: PeerAddress(device.address, .classic), rssi: nil,
      data: isSerial ? device.advertisingData : AdvertisingData(device.localName),
      isConnectable: true, product: device.product)
    return options.passes(found) ? found : nil
  }

  /// Returns the report of an LE device whose link bluetoothd holds, so that it does not advertise.
  private func held(_ device: BlueZDevice) -> DiscoveredPeripheral? {
    guard device.isConnected, device.areServicesResolved, device.classOfDevice == nil,
      device.rssi == nil
    else { return nil }
    let found = DiscoveredPeripheral(
      peer: PeerAddress(device.address, device.isRandom ? .random : .public), rssi: nil,
      data: device.advertisingData, isConnectable: true)
    return options.passes(found) ? found : nil
  }

  mutating func remove(_ path: String) { records[path] = nil }
}

extension BlueZDevice {
  fileprivate var showsLowEnergy: Bool {
    isRandom || classOfDevice == nil || !manufacturerData.isEmpty || !serviceData.isEmpty
  }
}
