internal import DBus

/// The adapter as bluetoothd presents it to others (org.bluez.Adapter1).
package struct BlueZExposure: Hashable, Sendable {
  /// The parts of bluetoothd's version, major first; empty if main.conf sets another Device ID.
  package var version: [Int]
  package var isPairable: Bool
  /// The time after which the adapter is not pairable any more, in seconds; 0: never.
  package var pairableTimeout: Int
  package var isDiscoverable: Bool
  /// The time after which the adapter is not discoverable any more, in seconds; 0: never.
  package var discoverableTimeout: Int

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
  package func exposure() async -> BlueZExposure? {
    guard await isPresent, let (objects, adapter) = presentAdapter else { return nil }
    return BlueZExposure(objects, adapter: adapter)
  }
}
