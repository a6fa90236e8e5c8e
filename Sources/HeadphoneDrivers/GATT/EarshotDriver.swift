internal import Bluetooth
public import BluetoothCodec
public import GATT
public import HeadphoneProtocols

/// The driver for headphones that speak docs/protocol.md, over a GATT client.
///
/// It runs on the client's executor. Events keep the order in which the headphone sent them; a
/// change that this phone requested is reported exactly once, when the headphone has accepted it,
/// whether or not the headphone notifies it too. What the headphone cannot do is absent from the
/// description, and asking for it throws `unsupported`. The driver does not close the link.
public actor EarshotDriver: HeadphoneDriver, GATTBacked {
  private nonisolated let emitter: EventEmitter
  /// Event 0x08, for firmware senders.
  public nonisolated let acknowledgements: AsyncStream<FirmwareAcknowledgement>
  private nonisolated let acknowledgementSink: AsyncStream<FirmwareAcknowledgement>.Continuation
  /// Whoever made it closes it.
  public nonisolated let client: GATTClient
  /// The kinds of headphones that it knows; the first that fits is the one.
  nonisolated let profiles: [DeviceProfile]
  private nonisolated let cache: GATTCache?
  private nonisolated let isBonded: Bool
  let clock: any Clock<Duration>
  let timeline: ElapsedClock

  private var map: HeadphoneMap?
  /// The kind of headphone that this is, as far as is known.
  private var profile: DeviceProfile { map?.profile ?? .earshot }
  private var capabilities = Capabilities()
  /// What command 0x01 answered; nil: the headphone does not know it.
  private var report: CapabilityReport?
  private var known = DeviceStateTracker()
  /// The part that each battery level stands for, by its handle; what was read last.
  private var parts: [UInt16: Part] = [:]

  private var channel = EventChannel()
  private var subscription: Subscription?
  /// The headphone was asked to tell events, and has not answered.
  private var isSubscribing = false

  private var engine = CommandEngine()
  private var waiters: [CommandEngine.Ticket: Waiter] = [:]
  private var outbox: [Outgoing] = []
  private var isSending = false
  /// Sleeps until the engine's deadline; none while no command is outstanding.
  var watch: Task<Void, Never>?
  /// Why the driver has ended; nil: it has not.
  private var ended: HeadphoneError?

  /// - Parameters:
  ///   - client: on a connected bearer, not used before.
  ///   - clock: measures the 2 s that a response may take.
  ///   - cache: what ``/GATT/GATTClient/cache`` gave after an earlier connection.
  ///   - isBonded: whether the two ends share a key, so that the cache needs no proof.
  ///   - emitter: where events go; by default they are dropped.
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
    timeline = ElapsedClock(clock)
    // Acknowledgements are cumulative.
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
    let isProtected = try await gatt { client throws(GATTError) in
      try await client.encrypt(ifBonded: self.isBonded)
    }
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
  private func end(_ error: HeadphoneError) {
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

  /// Subscriptions that nothing waits for: to changes of services, and to single values where the
  /// headphone does not report its state by events.
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

/// Commands and their responses: the ``CommandEngine`` over the command characteristic.
extension EarshotDriver {
  /// The sender of a command whose response is awaited.
  private struct Waiter {
    let receive: (Bytes) -> Void
    let continuation: CheckedContinuation<Result<Bytes, HeadphoneError>, Never>
  }

  /// Packets that wait for their turn on the command characteristic.
  private struct Outgoing {
    var ticket: CommandEngine.Ticket
    var bytes: Bytes
    var attempt: Int
  }

  /// Carries out a command.
  ///
  /// - Parameter receive: takes the response's data where it arrives among the events. The caller
  ///   resumes later, perhaps after events that are newer than the response.
  /// - Returns: the response's data, without its status.
  @discardableResult
  private func send(
    _ command: WireCommand, receive: @escaping (Bytes) -> Void = { _ in }
  ) async throws(HeadphoneError) -> Bytes {
    try await send(command.id, command.payload, receive: receive)
  }

  /// Carries out a command by its number.
  private func send(
    _ command: CommandID, _ payload: [UInt8], receive: @escaping (Bytes) -> Void = { _ in }
  ) async throws(HeadphoneError) -> Bytes {
    if Task.isCancelled { throw .cancelled }
    if let ended { throw ended }
    guard map != nil else { throw .notStarted }
    let now = timeline.elapsed
    let (ticket, effects) = engine.submit(command, payload: payload[...], at: now)
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        waiters[ticket] = Waiter(receive: receive, continuation: waiter)
        execute(effects)
      }
    } onCancel: {
      Task { await cancel(ticket) }
    }.get()
  }

  private func cancel(_ ticket: CommandEngine.Ticket) { execute(engine.cancel(ticket)) }

  private func execute(_ effects: [CommandEngine.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let ticket, let packets, let attempt):
        let bytes = packets.flatMap { $0.encoded() }
        outbox.append(Outgoing(ticket: ticket, bytes: bytes[...], attempt: attempt))
        startSending()
      case .finished(let ticket, let result):
        guard let waiter = waiters.removeValue(forKey: ticket) else { continue }
        if case .success(let data) = result { waiter.receive(data) }
        waiter.continuation.resume(returning: result)
      case .malformed(let error, let packet): report(error, packet.encoded()[...])
      // Late, duplicate or foreign: the answer it might have been is given or given up.
      case .ignored: break
      }
    }
    watchDeadline()
  }

  // MARK: Sending

  /// One at a time, so that the parts of two packets do not mix.
  private func startSending() {
    guard !isSending else { return }
    isSending = true
    Task {
      while !outbox.isEmpty { await write(outbox.removeFirst()) }
      isSending = false
    }
  }

  private func write(_ outgoing: Outgoing) async {
    guard let command = map?.command else { return }
    do throws(GATTError) {
      var rest = outgoing.bytes
      let longest = await client.longestShortWrite
      while !rest.isEmpty {
        try await write(rest.prefix(longest), to: command, outgoing.attempt)
        rest = rest.dropFirst(longest)
      }
    } catch {
      execute(engine.fail(outgoing.ticket, HeadphoneError(error), at: timeline.elapsed))
    }
  }

  /// Writes without response where possible, which saves a round trip; a repetition uses a
  /// response, which reports a refusal.
  private func write(
    _ bytes: Bytes, to command: Characteristic, _ attempt: Int
  ) async throws(GATTError) {
    let prefersResponse = attempt > 1 && command.canWrite
    if command.properties.contains(.writeWithoutResponse), !prefersResponse {
      try await client.writeWithoutResponse(bytes, to: command.handle)
    } else {
      try await client.write(bytes, to: command.handle)
    }
  }
}

