public import BluetoothCodec

/// An adapter that discovers, connects and pairs headphones: the kernel's, or the virtual one.
///
/// ```swift
/// for try await found in radio.scan(ScanOptions(duration: .seconds(5))) {
///   print(found.peer.address, found.data.localName ?? "unnamed", found.rssi ?? 0, "dBm")
/// }
/// let bearer = try await radio.connect(to: peer, timeout: .seconds(10))
/// try await bearer.raiseSecurity(to: .medium)
/// ```
///
/// BR/EDR, bluetoothd and power are optional: the defaults below throw, or report nothing.
public protocol Radio: Sendable {
  /// All adapters of this radio, in index order.
  ///
  /// - Throws: `noAdapter`, `notPermitted`, `system`.
  func adapters() async throws(RadioError) -> [Adapter]

  /// Yields whenever an adapter may have been added, removed, switched on or off, or blocked.
  ///
  /// ``adapters()`` then gives the new state. The stream ends at once for a radio that cannot
  /// observe it, and wakes nothing while nothing changes.
  func adapterChanges() -> AsyncStream<Void>

  /// The adapter's links of every kind: the current ones, and then all of them at each change.
  ///
  /// The stream ends when the adapter is removed, and at once for a radio that cannot observe it.
  /// It wakes nothing while nothing changes.
  func links() -> AsyncStream<[RadioLink]>

  /// Reports advertisements until the consumer stops or `options.duration` has passed.
  ///
  /// - Parameter options: which peripherals to report, and for how long.
  /// - Returns: a peripheral at each change; the stream throws ``RadioError`` only.
  func scan(_ options: ScanOptions) -> AsyncThrowingStream<DiscoveredPeripheral, any Error>

  /// Connects ATT's fixed channel (CID 0x0004) to a peripheral.
  ///
  /// Cancelling the task cancels the attempt in the controller at once.
  ///
  /// - Parameters:
  ///   - peer: the address that the peripheral uses now, and its type.
  ///   - timeout: the time for the attempt.
  /// - Returns: an open bearer, with the security of the link as it is.
  /// - Throws: `timedOut`, `refused`, `cancelled`, or what keeps the adapter from connecting.
  func connect(to peer: PeerAddress, timeout: Duration) async throws(RadioError) -> any Bearer

  /// Connects an L2CAP channel over BR/EDR, the transport of a headphone's audio.
  ///
  /// Cancelling the task cancels the attempt in the controller at once.
  ///
  /// - Parameters:
  ///   - address: the public address of the device.
  ///   - psm: the protocol of the channel, odd (Core 5.4, Vol 3, Part A, 4.2).
  ///   - timeout: the time for the attempt.
  /// - Throws: as ``connect(to:timeout:)``.
  func connect(
    to address: BluetoothAddress, psm: UInt16, timeout: Duration
  ) async throws(RadioError) -> any Bearer

  /// Connects the serial channel (RFCOMM) of a service, on a BR/EDR link that exists; never pages a
  /// device.
  ///
  /// The channel is a byte stream: a PDU of the bearer is any part of it. Cancelling the task
  /// cancels the attempt.
  ///
  /// - Parameters:
  ///   - address: the public address of the device.
  ///   - service: the UUID of the service record that names the channel.
  ///   - channel: the channel's number, 1 to 30, where no record names it; `nil` to look it up.
  ///   - timeout: the time for service discovery and the attempt.
  /// - Returns: `nil` if there is no such link, or the device has no such service.
  /// - Throws: as ``connect(to:timeout:)``.
  func connect(
    to address: BluetoothAddress, service: BluetoothUUID, channel: UInt8?, timeout: Duration
  ) async throws(RadioError) -> (any Bearer)?

  /// Discovers a device's services on serial channels and its Device ID, over BR/EDR (SDP).
  ///
  /// - Parameter address: the public address of the device.
  /// - Throws: as ``connect(to:timeout:)``.
  func serviceRecords(of address: BluetoothAddress) async throws(RadioError) -> ServiceRecords

