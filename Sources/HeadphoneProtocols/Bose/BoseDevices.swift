internal import BluetoothCodec

/// The devices that a headphone of Bose's is paired with: a list of addresses, and what is reported of
/// each of them.
struct BoseDevices: Sendable {
  /// The addresses, in the headphone's sequence.
  private(set) var listed: [BluetoothAddress] = []
  /// What was reported of each of them.
  private var devices: [BluetoothAddress: PairedDevice] = [:]
  /// The device that plays: nil inside: none does; nil: not reported.
  private var source: BluetoothAddress??
  /// Whether the headphone has the function that plays from a device; nil: it has not answered.
  var hasRoute: Bool?
  /// Whether its features say so; nil: not reported.
  private var mayRoute: Bool?

  /// All of them; nil: not each one is known yet.
  var known: [PairedDevice]? {
    let known = listed.compactMap { address -> PairedDevice? in
      guard var device = devices[address] else { return nil }
      // The source stays the last one after that has gone.
      if let source { device.isPlaying = source == address && device.isConnected }
      return device
    }
    return known.count == listed.count ? known : nil
  }

  /// The listed devices of which nothing was reported.
  var unknown: [BluetoothAddress] { listed.filter { devices[$0] == nil } }

  var declaration: SettingDeclaration {
    source != nil && hasRoute == true && mayRoute != false
      ? .pairedDevices(.connect, .disconnect, .play, .forget)
      : .pairedDevices(.connect, .disconnect, .forget)
  }

  /// Adopts the list: a bit map of those that are connected, and the addresses in its order, which
  /// changes from one list to the next.
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

  /// Adopts what is reported of one device.
  ///
  /// | offset | size | field | meaning |
  /// | --- | --- | --- | --- |
  /// | 0 | 6 | address | in reading order |
  /// | 6 | 1 | status | bit 0 connected, bit 1 this computer, bit 2 made by Bose |
  /// | 7 | 2 | unknown | 3 for a device of Bose's: its product |
  /// | 9 | n | name | UTF-8 |
  ///
  /// - Returns: whether it is one of the list.
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

  /// Adopts which device plays.
  mutating func adopt(source reader: inout ByteReader) throws(MalformedBytes) {
    _ = try reader.read(2)
    let isBluetooth = try reader.uint8() == 1
    source = .some(isBluetooth ? try BluetoothAddress(inReadingOrder: try reader.read(6)) : nil)
  }

  /// Adopts the features of connections, of which bit 1 is to play from any of them.
  mutating func adopt(features reader: inout ByteReader) throws(MalformedBytes) {
    mayRoute = try reader.uint8() & 0x02 != 0
  }

  /// Removes the first device of which nothing was reported.
  mutating func dropFirstUnknown() -> BluetoothAddress? {
    let address = unknown.first
    listed.removeAll { $0 == address }
    return address
  }
}
