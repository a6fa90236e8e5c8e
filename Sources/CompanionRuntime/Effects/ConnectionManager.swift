internal import Bluetooth
internal import BluetoothCodec
internal import Companion
internal import GATT
internal import HeadphoneProtocols
internal import Persistence

/// The connections to all headphones, at most one to each.
@MainActor
final class ConnectionManager {
  typealias Send = LiveEffectHandler.Send

  let world: Dependencies
  /// What passes on all links.
  let tap = TrafficObserver()
  let pacer: LinkPacer
  /// Whether pairing failed, of each headphone.
  private var refusals: [HeadphoneID: PairingRefusal] = [:]
  private(set) var registry: DeviceRegistry
  /// What is known as the first is the second.
  private var united: [HeadphoneID: HeadphoneID] = [:]

  /// Those that may still tell something.
  private(set) var sessions: [HeadphoneID: HeadphoneConnection] = [:]
  /// The last session of each headphone, which may be ending.
  var runs: [HeadphoneID: Task<Void, Never>] = [:]
  /// The last pairing of each headphone; its audio side goes on when that of its link is done.
  var pairings: [HeadphoneID: Task<Void, Never>] = [:]

  /// Who is told of each sighting, beside the state.
  private var listeners: [Int: AsyncStream<DiscoveredHeadphone>.Continuation] = [:]
  private var listenerCount = 0

  private let tasks: TaskRegistry

  init(world: Dependencies, tasks: TaskRegistry) {
    self.world = world
    self.tasks = tasks
    registry = DeviceRegistry(bonds: world.bonds, models: world.models, now: world.now)
    pacer = LinkPacer(clock: world.clock)
  }

  /// Where each headphone was heard the last time.
  var peers: [HeadphoneID: PeerAddress] { registry.peers }

  func receive(_ peripheral: DiscoveredPeripheral, send: Send) {
    let peer = peripheral.peer
    let peripheral = registry.receive(peripheral)
    send(.discovered(peripheral))
    if registry.headphone(withMember: peer) == peripheral.id, let session = sessions[peripheral.id]
    {
      tasks.run { await session.link(member: peer) }
    }
    for listener in listeners.values { listener.yield(peripheral) }
  }

  func peripherals() -> AsyncStream<DiscoveredHeadphone> {
    // Who is slow misses some; each headphone is heard many times.
    let (peripherals, listener) = AsyncStream.makeStream(
      of: DiscoveredHeadphone.self, bufferingPolicy: .bufferingNewest(256))
    listenerCount += 1
    let number = listenerCount
    listeners[number] = listener
    listener.onTermination = { [weak self] _ in
      Task { @MainActor in self?.listeners[number] = nil }
    }
    return peripherals
  }

  func know(_ headphone: KnownHeadphone) { registry.know(headphone) }

  func forget(_ id: HeadphoneID) { registry.forget(id) }

  /// Goes on with a link under the identity that its headphone is known by.
  func merge(_ newer: HeadphoneID, with older: HeadphoneID) {
    registry.merge(newer, with: older)
    sessions[older] = sessions.removeValue(forKey: newer)
    runs[older] = runs.removeValue(forKey: newer)
    if let pairing = pairings.removeValue(forKey: newer) { pairings[older] = pairing }
    if let refusal = refusals.removeValue(forKey: newer) { refusals[older] = refusal }
    united[newer] = older
    pacer.merge(newer, with: older)
  }

  /// As the headphone is known by now.
  func name(of id: HeadphoneID) -> HeadphoneID { united[id] ?? id }

  func refusal(of id: HeadphoneID) -> PairingRefusal {
    let refusal = refusals[id] ?? PairingRefusal()
    refusals[id] = refusal
    return refusal
  }

  /// The session that may still tell something; nil: there is none.
  func session(of id: HeadphoneID) -> HeadphoneConnection? { sessions[id] }

  /// Attempts to link with a headphone.
  func connect(_ id: HeadphoneID, send: @escaping Send) {
    begin(id, within: HeadphoneConnection.timeout, send: send)
  }

  /// Links with a headphone as soon as it is heard, and tells nothing until then.
  ///
  /// The kernel waits for it, so that nothing wakes up here.
  func listen(for id: HeadphoneID, send: @escaping Send) {
    guard registry.peer(of: id) != nil else { return }
    begin(id, within: Self.timeout, send: send)
  }

