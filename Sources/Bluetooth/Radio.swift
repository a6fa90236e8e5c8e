public import BluetoothCodec

/// An adapter that finds and connects LE peripherals: the kernel's, or the virtual one.
public protocol Radio: Sendable {
  /// All adapters of this radio, in index order.
  ///
  /// - Throws: `noAdapter`, `notPermitted`, `system`.
  func adapters() async throws(RadioError) -> [Adapter]

  /// Yields whenever an adapter may have been added, removed, switched on, switched off or blocked;
  /// ``adapters()`` gives the new state.
  ///
  /// Finished at once by a radio that cannot observe it. Causes no wake-up while nothing changes.
  func adapterChanges() -> AsyncStream<Void>

  /// The adapter's links of every kind: the present ones, then all of them at each change.
  ///
  /// Finished when the adapter is removed, and at once by a radio that cannot observe it. Causes no
  /// wake-up while nothing changes.
  func links() -> AsyncStream<[RadioLink]>

  /// Reports advertisements until the stream's consumer ends it or `options.duration` has passed.
  ///
  /// The stream throws `RadioError` only.
  func scan(_ options: ScanOptions) -> AsyncThrowingStream<DiscoveredPeripheral, any Error>

  /// Connects ATT's fixed channel (CID 0x0004) to a peripheral.
  ///
  /// Cancelling the task cancels the attempt in the controller, at once.
  ///
  /// - Throws: `timedOut`, `refused`, `cancelled`, and what keeps the adapter from connecting.
  func connect(to peer: PeerAddress, timeout: Duration) async throws(RadioError) -> any Bearer

  /// Connects an L2CAP channel over BR/EDR, the transport of a headphone's audio.
  ///
  /// Cancelling the task cancels the attempt in the controller, at once.
  ///
  /// - Throws: as ``connect(to:timeout:)``.
  func connect(
    to address: BluetoothAddress, psm: UInt16, timeout: Duration
  ) async throws(RadioError) -> any Bearer

  /// Connects the serial channel (RFCOMM) of a service, on a BR/EDR link that is up already; never
  /// pages a device.
  ///
  /// The channel is a byte stream: a PDU of the bearer is any part of it. Cancelling the task cancels
  /// the attempt.
  ///
  /// - Returns: nil if there is no such link, or the device has no such service.
  /// - Throws: as ``connect(to:timeout:)``.
  func connect(
    to address: BluetoothAddress, service: BluetoothUUID, timeout: Duration
  ) async throws(RadioError) -> (any Bearer)?

  /// Asks a device over BR/EDR which services it has on serial channels, and who made it.
  ///
  /// - Throws: as ``connect(to:timeout:)``.
  func serviceRecords(of address: BluetoothAddress) async throws(RadioError) -> ServiceRecords

  /// Pairs the audio side of a headphone, over BR/EDR; questions go to the radio's pairing agent.
  ///
  /// The LE side pairs by ``Bearer/raiseSecurity(to:)`` on its link.
  ///
  /// - Throws: why it is not paired.
  func pairAudio(_ address: BluetoothAddress) async throws(SecurityFailure)

  /// Brings a headphone's sound up: the BR/EDR link and its audio profiles.
  ///
  /// Returns when bluetoothd has the audio transport; the sound server's device comes a moment
  /// later.
  func connectAudio(_ address: BluetoothAddress) async throws(AudioLinkError)

  /// Ends a headphone's audio profiles; its other links stay.
  func disconnectAudio(_ address: BluetoothAddress) async throws(AudioLinkError)

  /// Switches the adapter that the radio uses on or off.
  func setPower(_ isOn: Bool) async throws(RadioError)

  /// Removes the keys of a device, here and in the kernel, and ends its links.
  ///
  /// - Throws: `.noAgent` if bluetoothd owns the keys.
  func unpair(_ identity: PeerAddress) async throws(SecurityFailure)
}

extension Radio {
  /// A radio without BR/EDR.
  public func connect(
    to address: BluetoothAddress, psm: UInt16, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    throw .refused
  }

  /// A radio without BR/EDR.
  public func connect(
    to address: BluetoothAddress, service: BluetoothUUID, timeout: Duration
  ) async throws(RadioError) -> (any Bearer)? { nil }

  /// A radio without BR/EDR.
  public func serviceRecords(
    of address: BluetoothAddress
  ) async throws(RadioError) -> ServiceRecords { ServiceRecords() }

