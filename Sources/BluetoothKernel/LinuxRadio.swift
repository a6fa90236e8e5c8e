public import BluetoothCodec
public import BluetoothRadio
internal import CBluetooth
public import EventLoop
internal import Glibc

/// A radio on the kernel's own Bluetooth, with raw HCI, L2CAP and RFCOMM sockets.
///
/// | operation | requires |
/// | --- | --- |
/// | adapters, links, connections, service discovery | nothing |
/// | scanning | CAP_NET_RAW |
/// | pairing, removal of keys | CAP_NET_ADMIN, and no bluetoothd |
/// | connection parameters, PHYs, packet length | CAP_NET_RAW |
/// | power | CAP_NET_ADMIN |
///
/// The adapter is chosen for each call, so that one that is plugged in later is used.
///
/// ```swift
/// let radio = LinuxRadio(adapter: "hci0")
/// for try await found in radio.scan(ScanOptions(duration: .seconds(5))) {
///   let bearer = try await radio.connect(to: found.peer, timeout: .seconds(10))
///   print(await bearer.measure().rssi ?? 0, "dBm")
///   bearer.close(.user)
/// }
/// ```
public final class LinuxRadio: Radio {
  /// The number of results that wait for a slow consumer; older ones are dropped.
  private static let sightingsKept = 256

  private let choice: AdapterChoice
  private let loop: PollLoop
  private let clock: any Clock<Duration>
  private let notice: @Sendable (RadioWarning) -> Void
  private let bonds: any BondStore
  private let pairing: KernelPairing
  private let inquiries: SDPClient
  private let survey: ClassicDeviceProbe

  /// Creates a radio on the named adapter, else the first that is on; `notice` receives warnings.
  public init(
    adapter: String? = nil, loop: PollLoop = .shared,
    clock: any Clock<Duration> = ContinuousClock(), agent: PairingAgent = PairingAgent(),
    bonds: any BondStore = EmptyBondStore(),
    notice: @escaping @Sendable (RadioWarning) -> Void = { _ in }
  ) {
    choice = AdapterChoice(name: adapter)
    self.loop = loop
    self.clock = clock
    self.notice = notice
    self.bonds = bonds
    pairing = KernelPairing(agent: agent, bonds: bonds, loop: loop, notice: notice)
    let inquiries = SDPClient(loop: loop, clock: clock)
    self.inquiries = inquiries
    survey = ClassicDeviceProbe(loop: loop, clock: clock) { address, adapter throws(RadioError) in
      try await inquiries.serviceRecords(of: address, through: adapter)
    }
  }

  public func adapters() throws(RadioError) -> [Adapter] {
    let infos = try AdapterInfo.all()
    if infos.isEmpty { _ = try choice.choose(among: infos) }
    return infos.map { info in
      Adapter(
        name: info.name, address: info.address, isPowered: info.isPowered,
        isBlocked: choice.switches.isBlocked(info.name))
    }
  }

  /// Whether `adapter` is the one that is used when the user names none.
  public static func isDefault(_ adapter: String) -> Bool {
    (try? AdapterInfo.all()).map { AdapterChoice.isDefault(adapter, among: $0) } ?? false
  }

  public func adapterChanges() -> AsyncStream<Void> { AdapterChanges.stream(loop: loop) }

  public func links() -> AsyncStream<[RadioLink]> {
    guard let adapter = try? choice.choose() else { return AsyncStream { $0.finish() } }
    return ConnectionMonitor.stream(on: adapter, loop: loop)
  }

