public import Bluetooth
public import BluetoothCodec

/// A radio that works beside bluetoothd: discovery, pairing, power and sound are bluetoothd's, and
/// need no capability; links are made by the radio below.
///
/// Where bluetoothd does not run everything is left to the radio below.
public struct BlueZRadio: Radio {
  private let base: any Radio
  private let client: BlueZClient
  private let discovers: Bool

  /// - Parameters:
  ///   - base: the kernel's radio.
  ///   - discovers: whether bluetoothd's discovery is used, which needs no capability. The kernel's
  ///     own scan reports advertisements sooner where the process may use it.
  public init(over base: any Radio, client: BlueZClient, discovers: Bool = true) {
    self.base = base
    self.client = client
    self.discovers = discovers
  }

  /// The kernel's adapters, which are more detailed than bluetoothd's.
  public func adapters() async throws(RadioError) -> [Adapter] { try await base.adapters() }

  /// The kernel's.
  public func adapterChanges() -> AsyncStream<Void> { base.adapterChanges() }

  /// The kernel's.
  public func links() -> AsyncStream<[RadioLink]> { base.links() }

  /// Discovery by bluetoothd, or by the wrapped radio where that is permitted or bluetoothd is absent.
  ///
  /// Devices that are connected are identified by what bluetoothd has read of them.
  public func scan(_ options: ScanOptions) -> AsyncThrowingStream<DiscoveredPeripheral, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(Self.resultLimit)) { found in
      let scanning = Task {
        guard discovers, await client.isPresent else {
          let connected = Task { await client.reportConnected(options, into: found) }
          defer { connected.cancel() }
          do {
            for try await result in base.scan(options) { found.yield(result) }
            found.finish()
          } catch {
            found.finish(throwing: error)
          }
          return
        }
        await client.scan(options, into: found)
      }
      found.onTermination = { _ in scanning.cancel() }
    }
  }

  /// Results that wait for a slow consumer; older ones are dropped.
  private static let resultLimit = 256

  /// Connects through the kernel, while this program's discovery rests; where bluetoothd holds the
  /// headphone's ATT channel, through its objects.
  ///
  /// - Throws: `busy` where bluetoothd holds it and does not show its attributes.
  public func connect(
    to peer: PeerAddress, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    await client.pauseDiscovery()
    let result: Result<any Bearer, RadioError>
    do throws(RadioError) {
      result = .success(
        BlueZBearer(
          base: try await base.connect(to: peer, timeout: timeout), peer: peer, client: client))
    } catch .busy(let words) {
      if let bearer = await RemoteBearer.open(peer, through: client) {
        result = .success(bearer)
      } else {
        let isHeld = await client.isPresent
        result = .failure(
          .busy(isHeld ? "bluetoothd holds the control link to this headphone" : words))
      }
    } catch {
      result = .failure(error)
    }
    await client.resumeDiscovery()
    return try result.get()
  }

  /// Connects through the kernel, while this program's discovery rests.
  public func connect(
    to address: BluetoothAddress, psm: UInt16, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    try await base.connect(to: address, psm: psm, timeout: timeout)
  }

  /// Through the kernel.
  public func connect(
    to address: BluetoothAddress, service: BluetoothUUID, timeout: Duration
  ) async throws(RadioError) -> (any Bearer)? {
    try await base.connect(to: address, service: service, timeout: timeout)
  }

  /// As bluetoothd has read them: a headphone may answer one client of service discovery alone.
  public func serviceRecords(
    of address: BluetoothAddress
  ) async throws(RadioError) -> ServiceRecords {
    if let records = await client.serviceRecords(of: address) { return records }
    return try await base.serviceRecords(of: address)
  }

  /// Pairs through bluetoothd, which keeps the key, with this program's agent.
  public func pairAudio(_ address: BluetoothAddress) async throws(SecurityFailure) {
    guard await client.isPresent else { return try await base.pairAudio(address) }
    try await client.pair(PeerAddress(address, .classic))
  }

  /// Connects the sound through bluetoothd.
  public func connectAudio(_ address: BluetoothAddress) async throws(AudioLinkError) {
    try await client.connectAudio(address) { [base] in
      for await links in base.links() {
        return links.contains {
          $0.kind == .acl && $0.state == .connected && $0.address == address
        }
      }
      return false
    }
  }

  /// Disconnects the sound through bluetoothd.
  public func disconnectAudio(_ address: BluetoothAddress) async throws(AudioLinkError) {
    try await client.disconnectAudio(address)
  }

  /// Switches through bluetoothd, which lets anyone.
  public func setPower(_ isOn: Bool) async throws(RadioError) {
    guard await client.isPresent else { return try await base.setPower(isOn) }
    try await client.setPower(isOn)
  }

  /// Removes the device from bluetoothd, which keeps the keys; without it from the kernel.
  public func unpair(_ identity: PeerAddress) async throws(SecurityFailure) {
    guard await client.isPresent else { return try await base.unpair(identity) }
    try await client.remove(identity.address)
  }
}

/// A link of the kernel's whose pairings this program's agent answers.
private struct BlueZBearer: ForwardingBearer {
  let base: any Bearer
  let peer: PeerAddress
  let client: BlueZClient

  func raiseSecurity(to level: SecurityLevel) async throws(SecurityFailure) {
    guard await base.security < level else { return }
    try await client.securing(peer) { () throws(SecurityFailure) in
      try await base.raiseSecurity(to: level)
    }
  }
}