  /// A radio without BR/EDR.
  public func pairAudio(_ address: BluetoothAddress) async throws(SecurityFailure) {
    throw .unsupported
  }

  /// A radio without bluetoothd, which alone connects audio profiles.
  public func connectAudio(_ address: BluetoothAddress) async throws(AudioLinkError) {
    throw .noBluetoothd
  }

  /// A radio without bluetoothd, which alone connects audio profiles.
  public func disconnectAudio(_ address: BluetoothAddress) async throws(AudioLinkError) {
    throw .noBluetoothd
  }

  /// A radio whose adapter has no switch.
  public func setPower(_ isOn: Bool) async throws(RadioError) {
    throw .notPermitted(operation: "switching the adapter", capability: "CAP_NET_ADMIN")
  }

  /// A radio that keeps no keys.
  public func unpair(_ identity: PeerAddress) async throws(SecurityFailure) {}

  /// A radio that cannot observe links.
  public func links() -> AsyncStream<[RadioLink]> { AsyncStream { $0.finish() } }

  /// An adapter that never changes.
  public func adapterChanges() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}

/// What the service records of a device say of its controls.
public struct ServiceRecords: Hashable, Sendable {
  /// The services on serial channels (RFCOMM), in the order of their records.
  public var serialServices: [BluetoothUUID]
  /// Its Device ID record; nil: it has none of a company that the Bluetooth SIG numbers.
  public var product: ProductID?

  public init(serialServices: [BluetoothUUID] = [], product: ProductID? = nil) {
    self.serialServices = serialServices
    self.product = product
  }
}

/// A Bluetooth adapter.
public struct Adapter: Hashable, Sendable {
  /// "hci0", or "virtual".
  public var name: String
  /// The public address; bonds belong to it.
  public var address: BluetoothAddress
  public var isPowered: Bool
  /// Whether rfkill keeps it off.
  public var isBlocked: Bool
  /// Whether its headphones are simulated.
  public var isVirtual: Bool

  public init(
    name: String, address: BluetoothAddress, isPowered: Bool, isBlocked: Bool = false,
    isVirtual: Bool = false
  ) {
    self.name = name
    self.address = address
    self.isPowered = isPowered
    self.isBlocked = isBlocked
    self.isVirtual = isVirtual
  }
}

/// The filter and the duration of a scan.
public struct ScanOptions: Hashable, Sendable {
  /// A peripheral passes if it advertises one of these, as a service or as service data; if this is
  /// empty, all do.
  public var services: Set<BluetoothUUID>
  /// A peripheral also passes if it matches one of these.
  public var patterns: Set<AdvertisingPattern>
  /// The lowest RSSI that passes, in dBm; a peripheral whose RSSI is not known passes.
  public var rssiFloor: Int8
  /// A part of the name, case-insensitive; nil for any name.
  public var name: String?
  /// How long to scan; nil for until cancelled.
  public var duration: Duration?

  public init(
    services: Set<BluetoothUUID> = [], patterns: Set<AdvertisingPattern> = [],
    rssiFloor: Int8 = -90, name: String? = nil,
    duration: Duration? = .seconds(20)
  ) {
    self.services = services
    self.patterns = patterns
    self.rssiFloor = rssiFloor
    self.name = name
    self.duration = duration
  }
}

/// A discovered peripheral: its advertisement and scan response merged; or a device whose BR/EDR
/// link is up, as its service records describe it.
public struct DiscoveredPeripheral: Hashable, Sendable {
  /// The address that it uses now; a private one changes.
  public var peer: PeerAddress
  /// dBm; nil if the controller does not report it (127).
  public var rssi: Int8?
  /// Its advertisement and scan response; empty for a BR/EDR device.
  public var data: AdvertisingData
  /// Whether it accepts connections now; always true for a BR/EDR device.
  public var isConnectable: Bool
  /// Its Device ID record from service discovery; nil if it was discovered over LE.
  public var product: ProductID?
  /// The address of its BR/EDR side, if the device was discovered on both transports.
  public var audioAddress: BluetoothAddress?
  /// Whether only its class of device says that it is a headphone: it offers sound, and no controls
  /// that are understood.
  public var isAudioOnly = false

  public init(
    peer: PeerAddress, rssi: Int8?, data: AdvertisingData, isConnectable: Bool,
    product: ProductID? = nil, audioAddress: BluetoothAddress? = nil
  ) {
    self.peer = peer
    self.rssi = rssi
    self.data = data
    self.isConnectable = isConnectable
    self.product = product
    self.audioAddress = audioAddress
  }
}
