public import BluetoothCodec
public import DBus

/// An adapter as bluetoothd knows it (org.bluez.Adapter1).
public struct BlueZAdapter: Hashable, Sendable {
  static let interface = "org.bluez.Adapter1"
  static let root = "/org/bluez/"

  /// Its object, for example "/org/bluez/hci0".
  public var path: String
  public var isPowered: Bool
  /// Somebody discovers, perhaps another program.
  public var isDiscovering: Bool

  init?(at path: String, _ properties: DBusObjectTree.Properties) {
    guard path.hasPrefix(Self.root) else { return nil }
    self.path = path
    isPowered = properties["Powered"]?.boolean == true
    isDiscovering = properties["Discovering"]?.boolean == true
  }

  /// "hci0".
  public var name: String { String(path.dropFirst(Self.root.count)) }
}

/// bluetoothd's objects, as typed values.
public struct BlueZObjects: Hashable, Sendable {
  private static let transport = "org.bluez.MediaTransport1"

  public var tree: DBusObjectTree

  public init(_ tree: DBusObjectTree = DBusObjectTree()) { self.tree = tree }

  /// The adapter of this name; nil: the first that is on, else the first.
  public func adapter(named name: String?) -> BlueZAdapter? {
    let adapters = tree.objects.keys.sorted().compactMap { path in
      tree[path, BlueZAdapter.interface].flatMap { BlueZAdapter(at: path, $0) }
    }
    guard let name else { return adapters.first(where: \.isPowered) ?? adapters.first }
    return adapters.first { $0.name == name }
  }

  /// The device of an object; nil if the object is none.
  public func device(at path: String) -> BlueZDevice? {
    tree[path, BlueZDevice.interface].flatMap { BlueZDevice(at: path, $0) }
  }

  /// All devices of an adapter, in the order of their paths.
  public func devices(of adapter: BlueZAdapter) -> [BlueZDevice] {
    tree.objects.keys.filter { $0.hasPrefix(adapter.path + "/") }.sorted()
      .compactMap(device(at:)).filter { $0.adapter == adapter.path }
  }

  /// The device with this address.
  public func device(_ address: BluetoothAddress, of adapter: BlueZAdapter) -> BlueZDevice? {
    devices(of: adapter).first { $0.address == address }
  }

  /// Whether the device's sound is up: bluetoothd has an audio transport.
  public func hasAudio(_ device: String) -> Bool {
    tree.objects.contains { path, interfaces in
      path.hasPrefix(device + "/") && interfaces[Self.transport] != nil
    }
  }
}