extension EarshotDriver: TimeoutDriven {
  /// The next deadline; no response is late before the headphone has confirmed the subscription.
  var nextDeadline: Duration? { isSubscribing ? nil : engine.nextDeadline }

  func elapse(to now: Duration) {
    // Events that waited with a packet that never came to its end.
    emit(known: channel.finish())
    execute(engine.elapse(to: now))
  }
}

/// Asking for events, which costs a request and no time.
extension EarshotDriver {
  /// Asks for events; the first command need not wait for the answer.
  ///
  /// The headphone handles both in order, so its response to the command is already notified. A
  /// bonded one is asked as well: some keep the key and forget their subscriptions.
  ///
  /// - Returns: what becomes of it.
  private func subscribe(
    to event: Characteristic
  ) async throws(HeadphoneError) -> Task<Result<Void, HeadphoneError>, Never> {
    let repetitions = await client.repetitions
    isSubscribing = true
    let answer = try await gatt { client throws(GATTError) in try await client.ask(for: event) }
    let task = Task { await finishSubscribing(await answer.value, after: repetitions) }
    // Where to ask is looked up first, so that a command now would come before it.
    if event.descriptors == nil { _ = await task.value }
    return task
  }

  private func finishSubscribing(
    _ answer: Result<Void, GATTError>, after repetitions: Int
  ) async -> Result<Void, HeadphoneError> {
    isSubscribing = false
    switch answer {
    case .success:
      // What was sent right behind the first attempt had no better luck than that.
      let isRepeated = await client.repetitions > repetitions
      execute(isRepeated ? engine.startOver(at: timeline.elapsed) : [])
      return .success(())
    case .failure(let error):
      execute(engine.fail(HeadphoneError(error)))
      return .failure(HeadphoneError(error))
    }
  }
}

