package import BluetoothCodec
internal import BluetoothRadio
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// The kernel's information about an adapter, which every process may read (hci_devinfo(3)).
package struct AdapterInfo: Hashable, Sendable {
  /// The index, *N* of "hci*N*".
  package var index: UInt16
  /// The name, for example "hci0".
  package var name: String
  /// The public address, or zero for an adapter that has only a random static address.
  package var address: BluetoothAddress
  package var isPowered: Bool
  /// Whether the controller supports LE, or nil if the kernel has not read that yet.
  package var hasLowEnergy: Bool?

  package init(
    index: UInt16, name: String, address: BluetoothAddress, isPowered: Bool,
    hasLowEnergy: Bool? = nil
  ) {
    self.index = index
    self.name = name
    self.address = address
    self.isPowered = isPowered
    self.hasLowEnergy = hasLowEnergy
  }

  static func all() throws(RadioError) -> [AdapterInfo] {
    var adapters: [AdapterInfo] = []
    for index in 0..<UInt16(HCI_MAX_DEV) {
      if let adapter = try AdapterInfo(index) { adapters.append(adapter) }
    }
    return adapters
  }

  var isUp: Bool { (try? AdapterInfo(index))?.isPowered ?? false }

  /// Fails if the index is unused or that of a secondary controller.
  private init?(_ index: UInt16) throws(RadioError) {
    var info = hci_dev_info()
    switch systemCall({ Int(hci_devinfo(Int32(index), &info)) }) {
    case .done where info.type >> 4 & 0b11 == HCI_PRIMARY: break
    case .done, .wouldBlock, .failed(ENODEV): return nil
    case .failed(let code): throw RadioError(errno: code, during: "list adapters")
    }
    self.init(
      index: index, name: "hci\(index)", address: BluetoothAddress(info.bdaddr),
      isPowered: info.flags >> UInt32(HCI_UP) & 1 == 1,
      hasLowEnergy: withUnsafeBytes(of: info.features) { Self.hasLowEnergy(features: Array($0)) })
  }

  /// Returns the bit "LE Supported (Controller)" (Core 5.4, Vol 2, Part C, 3.3).
  ///
  /// Nil if all are 0: the kernel returns a page of zeros before it has read the features.
  static func hasLowEnergy(features: [UInt8]) -> Bool? {
    guard features.count > 4, features.contains(where: { $0 != 0 }) else { return nil }
    return features[4] & 1 << 6 != 0
  }
}
