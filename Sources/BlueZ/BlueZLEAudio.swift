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
  /// bluetoothd's version, such as 5.66; `nil`: its Device ID is another's.
  public var version: BlueZVersion?

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
    version = (objects.tree[adapter.path, BlueZAdapter.interface]?["Modalias"]?.string)
      .flatMap(BlueZVersion.init(modalias:))
    devices = objects.devices(of: adapter).filter { device in
      (device.isPaired || device.isConnected)
        && device.services.contains(where: Self.deviceServices.contains)
    }
  }
}

/// bluetoothd's version as its Device ID has it (main.conf, DeviceID): vendor 1D6B of USB, product 0246.
public struct BlueZVersion: Hashable, Sendable {
  /// 5 in 5.66.
  public var major: UInt8
  /// 66 in 5.66.
  public var minor: UInt8

  public init(_ major: UInt8, _ minor: UInt8) {
    self.major = major
    self.minor = minor
  }

  /// Parses an adapter's modalias, "usb:v1D6Bp0246d0542" for 5.66; `nil` for another one.
  init?(modalias: String) {
    guard let match = modalias.wholeMatch(of: /usb:v1D6Bp0246d([0-9A-F]{2})([0-9A-F]{2})/),
      let major = UInt8(match.output.1, radix: 16), let minor = UInt8(match.output.2, radix: 16)
    else { return nil }
    self.init(major, minor)
  }
}

extension BlueZClient {
  /// What bluetoothd reveals of LE Audio; `nil` if it does not run or answer, or has no such adapter.
  public func leAudio() async -> BlueZLEAudio? {
    guard await isPresent, let adapter = presentAdapter else { return nil }
    return BlueZLEAudio(adapter.objects, adapter: adapter.adapter)
  }
}