/// The first values, and all of them again.
extension EarshotDriver {
  /// Asks the headphone for what it is and how it is; every value becomes an event.
  ///
  /// Commands cost no ATT request, so they go first; only what they do not tell is read.
  private func readEverything(isStart: Bool) async throws(HeadphoneError) -> DeviceInformation {
    guard let map else { throw .notAHeadphone(missing: "control service") }
    if isStart { try await askCapabilities() }
    var reported = Told()
    if report != nil { reported = try await askState() }
    if let report, report.features.contains(.customEQ), !reported.bands { try await askCustomEQ() }
    known.beginReading()
    let values = try await read(map, reported, withInformation: isStart)
    receive(values, of: map)
    if isStart {
      let batteries = Set(known.batteries.keys).union(parts.values)
      capabilities = Capabilities(report, map, profile, batteries: batteries)
    }
    return profile.information.information { type in
      map.information[type].flatMap { values.values[$0.handle] }.map(textFromAir)
    }
  }

  // MARK: By commands

  /// A headphone that does not know the command has what its attributes show.
  private func askCapabilities() async throws(HeadphoneError) {
    do throws(HeadphoneError) {
      let data = try await send(.capabilities)
      report = decoded(data) { bytes throws(MalformedBytes) in
        try CapabilityReport(decoding: bytes)
      }
      engine.setWindow(Int(report?.window ?? 1))
    } catch {
      try tolerate(error)
    }
  }

  /// Values contained in the state, which need not be read.
  private struct Told {
    var anc = false
    var eq = false
    var bands = false
    var battery = false

    /// Battery services that know more than the event are read as well.
    fileprivate mutating func note(_ event: WireEvent, batteries: Int) {
      switch event {
      case .anc: anc = true
      case .eq(_, let bands):
        eq = true
        self.bands = bands != nil
      case .battery(let report):
        battery = report.batteries.values.count { $0.level != nil } >= max(1, batteries)
      default: break
      }
    }
  }

  private func askState() async throws(HeadphoneError) -> Told {
    var reported = Told()
    do throws(HeadphoneError) {
      let data = try await send(.state) { [self] data in
        for entry in StateReport(decoding: data).entries {
          switch entry {
          case .malformed(let error, let bytes): report(error, bytes)
          case .event(let event): report(known.receive(event))
          }
        }
      }
      for case .event(let event) in StateReport(decoding: data).entries {
        reported.note(event, batteries: map?.batteries.count ?? 0)
      }
    } catch {
      try tolerate(error)
    }
    return reported
  }

  private func askCustomEQ() async throws(HeadphoneError) {
    do throws(HeadphoneError) {
      try await send(.customEQ) { [self] data in
        let gains = decoded(data) { bytes throws(MalformedBytes) in
          try BandGains(decoding: bytes)
        }
        if let gains { report(known.received(bands: gains.gains)) }
      }
    } catch {
      try tolerate(error)
    }
  }

  /// A refusal, or silence, takes away a convenience and nothing else.
  private func tolerate(_ error: HeadphoneError) throws(HeadphoneError) {
    switch error {
    case .refused, .noResponse: return
    default: throw error
    }
  }

  /// The decoded response; nil, and reported, where it makes no sense.
  private func decoded<Value>(
    _ bytes: Bytes, _ decode: (Bytes) throws(MalformedBytes) -> Value
  ) -> Value? {
    do throws(MalformedBytes) {
      return try decode(bytes)
    } catch {
      report(error, bytes)
      return nil
    }
  }
}

