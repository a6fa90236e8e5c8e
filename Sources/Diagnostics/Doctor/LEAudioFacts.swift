internal import BluetoothCodec
internal import BluetoothKernel
internal import Glibc

package struct LEAudioServiceFacts: Hashable, Sendable {
  package struct Device: Hashable, Sendable {
    /// The name, or the address.
    package var name: String
    /// The UUIDs of its 16-bit services.
    package var services: Set<UInt16>
    package var isConnected: Bool

    /// The 16-bit UUIDs of services that bluetoothd, as the owner of the link, reserves for itself.
    package var withheld: Set<UInt16>

    package init(
      name: String, services: Set<UInt16>, isConnected: Bool, withheld: Set<UInt16> = []
    ) {
      self.name = name
      self.services = services
      self.isConnected = isConnected
      self.withheld = withheld
    }
  }

  /// The 16-bit UUIDs for which a sound server can register endpoints.
  package var endpoints: Set<UInt16>
  package var services: Set<UInt16>
  package var devices: [Device]
  /// The parts of bluetoothd's version, major first; empty if unknown.
  package var version: [Int]

  package init(
    endpoints: Set<UInt16>, services: Set<UInt16>, devices: [Device], version: [Int] = []
  ) {
    self.endpoints = endpoints
    self.services = services
    self.devices = devices
    self.version = version
  }
}

struct LEAudioFacts: Hashable, Sendable {
  var kernel = IsochronousSurvey(supported: nil, feature: nil, socket: .fails(EAFNOSUPPORT))
  var service: LEAudioServiceFacts?
  /// Whether bluetoothd runs, or nil if other users' processes are hidden.
  var hasDaemon: Bool?
  var configuration: DaemonConfiguration?
  var hasCodec = false

  init() {}

  /// Reads files and queries the kernel, which may block.
  init(_ service: LEAudioServiceFacts?, _ bluetooth: BluetoothSurvey) {
    kernel = IsochronousSurvey(adapter: bluetooth.chosen)
    self.service = service
    hasDaemon = bluetooth.hasDaemon
    configuration = text(at: DaemonConfiguration.path).map(DaemonConfiguration.init)
    hasCodec = SoundPlugins.ofPipeWire()?.contains("lc3") == true
  }
}
