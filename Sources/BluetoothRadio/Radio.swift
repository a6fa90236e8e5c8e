public import BluetoothCodec

/// An adapter that discovers, connects and pairs headphones, real or virtual.
///
/// BR/EDR, bluetoothd and power are optional: the default implementations throw or report nothing.
///
/// ```swift
/// for try await found in radio.scan(ScanOptions(duration: .seconds(5))) {
///   print(found.peer.address, found.data.localName ?? "unnamed", found.rssi ?? 0, "dBm")
/// }
/// let bearer = try await radio.connect(to: peer, timeout: .seconds(10))
/// try await bearer.raiseSecurity(to: .medium)
/// ```
public protocol Radio: Sendable {
  /// Returns all adapters, in index order; throws `noAdapter`, `notPermitted` or `system`.
  func adapters() async throws(RadioError) -> [Adapter]

  /// Returns a stream that yields when an adapter may have been added, removed or switched.
  ///
  /// The stream ends at once if changes cannot be observed.
  func adapterChanges() -> AsyncStream<Void>

  /// Returns a stream of all links of the adapter: the current ones, then all at each change.
  ///
  /// The stream ends when the adapter is removed, and at once if links cannot be observed.
  func links() -> AsyncStream<[RadioLink]>

  /// Yields a peripheral at each change until the consumer stops or `options.duration` has passed.
  ///
  /// The stream throws ``RadioError`` only.
  func scan(_ options: ScanOptions) -> AsyncThrowingStream<DiscoveredPeripheral, any Error>

  /// Connects ATT's fixed channel (CID 0x0004) to the address that a peripheral uses now.
  ///
  /// Cancelling the task cancels the attempt in the controller at once.
  ///
  /// - Throws: `timedOut`, `refused`, `cancelled`, or what keeps the adapter from connecting.
  func connect(to peer: PeerAddress, timeout: Duration) async throws(RadioError) -> any Bearer

  /// Connects an L2CAP channel with an odd PSM over BR/EDR, the transport of a headphone's audio.
  ///
  /// Cancelling the task cancels the attempt in the controller at once.
  func connect(
    to address: BluetoothAddress, psm: UInt16, timeout: Duration
  ) async throws(RadioError) -> any Bearer

  /// Connects the serial channel (RFCOMM) of a service on an existing BR/EDR link, without paging.
  ///
  /// A PDU of the bearer is any part of the byte stream. The result is nil if there is no such link
  /// or the device has no such service.
  ///
  /// - Parameter channel: 1 to 30 if no service record names the channel, or nil to look it up.
  func connect(
    to address: BluetoothAddress, service: BluetoothUUID, channel: UInt8?, timeout: Duration
  ) async throws(RadioError) -> (any Bearer)?

  /// Returns the distinct numbers of a service's serial channels, in the order of its records.
  func serialChannels(
    of address: BluetoothAddress, service: BluetoothUUID
  ) async throws(RadioError) -> [UInt8]

  /// Discovers a device's services on serial channels and its Device ID over BR/EDR (SDP).
  func serviceRecords(of address: BluetoothAddress) async throws(RadioError) -> ServiceRecords

  /// Returns the protection of a BR/EDR link that any program made, or nil if there is none known.
  func protection(of address: BluetoothAddress) async -> LinkProtection?

  /// Pairs the audio side of a headphone over BR/EDR; the radio's ``PairingAgent`` asks the user.
  func pairAudio(_ address: BluetoothAddress) async throws(SecurityFailure)

  /// Connects a headphone's sound: the BR/EDR link and its audio profiles.
  ///
  /// Returns when bluetoothd has the audio transport; the sound server's device follows.
  func connectAudio(_ address: BluetoothAddress) async throws(AudioLinkError)

  /// Disconnects a headphone's audio profiles, and its BR/EDR link if nothing else needs the link.
  ///
  /// A sound server may keep the channel for calls open until the link ends.
  ///
  /// - Parameter isControlled: whether this program has a control link, which must stay.
  func disconnectAudio(
    _ address: BluetoothAddress, isControlled: Bool
  ) async throws(AudioLinkError)

  /// Returns why scans find nothing although they do not fail, or nil if no reason is known.
  func scanObstacle() async -> RadioError?

  /// Returns a stream of device changes that no link shows: the current charges, then each change.
  ///
  /// The stream is for one consumer, and ends at once for a radio without bluetoothd.
  func deviceNews() -> AsyncStream<DeviceNews>

  /// Provides these charges to the desktop, unless it has better sources, and withdraws others.
  func shareCharges(_ charges: [HeadphoneCharge]) async

  /// Offers headphones a media player for their keys, or withdraws it, and waits for completion.
  ///
  /// The keys arrive as ``DeviceNews/key(_:)``.
  func offerPlayer(_ offer: PlayerOffer) async

  /// Switches the adapter that the radio uses on or off.
  func setPower(_ isOn: Bool) async throws(RadioError)

  /// Returns the identity address that another program's pairing revealed, or else the same
  /// address.
  func identity(of peer: PeerAddress) async -> PeerAddress

  /// Removes a device's keys and ends its links; throws `.noAgent` if bluetoothd owns the keys.
  func unpair(_ identity: PeerAddress) async throws(SecurityFailure)
}

extension Radio {
  /// Returns nil, as a radio without BR/EDR.
  public func protection(of address: BluetoothAddress) async -> LinkProtection? { nil }

  /// Throws `.refused`, as a radio without BR/EDR.
  public func connect(
    to address: BluetoothAddress, psm: UInt16, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    throw .refused
  }

  /// Returns nil, as a radio without BR/EDR.
  public func connect(
    to address: BluetoothAddress, service: BluetoothUUID, channel: UInt8?, timeout: Duration
  ) async throws(RadioError) -> (any Bearer)? { nil }