  /// For a headphone that is listened for: who is long away is tried by nothing else.
  private static let timeout: Duration = .seconds(86_400)

  private func begin(_ id: HeadphoneID, within limit: Duration, send: @escaping Send) {
    guard let peer = registry.peer(of: id) else {
      return send(.link(id, .ended(.system("its address is not known"))))
    }
    let refusal = refusal(of: id)
    let session = HeadphoneConnection(id, radio: world.radio, clock: world.clock) {
      [world, tap] bearer, id, peer, emitter in
      let trace = LinkTrace(headphone: id, channel: bearer.channel, tap: tap)
      let observed = ObservedBearer(bearer, by: trace)
      return await world.makeDriver(
        PairingBackoffBearer(base: observed, refusal: refusal), id, peer, emitter)
    }
    sessions[id] = session
    let previous = runs[id]
    previous?.cancel()
    runs[id] = Task { [weak self] in
      // The channel of a link that is ending is still taken.
      await previous?.value
      let end = await session.run(to: peer, timeout: limit) { [weak self] report in
        await self?.deliver(report, of: id, from: session, send)
      }
      self?.deliver(.link(end), of: id, from: session, send)
      self?.drop(id, session)
    }
  }

  /// Ends attempt or link; from now on it tells nothing.
  func disconnect(_ id: HeadphoneID) {
    sessions[id] = nil
    pacer.drop(id)
    refusals[id]?.forget()
    pairings.removeValue(forKey: id)?.cancel()
    runs[id]?.cancel()
  }

  func perform(
    _ id: HeadphoneID, _ command: HeadphoneCommand, _ token: CommandToken, send: @escaping Send
  ) {
    tasks.run {
      send(.commandEnded(id, command, token, await self.perform(id, command, send: send)))
    }
  }

  func perform(
    _ id: HeadphoneID, _ command: HeadphoneCommand, send: @escaping Send
  ) async -> CommandOutcome {
    guard let session = sessions[id] else { return .failed(.linkLost(.user)) }
    pacer.use(id, session, send)
    return await session.perform(command)
  }

  func refresh(_ id: HeadphoneID, send: @escaping Send) {
    guard let session = sessions[id] else { return }
    tasks.run {
      if case .failed(let failure) = await session.refresh() {
        send(.noted(.warning, id, "reading again: \(failure.displayText)"))
      }
      self.measure(id, send: send)
    }
  }

  /// Measures how good the link is.
  func measure(_ id: HeadphoneID, send: @escaping Send) {
    guard let session = sessions[id] else { return }
    tasks.run {
      guard let measurement = await session.measure() else { return }
      let id = self.name(of: id)
      guard self.sessions[id] === session else { return }
      send(.measured(id, measurement))
    }
  }

  /// Ends all; returns when their channels are closed.
  func close() async {
    sessions = [:]
    pacer.dropAll()
    for task in runs.values { task.cancel() }
    for pairing in pairings.values { pairing.cancel() }
    for pairing in pairings.values { await pairing.value }
    for task in runs.values { await task.value }
    (runs, pairings) = ([:], [:])
  }

  private func deliver(
    _ report: HeadphoneConnection.Report, of id: HeadphoneID, from session: HeadphoneConnection,
    _ send: @escaping Send
  ) {
    let id = name(of: id)
    guard sessions[id] === session else { return }
    switch report {
    case .link(let event):
      // Where nothing goes on without a pairing, whoever connects again wants one.
      if case .failed = event { refusals[id]?.forget() }
      send(.link(id, event))
      guard case .ready(let description, _) = event else { return }
      measure(id, send: send)
      if let key = description.set?.key { gather(key, of: id, session, send) }
    case .received(let event): send(.headphone(id, event))
    }
  }

  /// Makes one headphone of all that were heard of a set.
  private func gather(
    _ key: SetKey, of id: HeadphoneID, _ session: HeadphoneConnection, _ send: @escaping Send
  ) {
    for member in registry.learn(key, of: id) { send(.joined(member, id)) }
    for peer in registry.members(of: id) { tasks.run { await session.link(member: peer) } }
  }

  private func drop(_ id: HeadphoneID, _ session: HeadphoneConnection) {
    let id = name(of: id)
    guard sessions[id] === session else { return }
    sessions[id] = nil
    pacer.drop(id)
    runs[id] = nil
  }
}
