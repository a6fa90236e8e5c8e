public import BluetoothCodec
internal import DBus

/// What bluetoothd reveals of LE Audio.
///
/// bluetoothd offers these endpoints and services only where its experimental features are on, and the
/// kernel's isochronous sockets with them.
public struct BlueZLEAudio: Hashable, Sendable {
  /// What a sound server can register for (org.bluez.Media1, SupportedUUIDs).
  public var endpoints: Set<BluetoothUUID> = []
  /// The adapter's own services (org.bluez.Adapter1, UUIDs).
  public var services: Set<BluetoothUUID> = []
  /// The devices that are paired or connected and have a service of LE Audio.
  public var devices: [BlueZDevice] = []

  /// Services of headphones with LE Audio: capabilities, streams, broadcasts, common audio, hearing
  /// access.
  private static let deviceServices: Set<BluetoothUUID> = [
    .bit16(0x1850), .bit16(0x184E), .bit16(0x184F), .bit16(0x1853), .bit16(0x1854),
  ]

  /// Nothing is known.
  public init() {}

  init(_ objects: BlueZObjects, adapter: BlueZAdapter) {
    func uuids(_ interface: String, _ property: String) -> Set<BluetoothUUID> {
      Set(
        (objects.tree[adapter.path, interface]?[property]?.strings ?? [])
          .compactMap(BluetoothUUID.init(_:)))
    }
    endpoints = uuids("org.bluez.Media1", "SupportedUUIDs")
    services = uuids(BlueZAdapter.interface, "UUIDs")
    devices = objects.devices(of: adapter).filter { device in
      (device.isPaired || device.isConnected)
        && device.services.contains(where: Self.deviceServices.contains)
    }
  }
}

extension BlueZClient {
  /// What bluetoothd reveals of LE Audio; `nil` if it does not run or answer, or has no such adapter.
  public func leAudio() async -> BlueZLEAudio? {
    guard await isPresent, let adapter = presentAdapter else { return nil }
    return BlueZLEAudio(adapter.objects, adapter: adapter.adapter)
  }
}
