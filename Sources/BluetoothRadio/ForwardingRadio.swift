public import BluetoothCodec

/// A radio that forwards to another radio whatever it does not implement.
public protocol ForwardingRadio: Radio {
  /// The radio to forward to.
  var base: any Radio { get }
}

extension ForwardingRadio {
  public func adapters() async throws(RadioError) -> [Adapter] { try await base.adapters() }

  public func adapterChanges() -> AsyncStream<Void> { base.adapterChanges() }

  public func links() -> AsyncStream<[RadioLink]> { base.links() }

  public func scan(_ options: ScanOptions) -> AsyncThrowingStream<DiscoveredPeripheral, any Error> {
    base.scan(options)
  }

  public func scanObstacle() async -> RadioError? { await base.scanObstacle() }

  public func connect(
    to peer: PeerAddress, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    try await base.connect(to: peer, timeout: timeout)
  }

  public func connect(
    to address: BluetoothAddress, psm: UInt16, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    try await base.connect(to: address, psm: psm, timeout: timeout)
  }

  public func connect(
    to address: BluetoothAddress, service: BluetoothUUID, channel: UInt8?, timeout: Duration
  ) async throws(RadioError) -> (any Bearer)? {
    try await base.connect(to: address, service: service, channel: channel, timeout: timeout)
  }

  public func serialChannels(
    of address: BluetoothAddress, service: BluetoothUUID
  ) async throws(RadioError) -> [UInt8] {
    try await base.serialChannels(of: address, service: service)
  }

  public func serviceRecords(
    of address: BluetoothAddress
  ) async throws(RadioError) -> ServiceRecords {
    try await base.serviceRecords(of: address)
  }

  public func protection(of address: BluetoothAddress) async -> LinkProtection? {
    await base.protection(of: address)
  }

  public func pairAudio(_ address: BluetoothAddress) async throws(SecurityFailure) {
    try await base.pairAudio(address)
  }

  public func connectAudio(_ address: BluetoothAddress) async throws(AudioLinkError) {
    try await base.connectAudio(address)
  }

  public func disconnectAudio(
    _ address: BluetoothAddress, isControlled: Bool
  ) async throws(AudioLinkError) {
    try await base.disconnectAudio(address, isControlled: isControlled)
  }

  public func deviceNews() -> AsyncStream<DeviceNews> { base.deviceNews() }

  public func shareCharges(_ charges: [HeadphoneCharge]) async { await base.shareCharges(charges) }

  public func offerPlayer(_ offer: PlayerOffer) async { await base.offerPlayer(offer) }

  public func setPower(_ isOn: Bool) async throws(RadioError) { try await base.setPower(isOn) }

  public func identity(of peer: PeerAddress) async -> PeerAddress {
    await base.identity(of: peer)
  }

  public func unpair(_ identity: PeerAddress) async throws(SecurityFailure) {
    try await base.unpair(identity)
  }
}
