public import BluetoothCodec

/// An adapter that finds and connects LE peripherals: the kernel's, or the virtual one.
public protocol Radio: Sendable {
  /// All adapters that this radio has, in index order.
  func adapters() async throws(RadioError) -> [Adapter]

  /// Yields whenever an adapter may have come, gone, or been switched on, off or blocked; then
  /// ``adapters()`` and ``connect(to:timeout:)`` tell anew.
  ///
  /// Finished at once by a radio that cannot tell; nothing wakes while nothing changes.
  func adapterChanges() -> AsyncStream<Void>

  /// The adapter's links of every kind: as they are, then at each change.
  ///
  /// Finished when the adapter goes, and at once by a radio that cannot tell; nothing wakes while
  /// nothing changes.
  func links() -> AsyncStream<[RadioLink]>

  /// Reports advertisements until the stream's consumer ends it or `options.duration` has passed.
  ///
  /// The stream throws `RadioError` only.
  func scan(_ options: ScanOptions) -> AsyncThrowingStream<DiscoveredPeripheral, any Error>

  /// Connects ATT's fixed channel (CID 0x0004) to a peripheral.
  ///
  /// Cancelling the task cancels the attempt for real, at once.
  func connect(to peer: PeerAddress, timeout: Duration) async throws(RadioError) -> any Bearer

  /// Connects a channel of BR/EDR, which is where a headphone's audio side is.
  ///
  /// Cancelling the task cancels the attempt for real, at once.
  func connect(
    to address: BluetoothAddress, psm: UInt16, timeout: Duration
  ) async throws(RadioError) -> any Bearer

  /// Connects the serial channel (RFCOMM) of a service of BR/EDR, on a link that is up: nobody is
  /// called who is not there.
  ///
  /// What comes is a stream: a PDU of the bearer is a part of it. Cancelling the task cancels the
  /// attempt for real.
  ///
  /// - Returns: nil where there is no such link, or the device has no such service.
  func connect(
    to address: BluetoothAddress, service: BluetoothUUID, timeout: Duration
  ) async throws(RadioError) -> (any Bearer)?

  /// Pairs the audio side of a headphone, over BR/EDR; what is asked is asked at the radio's desk.
  ///
  /// The LE side pairs by ``Bearer/raiseSecurity(to:)`` on its link.
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

  /// Drops the keys of a device, here and in the kernel, and ends its links.
  ///
  /// - Throws: `.noAgent` where bluetoothd owns the keys.
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

  /// A radio that cannot tell.
  public func links() -> AsyncStream<[RadioLink]> { AsyncStream { $0.finish() } }

  /// An adapter that never changes.
  public func adapterChanges() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}

/// An adapter as a person tells it from others.
public struct Adapter: Hashable, Sendable {
  /// "hci0", or "virtual".
  public var name: String
  /// The public address, by which bonds belong to the adapter.
  public var address: BluetoothAddress
  public var isPowered: Bool
  /// A radio switch (rfkill) keeps it off.
  public var isBlocked: Bool
  /// No hardware: its headphones are programs.
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

/// What to look for.
public struct ScanOptions: Hashable, Sendable {
  /// A peripheral passes if it advertises one of these, as a service or as service data; empty:
  /// all.
  public var services: Set<BluetoothUUID>
  /// A peripheral also passes if it matches one of these.
  public var patterns: Set<AdvertisingPattern>
  /// Weaker peripherals are left out; dBm.
  ///
  /// One whose RSSI is not known passes.
  public var rssiFloor: Int8
  /// A part of the name, without regard to case; nil: any.
  public var name: String?
  /// How long to scan; nil: until cancelled.
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

/// A peripheral that was heard: its advertisement and scan response merged; or a device whose
/// BR/EDR link is up, by what it says of itself there.
public struct DiscoveredPeripheral: Hashable, Sendable {
  /// The address that it uses now, which may be private and change.
  public var peer: PeerAddress
  /// dBm; nil if the controller does not tell (127).
  public var rssi: Int8?
  /// What it says of itself in advertisements and scan responses; of a BR/EDR device, nothing.
  public var data: AdvertisingData
  /// Whether it takes a connection now; always true for a device of BR/EDR.
  public var isConnectable: Bool
  /// What service discovery over BR/EDR told; nil: it was heard over LE.
  public var product: ProductID?
  /// The address of its BR/EDR side, where the device was found on both; nil: not known.
  public var audioAddress: BluetoothAddress?

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