/// Values that are read, not asked for by commands.
extension EarshotDriver {
  /// What was read; what could not be read is missing.
  private struct ReadValues {
    var values: [UInt16: Bytes] = [:]
    /// The presentation format of each battery level that was read, by the level's handle.
    var formats: [UInt16: Bytes] = [:]
  }

  /// Reads what `reported` does not hold, all at once.
  private func read(
    _ map: HeadphoneMap, _ reported: Told, withInformation: Bool
  ) async throws(HeadphoneError) -> ReadValues {
    var wanted: [Characteristic] = []
    if !reported.anc, let anc = map.ancMode { wanted.append(anc) }
    if !reported.eq, let eq = map.eqPreset { wanted.append(eq) }
    if !reported.battery { wanted += map.batteries }
    if withInformation { wanted += map.information.values.sorted { $0.handle < $1.handle } }
    wanted = wanted.filter(\.canRead)
    // A single battery needs no telling apart.
    let formats =
      reported.battery || map.batteries.count < 2 ? [:] : try await formatHandles(of: map.batteries)
    let handles = wanted.map(\.handle) + formats.values.sorted()
    guard !handles.isEmpty else { return ReadValues() }
    let results = try await gatt { client throws(GATTError) in
      try await client.readValues(handles)
    }
    for (handle, result) in results {
      if case .failure(let error) = result {
        emitter.report(.malformed("handle \(handle) cannot be read: \(error)"))
      }
    }
    let values = results.compactMapValues { try? $0.get() }
    return ReadValues(values: values, formats: formats.compactMapValues { values[$0] })
  }

  /// The handles of presentation formats, by their level's handle.
  private func formatHandles(
    of levels: [Characteristic]
  ) async throws(HeadphoneError) -> [UInt16: UInt16] {
    let unknown = levels.filter { $0.descriptors == nil }
    let found = try await gatt { client throws(GATTError) -> [UInt16: [Descriptor]] in
      unknown.isEmpty ? [:] : try await client.discoverDescriptors(of: unknown)
    }
    var handles: [UInt16: UInt16] = [:]
    for level in levels {
      let descriptors = level.descriptors ?? found[level.handle] ?? []
      handles[level.handle] = descriptors.first { $0.uuid == profile.battery.format }?.handle
    }
    return handles
  }

  /// Makes events of what was read.
  private func receive(_ read: ReadValues, of map: HeadphoneMap) {
    receive(read, map.ancMode, as: ANCMode.self) { known.read($0) }
    receive(read, map.eqPreset, as: EQPreset.self) { known.read($0) }
    let levels = map.batteries.filter { read.values[$0.handle] != nil }
    guard !levels.isEmpty else { return }
    let parts = BatteryParts.parts(map.batteries.map { read.formats[$0.handle] })
    self.parts = [:]
    var reported: [HeadphoneEvent] = []
    for (level, part) in zip(map.batteries, parts) {
      guard let part else { continue }
      self.parts[level.handle] = part
      receive(read, level, as: Level.self) { value in
        reported = known.received(level: value.rawValue, of: part)
        return []
      }
    }
    // Each call gave the sum of those before: one event reports them all.
    report(reported)
  }

  private func receive<Value: RawRepresentable<UInt8>>(
    _ read: ReadValues, _ characteristic: Characteristic?, as type: Value.Type,
    _ receive: (Value) -> [HeadphoneEvent]
  ) {
    guard let characteristic, let bytes = read.values[characteristic.handle] else { return }
    guard let raw = bytes.first, let value = Value(rawValue: raw) else {
      return reportMalformed(bytes, of: characteristic)
    }
    report(receive(value))
  }

  /// A value that is none of those that the characteristic may have.
  private func reportMalformed(_ bytes: Bytes, of characteristic: Characteristic) {
    let reason: MalformedBytes.Reason =
      bytes.first.map { .badValue(UInt64($0)) } ?? .truncated(needed: 1, available: 0)
    report(MalformedBytes("value of \(characteristic.uuid)", at: 0, reason), bytes)
  }
}

