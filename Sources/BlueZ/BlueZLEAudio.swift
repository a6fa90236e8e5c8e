package import BluetoothCodec
internal import DBus

/// The LE Audio support of bluetoothd, which needs experimental features and isochronous sockets.
package struct BlueZLEAudio: Hashable, Sendable {
  /// The endpoints that a sound server can register (org.bluez.Media1, SupportedUUIDs).
  package var endpoints: Set<BluetoothUUID> = []
  /// The adapter's own services (org.bluez.Adapter1, UUIDs).
  package var services: Set<BluetoothUUID> = []
  package var devices: [BlueZDevice] = []
  /// The services that bluetoothd reserves for itself, by the path of a device whose link it holds.
  package var withheld: [String: Set<BluetoothUUID>] = [:]
  /// The parts of bluetoothd's version, major first; empty if main.conf sets another Device ID.
  package var version: [Int] = []

  /// The services of headphones with LE Audio: PACS, ASCS, BASS, CAS and HAS.
  private static let deviceServices: Set<BluetoothUUID> = [
    .bit16(0x1850), .bit16(0x184E), .bit16(0x184F), .bit16(0x1853), .bit16(0x1854),
  ]

  package init() {}

  init(_ objects: BlueZObjects, adapter: BlueZAdapter) {
    func uuids(_ interface: String, _ property: String) -> Set<BluetoothUUID> {
      Set(
        (objects.tree[adapter.path, interface]?[property]?.strings ?? [])
          .compactMap(BluetoothUUID.init(_:)))
    }
    endpoints = uuids("org.bluez.Media1", "SupportedUUIDs")
    services = uuids(BlueZAdapter.interface, "UUIDs")
    version = Self.version(
      inModalias: objects.tree[adapter.path, BlueZAdapter.interface]?["Modalias"]?.string ?? "")
    devices = objects.devices(of: adapter).filter { device in
      (device.isPaired || device.isConnected)
        && device.services.contains(where: Self.deviceServices.contains)
    }
    for device in objects.devicesWithAttributes where devices.contains(device) {
      let attributes = RemoteAttributes(objects.tree, of: device.path)
      // With experimental features, which add a volume service, claimed services are exported
      // read-only.
      let isReadOnly =
        services.contains(.bit16(0x1844)) && !version.lexicographicallyPrecedes([5, 80])
      withheld[device.path] =
        isReadOnly ? attributes.withheld.union(attributes.claimed) : attributes.withheld
    }
  }

  /// Returns bluetoothd's version in an adapter's modalias: [5, 66] for "usb:v1D6Bp0246d0542".
  static func version(inModalias modalias: String) -> [Int] {
    let match = modalias.wholeMatch(of: /usb:v1D6Bp0246d([0-9A-F]{2})([0-9A-F]{2})/)
    return match.map { [$0.output.1, $0.output.2].compactMap { Int($0, radix: 16) } } ?? []
  }
}

extension BlueZClient {
  /// Returns the LE Audio support, or nil without the adapter or an answer of bluetoothd.
  package func leAudio() async -> BlueZLEAudio? {
    guard await isPresent, let adapter = presentAdapter else { return nil }
    return BlueZLEAudio(adapter.objects, adapter: adapter.adapter)
  }
}