  /// Pairs the audio side of a headphone over BR/EDR; questions go to the radio's ``PairingAgent``.
  ///
  /// The LE side pairs by ``Bearer/raiseSecurity(to:)`` on its link.
  ///
  /// - Parameter address: the public address of the device.
  /// - Throws: the reason why it is not paired.
  func pairAudio(_ address: BluetoothAddress) async throws(SecurityFailure)

  /// Connects a headphone's sound: the BR/EDR link and its audio profiles.
  ///
  /// Returns when bluetoothd has the audio transport; the device of the sound server follows
  /// shortly after.
  ///
  /// - Parameter address: the public address of the headphone.
  /// - Throws: the reason why there is no sound.
  func connectAudio(_ address: BluetoothAddress) async throws(AudioLinkError)

  /// Disconnects a headphone's audio profiles, and its BR/EDR link where nothing else needs it.
  ///
  /// A sound server may keep the channel for calls open, which then ends with the link.
  ///
  /// - Parameters:
  ///   - address: the public address of the headphone.
  ///   - isControlled: whether this program has a control link, which must stay.
  /// - Throws: the reason why the sound stays.
  func disconnectAudio(
    _ address: BluetoothAddress, isControlled: Bool
  ) async throws(AudioLinkError)

  /// Why scans are in vain now though they have not failed; nil: they are not, as far as is known.
  func scanObstacle() async -> RadioError?

  /// The changes of devices that are not visible on a link: the present charges, then each change.
  ///
  /// The stream is for one consumer, and ends at once on a radio without bluetoothd. Nothing wakes
  /// the process while nothing changes.
  func deviceNews() -> AsyncStream<DeviceNews>

  /// Provides the charges of these headphones to the desktop, and withdraws all others.
  ///
  /// A charge for which the desktop has a better source is left out.
  func shareCharges(_ charges: [HeadphoneCharge]) async

  /// Offers headphones a media player for their keys, or withdraws it; returns when that is done.
  ///
  /// The keys arrive as ``DeviceNews/key(_:)``.
  func offerPlayer(_ offer: PlayerOffer) async

  /// Switches the adapter that the radio uses on or off.
  func setPower(_ isOn: Bool) async throws(RadioError)

  /// The identity address that another program's pairing has revealed of a device with a private
  /// address; the address itself if there is none.
  func identity(of peer: PeerAddress) async -> PeerAddress

  /// Removes the keys of a device, here and in the kernel, and ends its links.
  ///
  /// - Parameter identity: its identity address.
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
    to address: BluetoothAddress, service: BluetoothUUID, channel: UInt8?, timeout: Duration
  ) async throws(RadioError) -> (any Bearer)? { nil }

  /// Connects the serial channel that a service record names.
  public func connect(
    to address: BluetoothAddress, service: BluetoothUUID, timeout: Duration
  ) async throws(RadioError) -> (any Bearer)? {
    try await connect(to: address, service: service, channel: nil, timeout: timeout)
  }

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
  public func disconnectAudio(
    _ address: BluetoothAddress, isControlled: Bool
  ) async throws(AudioLinkError) {
    throw .noBluetoothd
  }

  /// A radio whose scans fail by themselves.
  public func scanObstacle() async -> RadioError? { nil }

  /// A radio without bluetoothd.
  public func deviceNews() -> AsyncStream<DeviceNews> { AsyncStream { $0.finish() } }

  /// A radio without bluetoothd.
  public func shareCharges(_ charges: [HeadphoneCharge]) async {}

  /// A radio without bluetoothd.
  public func offerPlayer(_ offer: PlayerOffer) async {}

  /// A radio whose adapter has no switch.
  public func setPower(_ isOn: Bool) async throws(RadioError) {
    throw .notPermitted(operation: "switching the adapter", capability: "CAP_NET_ADMIN")
  }

  /// A radio beside which no other program pairs.
  public func identity(of peer: PeerAddress) async -> PeerAddress { peer }

  /// A radio that keeps no keys.
  public func unpair(_ identity: PeerAddress) async throws(SecurityFailure) {}

  /// A radio that cannot observe links.
  public func links() -> AsyncStream<[RadioLink]> { AsyncStream { $0.finish() } }

  /// An adapter that never changes.
  public func adapterChanges() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}