/// A Battery Level as it may be read: %, 0 to 100.
private struct Level: RawRepresentable {
  var rawValue: UInt8

  init?(rawValue: UInt8) {
    guard rawValue <= 100 else { return nil }
    self.rawValue = rawValue
  }
}

/// What arrives on the event characteristic.
extension EarshotDriver {
  private func listen(to subscription: Subscription) {
    self.subscription = subscription
    Task { await receiveAll(of: subscription) }
  }

  private func receiveAll(of subscription: Subscription) async {
    var values = subscription.makeAsyncIterator()
    do throws(GATTError) {
      while let received = try await values.next(isolation: self) { receive(received) }
    } catch {
      end(HeadphoneError(error))
    }
  }

  private func receive(_ received: ReceivedValue) {
    guard ended == nil else { return }
    if received.lostBefore > 0 {
      emitter.report(.malformed("\(received.lostBefore) events came too fast and are lost"))
    }
    for item in channel.receive(received.value) { take(item) }
    // Nobody asked, so nothing is waited for.
    if channel.isWaiting, !engine.isAwaitingResponse { emit(known: channel.finish()) }
  }

  private func take(_ item: EventChannel.Item) {
    switch item {
    case .event(.firmwareAcknowledged(let acknowledgement)):
      acknowledgementSink.yield(acknowledgement)
    case .event(let event): report(known.receive(event))
    case .packet(let packet): execute(engine.receive(packet, at: timeline.elapsed))
    case .malformed(let error, let bytes): report(error, bytes)
    }
  }

  private func emit(known items: [EventChannel.Item]) {
    for item in items { take(item) }
  }

  private func report(_ events: [HeadphoneEvent]) {
    for event in events { emitter.report(event) }
  }

  private func report(_ error: MalformedBytes, _ bytes: Bytes) {
    emitter.report(.malformed("\(error): \(hexadecimal(bytes))"))
  }

  /// Subscribes to single values with notifications, in case no event reports them.
  func subscribeToValues() async throws(HeadphoneError) {
    guard let map else { return }
    if let anc = map.ancMode {
      try await follow(anc) { driver, value in
        ANCMode(rawValue: value).map { driver.known.noticed($0) }
      }
    }
    if let eq = map.eqPreset {
      try await follow(eq) { driver, value in
        EQPreset(rawValue: value).map { driver.known.noticed($0) }
      }
    }
    for level in map.batteries {
      guard let part = parts[level.handle] else { continue }
      try await follow(level) { driver, value in
        value <= 100 ? driver.known.noticed(level: value, of: part) : nil
      }
    }
  }

  /// Hears a value of one byte; `receive` gives nil for one that makes no sense.
  private func follow(
    _ characteristic: Characteristic,
    _ receive: @escaping @Sendable (isolated EarshotDriver, UInt8) -> [HeadphoneEvent]?
  ) async throws(HeadphoneError) {
    guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else { return }
    let values = try await gatt { client throws(GATTError) in
      try await client.subscribe(to: characteristic)
    }
    Task {
      var iterator = values.makeAsyncIterator()
      while let received = try? await iterator.next(isolation: self) {
        if let byte = received.value.first, let events = receive(self, byte) {
          report(events)
        } else {
          reportMalformed(received.value, of: characteristic)
        }
      }
    }
  }
}

