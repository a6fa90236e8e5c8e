public import BluetoothCodec
public import BluetoothRadio
internal import EventLoop
internal import Locking

/// A ``/BluetoothRadio/Radio`` named "virtual", with virtual headphones in range.
///
/// ```swift
/// let headphone = VirtualHeadphone(.aurora, loop: .shared, clock: ContinuousClock())
/// let radio = VirtualRadio(headphones: [headphone], clock: ContinuousClock())
/// for try await discovery in radio.scan(ScanOptions()) { print(discovery) }
/// ```
///
/// Bearers are socket pairs, which a client uses like a kernel's socket. Headphones advertise once
/// a second while they are in range and not connected.
public final class VirtualRadio: Radio {
  /// The adapter's name, for `--adapter`.
  public static let adapterName = "virtual"

  /// All headphones, including those out of range.
  public let headphones: [VirtualHeadphone]
  private let broadcasts: [VirtualBroadcast]
  private let clock: any Clock<Duration>
  private let phone: VirtualPhone
  private let timeline: ElapsedClock
  private let fading: Int8
  private let power = Mutex(Power())

  private struct Power {
    var isOn = true
    var watchers: [AsyncStream<Void>.Continuation] = []
  }

  /// Creates a radio whose signal strengths vary by `fading` in dB.
  public init(
    headphones: [VirtualHeadphone], broadcasts: [VirtualBroadcast] = [],
    clock: any Clock<Duration>,
    agent: PairingAgent = PairingAgent(consentsUnattended: true),
    bonds: any BondStore = EmptyBondStore(),
    fading: Int8 = 3
  ) {
    self.headphones = headphones
    self.broadcasts = broadcasts
    self.fading = fading
    phone = VirtualPhone(agent: agent, bonds: bonds)
    self.clock = clock
    timeline = ElapsedClock(clock)
  }

  /// Creates a radio with headphones that do nothing unprompted, at constant signal strengths.
  public convenience init(
    _ models: [VirtualModel], broadcasts: [VirtualBroadcast] = [],
    agent: PairingAgent = PairingAgent(consentsUnattended: true),
    bonds: any BondStore = EmptyBondStore()
  ) {
    let clock = ContinuousClock()
    self.init(
      headphones: models.map { VirtualHeadphone($0, loop: .shared, clock: clock) },
      broadcasts: broadcasts,
      clock: clock,
      agent: agent, bonds: bonds, fading: 0)
  }

  /// Switches the adapter on, or off, which ends all links.
  public func setPowered(_ isPowered: Bool) async {
    let watchers = power.withLock { power in
      power.isOn = isPowered
      return power.watchers
    }
    for watcher in watchers { watcher.yield() }
    guard !isPowered else { return }
    for headphone in headphones { await headphone.dropLink(.adapterGone) }
  }

  public func setPower(_ isOn: Bool) async throws(RadioError) { await setPowered(isOn) }

  private var isPowered: Bool { power.withLock { $0.isOn } }

  public func adapterChanges() -> AsyncStream<Void> {
    let (changes, watcher) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    power.withLock { $0.watchers.append(watcher) }
    return changes
  }

  public func adapters() async throws(RadioError) -> [Adapter] {
    [
      Adapter(
        name: Self.adapterName, address: VirtualPhone.address,
        isPowered: isPowered, isVirtual: true)
    ]
  }

  /// Yields every headphone's advertisement once a second, with varying signal strength.
  public func scan(_ options: ScanOptions) -> AsyncThrowingStream<DiscoveredPeripheral, any Error> {
    AsyncThrowingStream { continuation in
      guard isPowered else {
        continuation.finish(throwing: RadioError.poweredOff(adapter: Self.adapterName))
        return
      }
      let listening = Task {
        await listen(options) { continuation.yield($0) }
        continuation.finish()
      }
      continuation.onTermination = { _ in listening.cancel() }
    }
  }

  /// Connects an ATT bearer, waiting for a headphone that is out of range.
  public func connect(
    to peer: PeerAddress, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    try await connect(
      headphones.first { $0.model.address == peer }, on: .attributes, timeout)
  }

