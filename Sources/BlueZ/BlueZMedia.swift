package import BluetoothCodec
internal import DBus

/// The codecs of a connected headphone, as bluetoothd reports them.
package struct BlueZMedia: Hashable, Sendable {
  package var name: String?
  package var address: BluetoothAddress
  /// The headphone's endpoints for sound from this computer (org.bluez.MediaEndpoint1).
  package var offered: [MediaCapabilities]
  /// The configuration of its transport (org.bluez.MediaTransport1), or nil without one.
  package var stream: MediaCapabilities?

  private static let leAudioSink = "00002bc9-0000-1000-8000-00805f9b34fb"
  private static let leAudioSource = "00002bcb-0000-1000-8000-00805f9b34fb"

  init(_ objects: BlueZObjects, of device: BlueZDevice) {
    name = device.name
    address = device.address
    let parts = objects.tree.objects.filter { $0.key.hasPrefix(device.path + "/") }
      .sorted { $0.key < $1.key }
    offered = parts.compactMap { Self.codec($0.value["org.bluez.MediaEndpoint1"], "Capabilities") }
    stream =
      parts.lazy.compactMap { Self.codec($0.value[BlueZObjects.transport], "Configuration") }.first
  }

  /// Decodes an object's codec, or returns nil if it is not one for sound to the headphone.
  private static func codec(
    _ properties: DBusObjectTree.Properties?, _ name: String
  ) -> MediaCapabilities? {
    guard let properties, let uuid = properties["UUID"]?.string?.lowercased(),
      let codec = properties["Codec"]?.integer.flatMap(UInt8.init(exactly:))
    else { return nil }
    let bytes = properties[name]?.bytes ?? []
    // An endpoint has the UUID of the headphone's side, and a transport that of this computer's.
    let isConfiguration = name == "Configuration"
    switch uuid {
    case isConfiguration ? BlueZAdapter.audioSource : AudioConnection.sink:
      return MediaCapabilities(codec: codec, bytes: bytes)
    case isConfiguration ? leAudioSource : leAudioSink:
      return MediaCapabilities(leAudio: codec, bytes: bytes, isConfiguration: isConfiguration)
    default: return nil
    }
  }
}

extension BlueZClient {
  /// Returns the codecs of the connected headphones, or nil if bluetoothd does not respond.
  package func media() async -> [BlueZMedia]? {
    guard await isPresent, let (objects, adapter) = presentAdapter else { return nil }
    return objects.devices(of: adapter).filter(\.isConnected)
      .map { BlueZMedia(objects, of: $0) }.filter { !$0.offered.isEmpty || $0.stream != nil }
  }
}