/// What a person wants of the headphone.
extension EarshotDriver {
  /// Carries it out by FFF1 and FFF2 where they can be written, else by a command.
  ///
  /// The volume is not part of the protocol:
  /// ``/HeadphoneProtocols/HeadphoneError/unsupported(_:)``. If the services
  /// change meanwhile, the command is repeated once where they are now.
  public func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    do throws(HeadphoneError) {
      try await performOnce(command)
    } catch .gatt(.servicesChanged) {
      map = try HeadphoneMap(await client.database, profiles)
      try await performOnce(command)
    }
  }

  private func performOnce(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    switch command {
    case .setANC(let mode): try await set(mode)
    case .setANCLevel(let level):
      try need(capabilities.hasANCLevel, "noise control level")
      guard level <= WireCommand.highestANCLevel else {
        throw .badArgument("a level of \(level): it goes from 0 to \(WireCommand.highestANCLevel)")
      }
      try await send(.setANCLevel(level))
      report([.ancLevelChanged(level)])
    case .setEQ(let preset): try await set(preset)
    case .setCustomEQ(let gains): try await set(gains)
    case .setVolume: throw .unsupported("volume")
    case .find(let sides, let isOn): try await find(sides, isOn: isOn)
    case .setTouchAction(let side, let gesture, let action):
      try need(capabilities.hasTouchActions, "touch actions")
      try await send(.setTouchAction(side, gesture, action))
      report([.touchActionsChanged([side: [gesture: action]])])
    case .readTouchActions: try await readTouchActions()
    case .set(.wearDetection, .toggle(let isOn)):
      try need(capabilities.declares(.wearDetection), "wear detection")
      try await send(.setWearDetection(isOn: isOn))
      report([.settingChanged(.wearDetection, .toggle(isOn))])
    case .set(let id, _): throw .unsupported(id.displayText)
    case .rename(let name): try await rename(name)
    case .restart: try await sendEndingLink(.restart)
    case .factoryReset:
      try need(capabilities.hasFactoryReset, "factory reset")
      try await sendEndingLink(.factoryReset)
    }
  }

  private func need(_ isThere: Bool, _ feature: String) throws(HeadphoneError) {
    guard isThere else { throw .unsupported(feature) }
  }

  // MARK: Noise control and equaliser

  private func set(_ mode: ANCMode) async throws(HeadphoneError) {
    try need(!capabilities.ancModes.isEmpty, "noise control")
    try need(capabilities.ancModes.contains(mode), "noise control mode \"\(mode)\"")
    known.ask(mode)
    do throws(HeadphoneError) {
      try await write(mode.rawValue, to: map?.ancMode, or: .setANC(mode))
    } catch {
      known.refused(.anc)
      throw error
    }
    report(known.accepted(mode))
  }

  private func set(_ preset: EQPreset) async throws(HeadphoneError) {
    try need(!capabilities.eqPresets.isEmpty, "equaliser")
    try need(capabilities.eqPresets.contains(preset), "equaliser preset \"\(preset)\"")
    try await changeEQ(to: preset, bands: nil) { driver throws(HeadphoneError) in
      try await driver.write(preset)
    }
  }

  /// Sets the gains, and chooses the custom preset so that they are heard.
  private func set(_ gains: [BandGain]) async throws(HeadphoneError) {
    try need(capabilities.eqBands > 0, "custom equaliser")
    guard gains.count == capabilities.eqBands else {
      throw .badArgument("\(gains.count) bands: this headphone has \(capabilities.eqBands)")
    }
    try await changeEQ(to: .custom, bands: gains) { driver throws(HeadphoneError) in
      try await driver.send(.setCustomEQ(gains))
      if await driver.known.eq != .custom { try await driver.write(.custom) }
    }
  }

  private func changeEQ(
    to preset: EQPreset, bands: [BandGain]?,
    _ change: (EarshotDriver) async throws(HeadphoneError) -> Void
  ) async throws(HeadphoneError) {
    known.ask(preset, bands: bands)
    do throws(HeadphoneError) {
      try await change(self)
    } catch {
      known.refused(.eq)
      throw error
    }
    report(known.accepted(preset, bands: bands))
  }

  private func write(_ preset: EQPreset) async throws(HeadphoneError) {
    try await write(preset.rawValue, to: map?.eqPreset, or: .setEQ(preset))
  }

  /// Writes a value where the headphone has it as a characteristic, else sends the command.
  private func write(
    _ value: UInt8, to characteristic: Characteristic?, or command: WireCommand
  ) async throws(HeadphoneError) {
    guard let characteristic, characteristic.canWrite else {
      try await send(command)
      return
    }
    try await gatt { client throws(GATTError) in
      try await client.write([value], to: characteristic.handle)
    }
  }

  // MARK: Other settings

  /// Makes these buds ring and no other, or silences them.
  private func find(_ sides: Sides, isOn: Bool) async throws(HeadphoneError) {
    try need(capabilities.hasFind, "sound to be found by")
    guard !sides.isEmpty else { throw .badArgument("no bud to find") }
    let others = known.ringing.subtracting(sides)
    if isOn, !others.isEmpty { try await send(.find(others, isOn: false)) }
    try await send(.find(sides, isOn: isOn))
    report(known.accepted(ringing: isOn ? sides : others))
  }

  private func readTouchActions() async throws(HeadphoneError) {
    try need(capabilities.hasTouchActions, "touch actions")
    let data = try await send(.touchActions)
    let table = decoded(data) { bytes throws(MalformedBytes) in
      try TouchActionTable(decoding: bytes)
    }
    if let table { report([.touchActionsChanged(table.actions)]) }
  }

  private func rename(_ name: String) async throws(HeadphoneError) {
    try need(capabilities.hasRename, "rename")
    guard WireCommand.nameLength.contains(name.utf8.count) else {
      throw .badArgument("a name has 1 to 32 bytes, this one \(name.utf8.count)")
    }
    guard displayable(name) == name else {
      throw .badArgument("the name holds characters that cannot be shown")
    }
    try await send(.rename(name))
    report([.renamed(name)])
  }

  /// The link may end before the response comes: that is the wish, too.
  private func sendEndingLink(_ command: WireCommand) async throws(HeadphoneError) {
    do throws(HeadphoneError) {
      try await send(command)
    } catch .closed where ended != nil {
      return
    }
  }
}