  /// Scans over LE, and queries connected BR/EDR devices for their services.
  ///
  /// Where bluetoothd runs, connected devices are not queried, as a headphone may serve only one
  /// client of service discovery.
  public func scan(_ options: ScanOptions) -> AsyncThrowingStream<DiscoveredPeripheral, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(Self.sightingsKept)) { found in
      do {
        let session = try ScanSession(
          choice, options: options, loop: loop, clock: clock,
          bonds: bonds, rule: pairing.rule, found: found, notice: notice)
        let task = Task { await session.run() }
        let asking = Task { [survey, choice, pairing] in
          guard await pairing.rule() != .daemon, let adapter = try? choice.choose() else { return }
          for await peripheral in survey.peripherals(on: adapter) where options.passes(peripheral) {
            found.yield(peripheral)
          }
        }
        found.onTermination = { termination in
          asking.cancel()
          guard case .cancelled = termination else { return }
          session.stop()
          task.cancel()
        }
      } catch {
        // Connected devices can be queried without the capability to scan.
        let asking = Task { [survey, choice, pairing] in
          let adapter = await pairing.rule() == .daemon ? nil : try? choice.choose()
          for peripheral in await survey.connected(to: adapter) where options.passes(peripheral) {
            found.yield(peripheral)
          }
          found.finish(throwing: error)
        }
        found.onTermination = { _ in asking.cancel() }
      }
    }
  }

  /// Connects ATT's fixed channel, after loading the keys of earlier runs into the kernel.
  public func connect(
    to peer: PeerAddress, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    guard peer.kind != .classic else { throw .refused }
    let adapter = try choice.choose()
    await pairing.prepare(adapter, for: peer)
    let scan = scanWhileConnecting()
    defer { scan.cancel() }
    return try await bearer(
      by: ConnectAttempt(to: peer, through: adapter), .attributes, adapter, timeout
    ) { [clock, pairing] bearer, level throws(SecurityFailure) in
      try await LinkSecurity.raise(bearer, to: level, of: peer, through: pairing, clock: clock)
    }
  }

  /// Starts a passive scan, for a kernel that does not scan for its connections itself.
  private func scanWhileConnecting() -> Task<Void, Never> {
    let reports = AsyncThrowingStream<DiscoveredPeripheral, any Error> { found in
      do {
        let session = try ScanSession(
          choice, for: .connection, options: ScanOptions(duration: nil), loop: loop, clock: clock,
          bonds: bonds, rule: pairing.rule, found: found, notice: { _ in })
        let task = Task { await session.run() }
        found.onTermination = { _ in
          session.stop()
          task.cancel()
        }
      } catch {
        found.finish()
      }
    }
    return Task {
      // Only the kernel uses the reports. Where this scan fails, connecting may still succeed.
      do { for try await _ in reports {} } catch {}
    }
  }

  /// Connects on an encrypted link, which pairs a device without a key if a user can be asked.
  public func connect(
    to address: BluetoothAddress, psm: UInt16, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    let adapter = try choice.choose()
    let peer = PeerAddress(address, .classic)
    await pairing.prepare(adapter, for: peer)
    try await checkConsent(to: peer, over: link(to: address, on: adapter))
    let attempt = try ConnectAttempt(to: address, psm: psm, through: adapter)
    // At a lower level the kernel would pair for this link only, and the key would be lost.
    attempt.protect(.medium)
    // If there is no key, connecting pairs.
    _ = await pairing.begin(peer)
    let outcome: Result<any Bearer, RadioError>
    do throws(RadioError) {
      outcome = .success(
        try await bearer(by: attempt, .classic(psm: psm), adapter, timeout) {
          bearer, level throws(SecurityFailure) in
          guard bearer.security >= level else { throw .unsupported }
        })
    } catch {
      outcome = .failure(error)
    }
    await pairing.finish(peer)
    return try outcome.get()
  }

  /// Connects on an encrypted link, which pairs a device without a key if a user can be asked.
  public func connect(
    to address: BluetoothAddress, service: BluetoothUUID, channel: UInt8?, timeout: Duration
  ) async throws(RadioError) -> (any Bearer)? {
    let adapter = try choice.choose()
    guard let link = try link(to: address, on: adapter) else { return nil }
    var number = channel
    if number == nil { number = try await serialChannels(of: address, service: service).first }
    guard let number else { return nil }
    let peer = PeerAddress(address, .classic)
    await pairing.prepare(adapter, for: peer)
    try await checkConsent(to: peer, over: link)
    let attempt = try ConnectAttempt(to: address, serial: number, through: adapter)
    attempt.protect(.medium)
    let descriptor = try await attempt.connect(within: timeout, loop: loop, clock: clock)
    do {
      return try SocketBearer(
        descriptor: descriptor, loop: loop,
        hooks: LinkCallbacks(
          security: { $0.withDescriptor(LinkSecurity.level) ?? .low },
          measure: { LinkQuality(protection: Self.protection(of: $0)) }),
        channel: .serial(service))
    } catch .system(let code, let call) {
      throw .system(errno: code, during: call)
    } catch {
      throw .cancelled
    }
  }

  private func link(
    to address: BluetoothAddress, on adapter: AdapterInfo
  ) throws(RadioError) -> RadioLink? {
    try connections(of: adapter.name).first {
      $0.kind == .acl && $0.state == .connected && $0.address == address
    }
  }

  /// Throws `unpaired` if a channel over this link would pair, and nobody can be asked whether to.
  private func checkConsent(
    to peer: PeerAddress, over link: RadioLink?
  ) async throws(RadioError) {
    if link?.isEncrypted == true { return }
    guard await pairing.mayProtect(peer, to: .medium) else { throw .unpaired }
  }

  public func serialChannels(
    of address: BluetoothAddress, service: BluetoothUUID
  ) async throws(RadioError) -> [UInt8] {
    let records = try await inquiries.records(of: address, through: try choice.choose()) {
      ServiceDiscovery.channel(for: service, transaction: $0)
    }
    return records.compactMap { SerialChannel([$0])?.number }.reduce(into: []) { numbers, number in
      if !numbers.contains(number) { numbers.append(number) }
    }
  }

  /// Returns the service records from two SDP transactions, or from an earlier query.
  public func serviceRecords(
    of address: BluetoothAddress
  ) async throws(RadioError) -> ServiceRecords {
    try await survey.records(of: address, through: try choice.choose())
  }

  /// Returns the protection of a BR/EDR link, from a channel to the device's SDP server.
  public func protection(of address: BluetoothAddress) async -> LinkProtection? {
    guard let adapter = try? choice.choose(), (try? link(to: address, on: adapter)) != nil else {
      return nil
    }
    return await inquiries.protection(of: address, through: adapter)
  }

  private static func protection(of bearer: SocketBearer) -> LinkProtection? {
    bearer.withDescriptor(LinkSecurity.protection) ?? nil
  }

  private func bearer(
    by attempt: ConnectAttempt, _ channel: LinkChannel, _ adapter: AdapterInfo,
    _ timeout: Duration,
    raiseSecurity:
      @escaping @Sendable (SocketBearer, SecurityLevel) async throws(SecurityFailure) -> Void
  ) async throws(RadioError) -> any Bearer {
    let watch = try HCILinkMonitor(adapter: adapter, loop: loop, clock: clock)
    let descriptor = try await attempt.connect(within: timeout, loop: loop, clock: clock)
    let info = SocketDescriptor.option(descriptor, SOL_L2CAP, L2CAP_CONNINFO, l2cap_conninfo())
    await watch.follow(info?.hci_handle)
    do {
      return try SocketBearer(
        descriptor: descriptor, loop: loop, hooks: Self.hooks(watch, channel, raiseSecurity),
        channel: channel)
    } catch .system(let code, let call) {
      throw .system(errno: code, during: call)
    } catch {
      throw .cancelled
    }
  }

  /// Pairs through the kernel's management socket for at most 45 s; cancelling the task ends it.
  public func pairAudio(_ address: BluetoothAddress) async throws(SecurityFailure) {
    try await pairing.pairAudio(address, on: try present(), by: clock)
  }

  public func setPower(_ isOn: Bool) async throws(RadioError) {
    guard let adapter = try choice.candidate(among: try AdapterInfo.all()) else {
      throw .noAdapter
    }
    try await pairing.setPower(isOn, of: adapter)
  }

  /// Removes the keys from the bonds and the kernel, or throws `noAgent` if bluetoothd owns them.
  public func unpair(_ identity: PeerAddress) async throws(SecurityFailure) {
    try await pairing.unpair(identity, on: try present())
  }

  private func present() throws(SecurityFailure) -> AdapterInfo {
    do throws(RadioError) {
      return try choice.choose()
    } catch {
      throw .closed(BearerClosed(.adapterGone))
    }
  }

  private static func hooks(
    _ watch: HCILinkMonitor, _ channel: LinkChannel,
    _ raiseSecurity:
      @escaping @Sendable (SocketBearer, SecurityLevel) async throws(SecurityFailure) -> Void
  ) -> LinkCallbacks {
    LinkCallbacks(
      raiseSecurity: raiseSecurity,
      security: { $0.withDescriptor(LinkSecurity.level) ?? .low },
      // A BR/EDR link has no such timing, and its RSSI is not in dBm (Core 5.4, Vol 4, Part E,
      // 7.5.4).
      measure: { bearer in
        var quality = channel == .attributes ? await watch.measure() : LinkQuality()
        quality.protection = protection(of: bearer)
        return quality
      },
      retime: { _, request throws(TimingFailure) in
        guard channel == .attributes else { throw .unsupported }
        return try await watch.retime(to: request)
      },
      closeReason: { await watch.closeReason(errno: $0) })
  }
}