  /// Connects an L2CAP channel to the BR/EDR side, where AirPods have their controls.
  public func connect(
    to address: BluetoothAddress, psm: UInt16, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    try await connect(
      headphones.first { $0.model.audioAddress == address }, on: .classic(psm: psm), timeout)
  }

  /// Opens the channel of the controls or Fast Pair's message stream, or returns nil without one.
  public func connect(
    to address: BluetoothAddress, service: BluetoothUUID, channel: UInt8?, timeout: Duration
  ) async throws(RadioError) -> (any Bearer)? {
    guard isPowered else { throw .poweredOff(adapter: Self.adapterName) }
    guard let headphone = headphones.first(where: { $0.model.audioAddress == address }) else {
      return nil
    }
    if await headphone.isControlled(by: service, on: channel) {
      return try await connect(headphone, on: .serial(service), timeout)
    }
    return channel != nil ? nil : try await headphone.openStream(of: service)
  }

  public func serviceRecords(
    of address: BluetoothAddress
  ) async throws(RadioError) -> ServiceRecords {
    guard let headphone = headphones.first(where: { $0.model.audioAddress == address }) else {
      return ServiceRecords()
    }
    var records = await headphone.family?.records ?? ServiceRecords()
    records.serialServices += headphone.model.furtherSerialServices
    return records
  }

  /// Returns the protection of a headphone's audio link, which is always up and encrypted.
  public func protection(of address: BluetoothAddress) async -> LinkProtection? {
    headphones.first { $0.model.audioAddress == address }
      .map { LinkProtection(level: .medium, keySize: $0.model.keySize) }
  }

  private func connect(
    _ headphone: VirtualHeadphone?, on channel: LinkChannel, _ timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    guard isPowered else { throw .poweredOff(adapter: Self.adapterName) }
    let isThere = await withTaskGroup(of: Bool.self) { group in
      group.addTask { [clock] in
        try? await clock.sleep(for: timeout)
        return false
      }
      if let headphone {
        group.addTask { await headphone.becomesReachable() }
      }
      let first = await group.next() ?? false
      group.cancelAll()
      return first
    }
    if Task.isCancelled { throw .cancelled }
    guard let headphone, isThere else { throw .timedOut }
    return try await headphone.accept(phone, on: channel)
  }

  /// Pairs the BR/EDR side, which succeeds unless a fault prevents it.
  public func pairAudio(_ address: BluetoothAddress) async throws(SecurityFailure) {
    guard let headphone = headphones.first(where: { $0.model.audioAddress == address }) else {
      throw .closed(BearerClosed(.connectTimeout))
    }
    if await headphone.faults.refusesAudioPairing { throw .refused }
  }

  public func unpair(_ identity: PeerAddress) async throws(SecurityFailure) {
    await phone.bonds.drop(identity)
    for headphone in headphones where headphone.model.address == identity {
      await headphone.dropLink(.localHost)
    }
  }

  private static let interval: Duration = .seconds(1)

  private func listen(_ options: ScanOptions, _ receive: (DiscoveredPeripheral) -> Void) async {
    let end = options.duration.map { timeline.elapsed + $0 }
    var random = SplitMix64(seed: 0x5EED)
    while !Task.isCancelled {
      for headphone in headphones {
        let fade = Int8.random(in: -fading...fading, using: &random)
        let peripherals = await [headphone.peripheral(fade: fade), headphone.audioSighting()]
        for peripheral in peripherals.compactMap(\.self) where options.passes(peripheral) {
          receive(peripheral)
        }
      }
      for broadcast in broadcasts {
        let found = broadcast.peripheral(fade: Int8.random(in: -fading...fading, using: &random))
        if options.passes(found) { receive(found) }
      }
      let pause = min(Self.interval, end.map { $0 - timeline.elapsed } ?? Self.interval)
      guard pause > .zero else { return }
      try? await clock.sleep(for: pause)
    }
  }
}
