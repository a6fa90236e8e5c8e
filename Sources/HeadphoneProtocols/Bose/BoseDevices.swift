internal import BluetoothCodec

/// The devices that a headphone of Bose's is paired with: a list of addresses, and what is reported of each one by itself.
struct BoseDevices: Sendable {
  /// The addresses, in the headphone's sequence.
  private(set) var listed: [BluetoothAddress] = []
  /// What was reported of each of them.
  private var devices: [BluetoothAddress: PairedDevice] = [:]
  /// The device that plays: nil inside: none does; nil: not reported.
  private var source: BluetoothAddress??

  /// All of them; nil: not each one is known yet.
  var known: [PairedDevice]? {
    let known = listed.compactMap { address -> PairedDevice? in
      var device = devices[address]
      if let source { device?.isPlaying = source == address }
      return device
    }
    return known.count == listed.count ? known : nil
  }

  var declaration: SettingDeclaration {
    source == nil
      ? .pairedDevices(.connect, .disconnect, .forget)
      : .pairedDevices(.connect, .disconnect, .play, .forget)
  }

  /// Adopts the list, without those that are twice in it.
  mutating func adopt(list reader: inout ByteReader) throws(MalformedBytes) {
    _ = try reader.uint8()
    listed = []
    while !reader.isAtEnd {
      let address = try BluetoothAddress(inReadingOrder: try reader.read(6))
      if !listed.contains(address) { listed.append(address) }
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

  /// Removes the first device of which nothing was reported.
  mutating func dropFirstUnknown() -> BluetoothAddress? {
    let address = listed.first { devices[$0] == nil }
    listed.removeAll { $0 == address }
    return address
  }
}
