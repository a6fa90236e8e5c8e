public import BluetoothCodec
public import BluetoothRadio

/// A radio that cooperates with bluetoothd, which owns discovery, pairing, power and sound.
///
/// | task | by bluetoothd | by the wrapped radio |
/// | --- | --- | --- |
/// | adapters, links | | always |
/// | discovery | if it runs, BR/EDR too | else |
/// | LE link | if it holds the ATT channel already | else |
/// | pairing over LE | asks its agent | the link's security |
/// | pairing over BR/EDR, power, removal | if it runs | else |
/// | audio profiles | always | |
///
/// ```swift
/// let client = BlueZClient(address: bus, adapter: nil, agent: agent)
/// let radio = BlueZRadio(over: LinuxRadio(adapter: nil), client: client)
/// ```
public struct BlueZRadio: ForwardingRadio {
  public let base: any Radio
  private let client: BlueZClient

  public init(over base: any Radio, client: BlueZClient) {
    self.base = base
    self.client = client
  }

  public func scan(_ options: ScanOptions) -> AsyncThrowingStream<DiscoveredPeripheral, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(Self.resultLimit)) { found in
      let scanning = Task {
        if await client.isPresent { return await client.scan(options, into: found) }
        do {
          for try await result in base.scan(options) { found.yield(result) }
          found.finish()
        } catch {
          let error = error as? RadioError ?? .cancelled
          if case .notPermitted = error, await client.isPresent {
            return await client.scan(options, into: found)
          }
          found.finish(throwing: await client.explained(error))
        }
      }
      found.onTermination = { _ in scanning.cancel() }
    }
  }

  public func scanObstacle() async -> RadioError? { await client.scanObstacle }

  /// The number of results that wait for a slow consumer; older ones are dropped.
  private static let resultLimit = 256

  /// Connects through the kernel while this program's discovery pauses.
  ///
  /// A bonded device is reached by its identity address. If bluetoothd holds the headphone's ATT
  /// channel, the bearer uses bluetoothd's GATT objects; `busy` if these are not exported.
  public func connect(
    to peer: PeerAddress, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    let peer = await client.identity(of: peer)
    await client.awaitEnd(of: peer, among: base.links())
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
        let isUnresponsive = await client.isUnresponsive
        result = .failure(
          isUnresponsive
            ? .bluetoothdUnresponsive(during: "connecting")
            : .busy(
              isHeld ? "bluetoothd or another program holds the link to this headphone" : words))
      }
    } catch {
      result = .failure(error)
    }
    await client.resumeDiscovery()
    return try result.get()
  }

  /// Returns the service records that bluetoothd has read, or queries them if it has none.
  public func serviceRecords(
    of address: BluetoothAddress
  ) async throws(RadioError) -> ServiceRecords {
    if let records = await client.serviceRecords(of: address) { return records }
    return try await base.serviceRecords(of: address)
  }

  public func pairAudio(_ address: BluetoothAddress) async throws(SecurityFailure) {
    guard try await client.keepsKeys else { return try await base.pairAudio(address) }
    try await client.pair(PeerAddress(address, .classic))
  }

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

  public func disconnectAudio(
    _ address: BluetoothAddress, isControlled: Bool
  ) async throws(AudioLinkError) {
    try await client.disconnectAudio(address) { [base] in
      guard !isControlled else { return false }
      for await links in base.links() {
        // An LE link may have a private address, so it may belong to any headphone.
        return !links.contains { $0.kind == .le }
          && links.contains { $0.kind == .acl && $0.address == address }
      }
      return false
    }
  }

  public func deviceNews() -> AsyncStream<DeviceNews> {
    let (news, stream) = AsyncStream.makeStream(of: DeviceNews.self)
    Task { await client.follow(into: stream) }
    return news
  }

  public func shareCharges(_ charges: [HeadphoneCharge]) async { await client.share(charges) }

  public func offerPlayer(_ offer: PlayerOffer) async { await client.offer(offer) }

  /// Switches the adapter through bluetoothd, which permits that to every user, or else the base.
  public func setPower(_ isOn: Bool) async throws(RadioError) {
    guard await client.isPresent else {
      do throws(RadioError) {
        return try await base.setPower(isOn)
      } catch {
        throw await client.explained(error)
      }
    }
    try await client.setPower(isOn)
  }

  public func identity(of peer: PeerAddress) async -> PeerAddress {
    await client.identity(of: peer)
  }

  /// Removes the device from bluetoothd, or from the kernel if bluetoothd does not run.
  public func unpair(_ identity: PeerAddress) async throws(SecurityFailure) {
    guard try await client.keepsKeys else { return try await base.unpair(identity) }
    try await client.remove(identity.address)
  }
}

private struct BlueZBearer: ForwardingBearer {
  let base: any Bearer
  let peer: PeerAddress
  let client: BlueZClient

  var transport: any Bearer { base.transport }

  func raiseSecurity(to level: SecurityLevel) async throws(SecurityFailure) {
    guard await base.security < level else { return }
    guard try await client.mayProtect(peer) else { throw .unattended }
    try await client.securing(peer) {
      base.close(.localHost)
    } _: { () throws(SecurityFailure) in
      try await base.raiseSecurity(to: level)
    }
  }
}