extension EarshotDriver: FirmwareLink {
  /// Itself: FFF5 where it is there, else command 0x51.
  public nonisolated var firmwareLink: (any FirmwareLink)? { self }

  /// Reads the firmware revision again, and asks the controller how long the link's packets are.
  ///
  /// - Throws: ``/HeadphoneProtocols/HeadphoneError/unsupported(_:)`` before ``start()``, and where
  ///   the headphone takes
  ///   no firmware.
  public func describe() async throws(HeadphoneError) -> FirmwareUpdate.Link {
    guard let map, capabilities.hasFirmwareUpdate else { throw .unsupported("firmware update") }
    return FirmwareUpdate.Link(
      longestValue: await client.longestShortWrite,
      hasDataCharacteristic: map.firmwareData != nil, commandWindow: engine.window,
      packetLength: await client.bearer.measure().packetLength, revision: try await revision(map))
  }

  /// Not from what is remembered: the headphone may have restarted into another image.
  private func revision(_ map: HeadphoneMap) async throws(HeadphoneError) -> FirmwareVersion? {
    guard let firmware = map.information[profile.information.firmware] else { return nil }
    let value = try await gatt { client throws(GATTError) in
      try await client.read(firmware.handle)
    }
    return FirmwareVersion(textFromAir(value))
  }

  /// Sends a command of docs/protocol.md section 7 and returns its answer's data, without the
  /// status.
  public func perform(_ request: FirmwareRequest) async throws(HeadphoneError) -> Bytes {
    try await send(request.id, request.payload)
  }

  /// Writes a frame without a response; returns when the local buffer has taken it.
  ///
  /// - Throws: ``/HeadphoneProtocols/HeadphoneError/unsupported(_:)`` without FFF5.
  public func write(_ frame: FirmwareFrame) async throws(HeadphoneError) {
    guard let firmware = map?.firmwareData else { throw .unsupported("firmware data") }
    let value = frame.encoded()
    try await gatt { client throws(GATTError) in
      try await client.writeWithoutResponse(value[...], to: firmware.handle)
    }
  }
}