/// A change of a device that bluetoothd or another program on this computer has caused or learned.
public enum DeviceNews: Hashable, Sendable {
  /// The charge of a device in percent, one figure for all its parts; `nil` if it is unknown again.
  case charge(BluetoothAddress, UInt8?)
  /// Another program has removed the device with its keys.
  case removed(BluetoothAddress)
  /// bluetoothd runs from now on: what failed without it can be tried again.
  case bluetoothdStarted
  /// A key of some headphone was pressed; which headphone's is not known.
  case key(PlayerKey)
  /// Whether headphones see the player that was offered.
  case playerRegistration(PlayerRegistration)
}

/// The charge of a headphone, for display on the desktop.
public struct HeadphoneCharge: Hashable, Sendable {
  /// The addresses under which the headphone may be known, the most reliable first.
  public var addresses: [BluetoothAddress]
  /// The charge in percent, 0 to 100, of the bud that runs out first.
  public var percent: UInt8

  public init(addresses: [BluetoothAddress], percent: UInt8) {
    self.addresses = addresses
    self.percent = percent
  }
}

/// What the service records of a device say of its controls.
public struct ServiceRecords: Hashable, Sendable {
  /// The services on serial channels (RFCOMM), in the order of their records.
  public var serialServices: [BluetoothUUID]
  /// The Device ID record; `nil` without one whose vendor the Bluetooth SIG assigned.
  public var product: ProductID?

  public init(serialServices: [BluetoothUUID] = [], product: ProductID? = nil) {
    self.serialServices = serialServices
    self.product = product
  }
}

/// A Bluetooth adapter.
public struct Adapter: Hashable, Sendable {
  /// The name, "hci0" or "virtual".
  public var name: String
  /// The public address, to which bonds belong.
  public var address: BluetoothAddress
  /// Whether the adapter is switched on.
  public var isPowered: Bool
  /// Whether rfkill keeps it off.
  public var isBlocked: Bool
  /// Whether its headphones are virtual ones.
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
///
/// ```swift
/// let options = ScanOptions(services: [.bit16(0x180F)], rssiFloor: -70, duration: .seconds(10))
/// ```
public struct ScanOptions: Hashable, Sendable {
  /// The services of which a peripheral must advertise one, as a service or as service data.
  ///
  /// If this and ``patterns`` are empty, every peripheral passes.
  public var services: Set<BluetoothUUID>
  /// A peripheral also passes if it matches one of these.
  public var patterns: Set<AdvertisingPattern>
  /// The lowest RSSI that passes, in dBm; a peripheral with an unknown RSSI passes.
  public var rssiFloor: Int8
  /// A part of the name, case-insensitive; `nil` for any name.
  public var name: String?
  /// The time to scan; `nil` until cancelled.
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

/// A discovered peripheral: its advertisement and scan response merged, or a connected BR/EDR
/// device as its service records describe it.
public struct DiscoveredPeripheral: Hashable, Sendable {
  /// The address that it uses now; a private one changes.
  public var peer: PeerAddress
  /// The signal strength in dBm; `nil` if the controller does not report it (127).
  public var rssi: Int8?
  /// Its advertisement and scan response; empty for a BR/EDR device.
  public var data: AdvertisingData
  /// Whether it accepts connections now; always true for a BR/EDR device.
  public var isConnectable: Bool
  /// Its Device ID record from service discovery; `nil` if it was discovered over LE.
  public var product: ProductID?
  /// The address of its BR/EDR side, if the device was discovered on both transports.
  public var audioAddress: BluetoothAddress?
  /// Whether only its class of device marks it as a headphone: it plays sound and has no known
  /// controls.
  public var isAudioOnly = false
  /// The advertising set (SID), 0 to 15; `nil` if there is none, or it is not reported.
  public var advertisingSet: UInt8?
  /// The interval of periodic advertising in units of 1.25 ms; 0 without it, or if it is not
  /// reported.
  public var periodicInterval: UInt16 = 0

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