  /// Connects the serial channel that a service record names.
  public func connect(
    to address: BluetoothAddress, service: BluetoothUUID, timeout: Duration
  ) async throws(RadioError) -> (any Bearer)? {
    try await connect(to: address, service: service, channel: nil, timeout: timeout)
  }

  /// Returns no channels.
  public func serialChannels(
    of address: BluetoothAddress, service: BluetoothUUID
  ) async throws(RadioError) -> [UInt8] { [] }

  /// Returns no records, as a radio without BR/EDR.
  public func serviceRecords(
    of address: BluetoothAddress
  ) async throws(RadioError) -> ServiceRecords { ServiceRecords() }

  /// Throws `.unsupported`, as a radio without BR/EDR.
  public func pairAudio(_ address: BluetoothAddress) async throws(SecurityFailure) {
    throw .unsupported
  }

  /// Throws `.noBluetoothd`.
  public func connectAudio(_ address: BluetoothAddress) async throws(AudioLinkError) {
    throw .noBluetoothd
  }

  /// Throws `.noBluetoothd`.
  public func disconnectAudio(
    _ address: BluetoothAddress, isControlled: Bool
  ) async throws(AudioLinkError) {
    throw .noBluetoothd
  }

  /// Returns nil.
  public func scanObstacle() async -> RadioError? { nil }

  /// Returns a stream that ends at once.
  public func deviceNews() -> AsyncStream<DeviceNews> { AsyncStream { $0.finish() } }

  /// Does nothing.
  public func shareCharges(_ charges: [HeadphoneCharge]) async {}

  /// Does nothing.
  public func offerPlayer(_ offer: PlayerOffer) async {}

  /// Throws `.notPermitted`.
  public func setPower(_ isOn: Bool) async throws(RadioError) {
    throw .notPermitted(operation: "switching the adapter", capability: "CAP_NET_ADMIN")
  }

  /// Throws `.unsupported`.
  public func unpair(_ identity: PeerAddress) async throws(SecurityFailure) { throw .unsupported }

  /// Returns `peer`.
  public func identity(of peer: PeerAddress) async -> PeerAddress { peer }

  /// Returns a stream that ends at once.
  public func links() -> AsyncStream<[RadioLink]> { AsyncStream { $0.finish() } }

  /// Returns a stream that ends at once.
  public func adapterChanges() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}

/// A change that bluetoothd or another program has caused or learned of.
public enum DeviceNews: Hashable, Sendable {
  /// The charge of a device in percent, one value for all its parts, or nil if unknown again.
  case charge(BluetoothAddress, UInt8?)
  /// Another program removed the device and its keys.
  case removed(BluetoothAddress)
  /// bluetoothd has started, so what failed without it can be tried again.
  case bluetoothdStarted
  /// A key was pressed on one of the headphones; bluetoothd does not say which.
  case key(PlayerKey)
  case playerRegistration(PlayerRegistration)
}

/// The charge of a headphone, for display on the desktop.
public struct HeadphoneCharge: Hashable, Sendable {
  /// The addresses under which the headphone may be known, the most reliable first.
  public var addresses: [BluetoothAddress]
  /// The charge in percent, 0 to 100, of the earbud that runs out first.
  public var percent: UInt8

  public init(addresses: [BluetoothAddress], percent: UInt8) {
    self.addresses = addresses
    self.percent = percent
  }
}

/// The facts about a device's controls in its service records.
public struct ServiceRecords: Hashable, Sendable {
  /// The services on serial channels (RFCOMM), in the order of their records.
  public var serialServices: [BluetoothUUID]
  /// The Device ID record, or nil if there is none with a vendor of the Bluetooth SIG.
  public var product: ProductID?

  public init(serialServices: [BluetoothUUID] = [], product: ProductID? = nil) {
    self.serialServices = serialServices
    self.product = product
  }
}

/// A Bluetooth adapter.
public struct Adapter: Hashable, Sendable {
  /// The name: "hci0" or "virtual".
  public var name: String
  /// The public address, to which bonds belong.
  public var address: BluetoothAddress
  public var isPowered: Bool
  public var isBlocked: Bool
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
  /// The services of which a peripheral must advertise at least one, with or without service data.
  ///
  /// If this and ``patterns`` are empty, every peripheral passes.
  public var services: Set<BluetoothUUID>
  /// Patterns of which a peripheral may match one instead.
  public var patterns: Set<AdvertisingPattern>
  /// The lowest RSSI that passes, in dBm; an unknown RSSI passes.
  public var rssiFloor: Int8
  /// A part of the name, case-insensitive, or nil for any name.
  public var name: String?
  /// The time to scan, or nil to scan until cancelled.
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

/// A discovered peripheral, or a connected BR/EDR device as its service records describe it.
public struct DiscoveredPeripheral: Hashable, Sendable {
  /// The address that the peripheral uses now; a private one changes.
  public var peer: PeerAddress
  /// The signal strength in dBm, or nil if the controller does not report it (127).
  public var rssi: Int8?
  /// The advertisement and scan response, empty for a BR/EDR device.
  public var data: AdvertisingData
  /// Whether the peripheral accepts connections now; always true for a BR/EDR device.
  public var isConnectable: Bool
  /// The Device ID record from service discovery, or nil if the device was discovered over LE.
  public var product: ProductID?
  /// The address of the BR/EDR side, if the device was discovered on both transports.
  public var audioAddress: BluetoothAddress?
  /// Whether only the class of device marks it as a headphone: it has sound and no known controls.
  public var isAudioOnly = false
  /// The advertising set (SID), 0 to 15, or nil if there is none or it is not reported.
  public var advertisingSet: UInt8?
  /// The interval of periodic advertising in units of 1.25 ms, or 0 if there is none or unreported.
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
