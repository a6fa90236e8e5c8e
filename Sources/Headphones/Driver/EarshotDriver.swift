internal import Bluetooth
public import GATT

/// The driver for headphones that speak docs/protocol.md, over a GATT client.
///
/// It runs on the client's executor. Events come in the order in which the headphone told them; a
/// change that this phone asked for is told exactly once, when the headphone has accepted it,
/// whether or not the headphone notifies it too. What the headphone cannot do is absent from the
/// description, and asking for it throws `unsupported`. The driver does not close the link.
public actor EarshotDriver: HeadphoneDriver, GATTBacked {
  nonisolated let emitter: EventEmitter
  /// Event 0x08, for whoever sends firmware.
  public nonisolated let acknowledgements: AsyncStream<FirmwareAcknowledgement>
  nonisolated let acknowledgementSink: AsyncStream<FirmwareAcknowledgement>.Continuation
  /// Whoever made it closes it.
  public nonisolated let client: GATTClient
  /// The kinds of headphones that it knows; the first that fits is the one.
  private nonisolated let profiles: [DeviceProfile]
  private nonisolated let cache: GATTCache?
  private nonisolated let isBonded: Bool
  let clock: any Clock<Duration>
  let timeline: MonotonicTime

  var map: HeadphoneMap?
  /// The kind of headphone that this is, as far as is known.
  var profile: DeviceProfile { map?.profile ?? .earshot }
  var capabilities = Capabilities()
  /// What command 0x01 answered; nil: the headphone does not know it.
  var report: CapabilityReport?
  var known = DeviceStateTracker()
  /// The part that each battery level stands for, by its handle; what was read last.
  var parts: [UInt16: Part] = [:]

  var channel = EventChannel()
  var subscription: Subscription?
  /// The headphone was asked to tell events, and has not answered.
  var isSubscribing = false

  var engine = CommandEngine()
  var waiters: [CommandEngine.Ticket: Waiter] = [:]
  var outbox: [Outgoing] = []
  var isSending = false
  /// Sleeps until the engine's deadline; none while no command is outstanding.
  var watch: Task<Void, Never>?
  /// Why the driver has ended; nil: it has not.
  private(set) var ended: HeadphoneError?

  /// - Parameters:
  ///   - client: on a connected bearer, not used before.
  ///   - clock: measures the 2 s that a response may take.
  ///   - cache: what ``/GATT/GATTClient/cache`` gave after an earlier connection.
  ///   - isBonded: whether the two ends share a key, so that the cache needs no proof.
  ///   - outlet: where events go; by default they are dropped.
  public init(
    client: GATTClient, profiles: [DeviceProfile] = [.earshot],
    clock: any Clock<Duration> = ContinuousClock(), cache: GATTCache? = nil,
    isBonded: Bool = false, emitter: EventEmitter = EventEmitter { _ in }
  ) {
    self.client = client
    self.emitter = emitter
    self.profiles = profiles
    self.clock = clock
    self.cache = cache
    self.isBonded = isBonded
    timeline = MonotonicTime(clock)
    // Each tells all that those before it told.
    (acknowledgements, acknowledgementSink) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingNewest(64))
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

  /// Raises security first on a bonded link, so that no read is refused for want of it.
  ///
  /// A bonded headphone is listened to before it is asked, by the handles of the cache.
  public func start() async throws(HeadphoneError) -> HeadphoneDescription {
    do throws(HeadphoneError) {
      return try await findAndSubscribe()
    } catch {
      fail(error)
      throw error
    }
  }

  private func findAndSubscribe() async throws(HeadphoneError) -> HeadphoneDescription {
    emitter.report(.starting(.discoveringServices))
    let isProtected = isBonded ? try await encrypt() : false
    let proof = isProtected ? cache : nil
    if let proof { await listenEarly(proof) }
    try await gatt { client throws(GATTError) in
      try await client.begin(using: self.cache, isBonded: proof != nil, reporting: emitter)
    }
    let map = try HeadphoneMap(await client.database, profiles)
    self.map = map
    if subscription == nil { channel = EventChannel(layout: map.profile.events) }
    emitter.report(.starting(.subscribing))
    if subscription == nil { listen(to: await client.values(of: map.event.handle)) }
    let subscribing = try await subscribe(to: map.event)
    let information: DeviceInformation
    do throws(HeadphoneError) {
      information = try await readEverything(isStart: true)
    } catch {
      // Where the subscription failed, the rest failed of it: a link that ends with its pairing.
      try await subscribing.value.get()
      throw error
    }
    try await subscribing.value.get()
    watchForChanges()
    return HeadphoneDescription(
      driver: profile.name, capabilities: capabilities, information: information,
      mtu: await client.mtu, requests: await client.requestCount)
  }

  /// Uses the key that the two ends share, before anything is refused for want of it.
  ///
  /// - Returns: false on a link that cannot be protected.
  /// - Throws: what became of the key.
  private func encrypt() async throws(HeadphoneError) -> Bool {
    guard await client.bearer.security < .medium else { return true }
    do throws(SecurityFailure) {
      try await client.bearer.raiseSecurity(to: .medium)
      return true
    } catch .unsupported {
      return false
    } catch {
      throw HeadphoneError(.security(error))
    }
  }

  /// A bonded headphone may tell from the first moment on what was subscribed in an earlier
  /// connection (Core 5.4, Vol 3, Part G, 3.3.3.3).
  private func listenEarly(_ cache: GATTCache) async {
    guard let map = try? HeadphoneMap(cache.database, profiles) else { return }
    channel = EventChannel(layout: map.profile.events)
    listen(to: await client.values(of: map.event.handle))
  }

  /// Reads all values, which need not be the echo of anything that was asked for.
  public func refresh() async throws(HeadphoneError) {
    known.expectNoEchoes()
    _ = try await readEverything(isStart: false)
  }

  // MARK: The end

  /// Ends everything that waits, and the events.
  func end(_ error: HeadphoneError) {
    guard ended == nil else { return }
    fail(error)
    emitter.finish()
  }

  /// Ends everything that waits; nothing is emitted any more.
  private func fail(_ error: HeadphoneError) {
    guard ended == nil else { return }
    ended = error
    watch?.cancel()
    execute(engine.fail(error))
    emit(known: channel.finish())
    acknowledgementSink.finish()
  }

  // MARK: After the start

  /// What nobody has to wait for: being told when services change, and of values by themselves
  /// where the headphone's state is not told by events.
  private func watchForChanges() {
    Task {
      try? await client.watchForServiceChanges()
      if report == nil { try? await subscribeToValues() }
    }
    Task {
      for await _ in client.serviceChanges { await findAgain() }
    }
  }

  /// New firmware has other services: the handles are looked up again.
  private func findAgain() async {
    do throws(HeadphoneError) {
      map = try HeadphoneMap(await client.database, profiles)
      try await refresh()
    } catch {
      emitter.report(.malformed("the services have changed: \(error)"))
    }
  }
}
