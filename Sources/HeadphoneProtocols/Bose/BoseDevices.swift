internal import BluetoothCodec

/// The paired devices, from a list of addresses and a separate report of each device's details.
struct BoseDevices: Sendable {
  /// The addresses, in an order that changes from one list to the next.
  private(set) var listed: [BluetoothAddress] = []
  private var devices: [BluetoothAddress: PairedDevice] = [:]
  /// The playing device: nil if not reported, `.some(nil)` if no device plays.
  private var source: BluetoothAddress??
  /// Whether function 4.12 exists, which plays from a device, or nil if unanswered.
  var hasRoute: Bool?
  /// Whether the features include playing from any device, or nil if not reported.
  private var mayRoute: Bool?

  /// The paired devices, or nil until the details of each are known.
  var known: [PairedDevice]? {
    let known = listed.compactMap { address -> PairedDevice? in
      guard var device = devices[address] else { return nil }
      // A device that has disconnected is still reported as the source.
      if let source { device.isPlaying = source == address && device.isConnected }
      return device
    }
    return known.count == listed.count ? known : nil
  }

  var unknown: [BluetoothAddress] { listed.filter { devices[$0] == nil } }

  var declaration: SettingDeclaration {
    source != nil && hasRoute == true && mayRoute != false
      ? .pairedDevices(.connect, .disconnect, .play, .forget)
      : .pairedDevices(.connect, .disconnect, .forget)
  }

  /// Applies the list: a bit map of the connected devices, and the addresses in its order.
  mutating func adopt(list reader: inout ByteReader) throws(MalformedBytes) {
    let connected = try reader.uint8()
    var addresses: [BluetoothAddress] = []
    while !reader.isAtEnd {
      addresses.append(try BluetoothAddress(inReadingOrder: try reader.read(6)))
    }
    listed = []
    for (index, address) in addresses.enumerated() where !listed.contains(address) {
      listed.append(address)
      if index < UInt8.bitWidth { devices[address]?.isConnected = connected & 1 << index != 0 }
    }
    devices = devices.filter { listed.contains($0.key) }
  }

  /// Applies the details of one device.
  ///
  /// | offset | size | field | meaning |
  /// | --- | --- | --- | --- |
  /// | 0 | 6 | address | in reading order |
  /// | 6 | 1 | status | bit 0 connected, bit 1 this computer, bit 2 made by Bose |
  /// | 7 | 2 | unknown | 3 for a device of Bose's: its product |
  /// | 9 | n | name | UTF-8 |
  ///
  /// - Returns: whether the device is in the list.
  mutating func adopt(device reader: inout ByteReader) throws(MalformedBytes) -> Bool {
    let address = try BluetoothAddress(inReadingOrder: try reader.read(6))
    let status = try reader.uint8()
    _ = try reader.read(status & 0x04 == 0 ? 2 : 3)
    guard listed.contains(address) else { return false }
    devices[address] = PairedDevice(
      address, name: textFromAir(reader.rest()), isConnected: status & 0x01 != 0,
      isThisComputer: status & 0x02 != 0)
    return true
  }

  mutating func adopt(source reader: inout ByteReader) throws(MalformedBytes) {
    _ = try reader.read(2)
    let isBluetooth = try reader.uint8() == 1
    source = .some(isBluetooth ? try BluetoothAddress(inReadingOrder: try reader.read(6)) : nil)
  }

  /// Applies the features of connections; bit 1 means that any device can play.
  mutating func adopt(features reader: inout ByteReader) throws(MalformedBytes) {
    mayRoute = try reader.uint8() & 0x02 != 0
  }

  mutating func dropFirstUnknown() -> BluetoothAddress? {
    let address = unknown.first
    listed.removeAll { $0 == address }
    return address
  }
}
