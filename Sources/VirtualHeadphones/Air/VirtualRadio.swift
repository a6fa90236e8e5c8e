public import Bluetooth
public import BluetoothCodec
internal import GATT
internal import Synchronization

/// An adapter named "virtual" that hears and connects virtual headphones.
public final class VirtualRadio: Radio {
  /// As `--adapter` takes it.
  public static let adapterName = "virtual"

  /// All that can ever be heard; those out of range stay in it.
  public let headphones: [VirtualHeadphone]
  private let clock: any Clock<Duration>
  private let phone: VirtualPhone
  private let timeline: ElapsedClock
  private let power = Mutex(Power())

  private struct Power {
    var isOn = true
    var watchers: [AsyncStream<Void>.Continuation] = []
  }

  /// All headphones share `loop` with whoever uses the radio; `clock` times scans and time-outs.
  ///
  /// Pairings ask at `agent`; what comes of them is kept in `bonds`.
  public init(
    headphones: [VirtualHeadphone], clock: any Clock<Duration> = ContinuousClock(),
    agent: PairingAgent = PairingAgent(), bonds: any BondStore = EmptyBondStore()
  ) {
    self.headphones = headphones
    phone = VirtualPhone(agent: agent, bonds: bonds)
    self.clock = clock
    timeline = ElapsedClock(clock)
  }

  /// Switches the adapter; links end when it goes off.
  public func setPowered(_ isPowered: Bool) async {
    let watchers = power.withLock { power in
      power.isOn = isPowered
      return power.watchers
    }
    for watcher in watchers { watcher.yield() }
    guard !isPowered else { return }
    for headphone in headphones { await headphone.dropLink(.adapterGone) }
  }

  private var isPowered: Bool { power.withLock { $0.isOn } }

  /// Each time that ``setPowered(_:)`` is called.
  public func adapterChanges() -> AsyncStream<Void> {
    let (changes, watcher) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    power.withLock { $0.watchers.append(watcher) }
    return changes
  }

  /// The one adapter, on or off.
  public func adapters() async throws(RadioError) -> [Adapter] {
    [
      Adapter(
        name: Self.adapterName, address: VirtualPhone.address,
        isPowered: isPowered, isVirtual: true)
    ]
  }

  /// Hears every headphone once a second, with a signal that varies by 3 dB.
  ///
  /// - Throws: ``/Bluetooth/RadioError/poweredOff(adapter:)`` from the stream while the adapter is off.
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

  /// Connects ATT; a headphone that is out of range is waited for until `timeout`.
  public func connect(
    to peer: PeerAddress, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    try await connect(
      headphones.first { $0.model.address == peer }, on: .attributes, timeout)
  }

  /// Connects the audio side of a headphone, on which AirPods have their controls.
  public func connect(
    to address: BluetoothAddress, psm: UInt16, timeout: Duration
  ) async throws(RadioError) -> any Bearer {
    try await connect(
      headphones.first { $0.model.audioAddress == address }, on: .classic(psm: psm), timeout)
  }

  /// Opens Fast Pair's message stream of a headphone whose sound is connected here.
  public func connect(
    to address: BluetoothAddress, service: BluetoothUUID, timeout: Duration
  ) async throws(RadioError) -> (any Bearer)? {
    guard isPowered else { throw .poweredOff(adapter: Self.adapterName) }
    guard let headphone = headphones.first(where: { $0.model.audioAddress == address }) else {
      return nil
    }
    if await headphone.serialService == service {
      return try await connect(headphone, on: .serial(service), timeout)
    }
    return try await headphone.openStream(of: service)
  }

  /// What the headphone with this audio side offers there.
  public func serviceRecords(
    of address: BluetoothAddress
  ) async throws(RadioError) -> ServiceRecords {
    guard let headphone = headphones.first(where: { $0.model.audioAddress == address }) else {
      return ServiceRecords()
    }
    return await headphone.family?.records ?? ServiceRecords()
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

  /// The audio side pairs as soon as its LE side has.
  public func pairAudio(_ address: BluetoothAddress) async throws(SecurityFailure) {
    guard let headphone = headphones.first(where: { $0.model.audioAddress == address }) else {
      throw .closed(BearerClosed(.connectTimeout))
    }
    if await headphone.faults.refusesAudioPairing { throw .refused }
  }

  /// Drops the keys of both sides and ends the link.
  public func unpair(_ identity: PeerAddress) async throws(SecurityFailure) {
    await phone.bonds.drop(identity)
    for headphone in headphones where headphone.model.address == identity {
      await headphone.dropLink(.localHost)
    }
  }

  // MARK: Scanning

  /// How often a headphone is heard again.
  private static let interval: Duration = .seconds(1)

  private func listen(_ options: ScanOptions, _ receive: (DiscoveredPeripheral) -> Void) async {
    let end = options.duration.map { timeline.elapsed + $0 }
    var fading = SplitMix64(seed: 0x5EED)
    while !Task.isCancelled {
      for headphone in headphones {
        let fade = Int8.random(in: -3...3, using: &fading)
        let peripherals = await [headphone.peripheral(fade: fade), headphone.audioSighting()]
        for peripheral in peripherals.compactMap(\.self) where options.passes(peripheral) {
          receive(peripheral)
        }
      }
      let pause = min(Self.interval, end.map { $0 - timeline.elapsed } ?? Self.interval)
      guard pause > .zero else { return }
      try? await clock.sleep(for: pause)
    }
  }
}
