internal import DBus

/// The adapter as bluetoothd presents it to others (org.bluez.Adapter1).
public struct BlueZExposure: Hashable, Sendable {
  /// The parts of bluetoothd's version, major first; empty if main.conf sets another Device ID.
  public var version: [Int]
  public var isPairable: Bool
  /// The time after which the adapter is not pairable any more, in seconds; 0: never.
  public var pairableTimeout: Int
  public var isDiscoverable: Bool
  /// The time after which the adapter is not discoverable any more, in seconds; 0: never.
  public var discoverableTimeout: Int

  init?(_ objects: BlueZObjects, adapter: BlueZAdapter) {
    guard let properties = objects.tree[adapter.path, BlueZAdapter.interface],
      let isPairable = properties["Pairable"]?.boolean,
      let isDiscoverable = properties["Discoverable"]?.boolean
    else { return nil }
    version = BlueZLEAudio.version(inModalias: properties["Modalias"]?.string ?? "")
    self.isPairable = isPairable
    self.isDiscoverable = isDiscoverable
    pairableTimeout = Int(properties["PairableTimeout"]?.integer ?? 0)
    discoverableTimeout = Int(properties["DiscoverableTimeout"]?.integer ?? 0)
  }
}

extension BlueZClient {
  /// Returns how bluetoothd presents the adapter, or nil if it is absent or does not respond.
  public func exposure() async -> BlueZExposure? {
    guard await isPresent, let (objects, adapter) = presentAdapter else { return nil }
    return BlueZExposure(objects, adapter: adapter)
  }
}
