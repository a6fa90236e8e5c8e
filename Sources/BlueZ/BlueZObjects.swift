package import BluetoothCodec
package import DBus

package struct BlueZAdapter: Hashable, Sendable {
  static let interface = "org.bluez.Adapter1"
  static let root = "/org/bluez/"
  static let audioSource = "0000110a-0000-1000-8000-00805f9b34fb"

  /// The object path, for example "/org/bluez/hci0".
  package var path: String
  package var isPowered: Bool
  /// Whether any program's discovery is running.
  package var isDiscovering: Bool
  package var hasAudioSource: Bool

  init?(at path: String, _ properties: DBusObjectTree.Properties) {
    guard path.hasPrefix(Self.root) else { return nil }
    self.path = path
    isPowered = properties["Powered"]?.boolean == true
    isDiscovering = properties["Discovering"]?.boolean == true
    hasAudioSource = properties["UUIDs"]?.strings?.contains(Self.audioSource) == true
  }

  /// The kernel's name, for example "hci0".
  package var name: String { String(path.dropFirst(Self.root.count)) }
}

package struct BlueZObjects: Hashable, Sendable {
  static let transport = "org.bluez.MediaTransport1"
  private static let battery = "org.bluez.Battery1"
  /// The ATT_MTU over LE before an exchange (Core 5.4, Vol 3, Part G, 5.2.1).
  private static let defaultMTU = 23

  package var tree: DBusObjectTree

  package init(_ tree: DBusObjectTree = DBusObjectTree()) { self.tree = tree }

  /// Returns the adapter with a name, or nil; without a name, the first that is on, else the first.
  package func adapter(named name: String?) -> BlueZAdapter? {
    let adapters = tree.objects.keys.sorted().compactMap { path in
      tree[path, BlueZAdapter.interface].flatMap { BlueZAdapter(at: path, $0) }
    }
    guard let name else { return adapters.first(where: \.isPowered) ?? adapters.first }
    return adapters.first { $0.name == name }
  }

  package func device(at path: String) -> BlueZDevice? {
    tree[path, BlueZDevice.interface].flatMap { BlueZDevice(at: path, $0) }
  }

  package func devices(of adapter: BlueZAdapter) -> [BlueZDevice] {
    tree.objects.keys.filter { $0.hasPrefix(adapter.path + "/") }.sorted()
      .compactMap(device(at:)).filter { $0.adapter == adapter.path }
  }

  /// Returns the device with an address, preferably a paired one, or nil if bluetoothd has none.
  ///
  /// Two objects have the same address after a pairing has revealed that they are one device, until
  /// bluetoothd removes one of them.
  package func device(_ address: BluetoothAddress, of adapter: BlueZAdapter) -> BlueZDevice? {
    let same = devices(of: adapter).filter { $0.address == address }
    return same.first(where: \.isPaired) ?? same.first
  }

  /// Returns the charge of a device in percent from any source but this program, or nil if unknown.
  package func charge(of device: String) -> UInt8? {
    guard let battery = tree[device, Self.battery],
      battery["Source"]?.string != BatteryProvider.source,
      let percent = battery["Percentage"]?.integer, (0...100).contains(percent)
    else { return nil }
    return UInt8(percent)
  }

  /// The devices whose ATT channel bluetoothd holds.
  ///
  /// For a device without a channel, bluetoothd (5.66) reports the default MTU or none.
  package var devicesWithAttributes: [BlueZDevice] {
    let paths = tree.objects.compactMap { path, interfaces in
      let mtu = interfaces[RemoteAttributes.characteristicInterface]?["MTU"]?.integer ?? 0
      return mtu > Self.defaultMTU ? path : nil
    }
    return tree.objects.keys.sorted().compactMap(device(at:)).filter { device in
      device.isConnected && paths.contains { $0.hasPrefix(device.path + "/") }
    }
  }

  package var devicesWithAudio: [BlueZDevice] {
    tree.objects.keys.sorted().compactMap(device(at:)).filter { device in
      device.isConnected && hasAudio(device.path)
    }
  }

  package func hasAudio(_ device: String) -> Bool {
    tree.objects.contains { path, interfaces in
      path.hasPrefix(device + "/") && interfaces[Self.transport] != nil
    }
  }
}
