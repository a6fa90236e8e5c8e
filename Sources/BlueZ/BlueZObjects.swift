public import BluetoothCodec
public import DBus

/// An adapter of bluetoothd (org.bluez.Adapter1).
public struct BlueZAdapter: Hashable, Sendable {
  static let interface = "org.bluez.Adapter1"
  static let root = "/org/bluez/"
  /// The service class UUID of an A2DP source.
  static let audioSource = "0000110a-0000-1000-8000-00805f9b34fb"

  /// The object path, for example "/org/bluez/hci0".
  public var path: String
  /// Whether it is switched on.
  public var isPowered: Bool
  /// Whether a client discovers, perhaps another program.
  public var isDiscovering: Bool
  /// Whether a sound server has registered to send music through it.
  public var hasAudioSource: Bool

  /// An adapter from its properties; `nil` for a path outside of "/org/bluez/".
  init?(at path: String, _ properties: DBusObjectTree.Properties) {
    guard path.hasPrefix(Self.root) else { return nil }
    self.path = path
    isPowered = properties["Powered"]?.boolean == true
    isDiscovering = properties["Discovering"]?.boolean == true
    hasAudioSource = properties["UUIDs"]?.strings?.contains(Self.audioSource) == true
  }

  /// The kernel's name, for example "hci0".
  public var name: String { String(path.dropFirst(Self.root.count)) }
}

/// The objects of bluetoothd as typed values.
///
/// ```swift
/// let objects = BlueZObjects(tree)
/// if let adapter = objects.adapter(named: nil),
///   let headphone = objects.device(address, of: adapter) {
///   print(objects.hasAudio(headphone.path) ? "sound is up" : "no sound")
/// }
/// ```
public struct BlueZObjects: Hashable, Sendable {
  private static let transport = "org.bluez.MediaTransport1"
  private static let battery = "org.bluez.Battery1"
  /// ATT's over LE, until another is agreed on (Core 5.4, Vol 3, Part G, 5.2.1).
  private static let defaultMTU = 23

  /// The untyped objects, which replies and signals keep up to date.
  public var tree: DBusObjectTree

  public init(_ tree: DBusObjectTree = DBusObjectTree()) { self.tree = tree }

  /// The adapter of a name.
  ///
  /// - Parameter name: for example "hci0"; `nil` for the first that is switched on, or else the
  ///   first.
  /// - Returns: `nil` if there is none.
  public func adapter(named name: String?) -> BlueZAdapter? {
    let adapters = tree.objects.keys.sorted().compactMap { path in
      tree[path, BlueZAdapter.interface].flatMap { BlueZAdapter(at: path, $0) }
    }
    guard let name else { return adapters.first(where: \.isPowered) ?? adapters.first }
    return adapters.first { $0.name == name }
  }

  /// The device of an object; `nil` if the object is not a device.
  public func device(at path: String) -> BlueZDevice? {
    tree[path, BlueZDevice.interface].flatMap { BlueZDevice(at: path, $0) }
  }

  /// All devices of an adapter, in the order of their paths.
  public func devices(of adapter: BlueZAdapter) -> [BlueZDevice] {
    tree.objects.keys.filter { $0.hasPrefix(adapter.path + "/") }.sorted()
      .compactMap(device(at:)).filter { $0.adapter == adapter.path }
  }

  /// The device with an address; `nil` if bluetoothd has none.
  ///
  /// Two have it when a pairing has just revealed that they are one: the other is about to go.
  public func device(_ address: BluetoothAddress, of adapter: BlueZAdapter) -> BlueZDevice? {
    let same = devices(of: adapter).filter { $0.address == address }
    return same.first(where: \.isPaired) ?? same.first
  }

  /// The charge of the device in percent, from any source but this program; `nil` if it is unknown.
  public func charge(of device: String) -> UInt8? {
    guard let battery = tree[device, Self.battery],
      battery["Source"]?.string != BatteryProvider.source,
      let percent = battery["Percentage"]?.integer, (0...100).contains(percent)
    else { return nil }
    return UInt8(percent)
  }

  /// The devices whose ATT channel bluetoothd has.
  ///
  /// Of a device without one, whose attributes stay, it gives the default MTU or none (5.66).
  public var devicesWithAttributes: [BlueZDevice] {
    let paths = tree.objects.compactMap { path, interfaces in
      let mtu = interfaces[RemoteAttributes.characteristicInterface]?["MTU"]?.integer ?? 0
      return mtu > Self.defaultMTU ? path : nil
    }
    return tree.objects.keys.sorted().compactMap(device(at:)).filter { device in
      device.isConnected && paths.contains { $0.hasPrefix(device.path + "/") }
    }
  }

  /// Whether the device's sound is up: bluetoothd has an audio transport.
  public func hasAudio(_ device: String) -> Bool {
    tree.objects.contains { path, interfaces in
      path.hasPrefix(device + "/") && interfaces[Self.transport] != nil
    }
  }
}
