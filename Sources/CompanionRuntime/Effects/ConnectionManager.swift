internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import Companion
internal import HeadphoneProtocols
internal import Persistence

/// The connections to all headphones, at most one to each.
///
/// The manager owns the ``HeadphoneConnection``s, translates their reports to actions, and
/// attributes advertisements to headphones. A new attempt waits until the previous connection's
/// channel is closed, and reports of a connection that was replaced are dropped.
@MainActor
final class ConnectionManager {
  typealias Send = LiveEffectHandler.Send

  let dependencies: Dependencies
  let tap = TrafficObserver()
  let pacer: LinkPacer
  private var refusals: [HeadphoneID: PairingRefusal] = [:]
  private(set) var registry: DeviceRegistry
  private var united: [HeadphoneID: HeadphoneID] = [:]

  /// The connections whose reports still count.
  private(set) var sessions: [HeadphoneID: HeadphoneConnection] = [:]
  /// The last connections, which may be ending.
  var runs: [HeadphoneID: Task<Void, Never>] = [:]
  /// The last pairings, including those of the audio side.
  var pairings: [HeadphoneID: Task<Void, Never>] = [:]
  var keptKeys: [HeadphoneID: [KeptKeys]] = [:]

  private var powering: Task<Void, Never>?

  private let tasks: TaskRegistry

  init(dependencies: Dependencies, tasks: TaskRegistry) {
    self.dependencies = dependencies
    self.tasks = tasks
    registry = DeviceRegistry(
      bonds: dependencies.bonds, models: dependencies.models, now: dependencies.now)
    pacer = LinkPacer(clock: dependencies.clock)
  }

  var peers: [HeadphoneID: PeerAddress] { registry.peers }

  /// Attributes an advertisement to a headphone, sends it as an action, and links members of a set.
  func receive(_ peripheral: DiscoveredPeripheral, send: Send) {
    let peer = peripheral.peer
    var found = registry.receive(peripheral) { [sessions] in sessions[$0]?.members != nil }
    if peer.kind != .classic { found.traits = AdvertisedTraits(peripheral) }
    send(.discovered(found))
    if registry.headphone(withMember: peer) == found.id, let session = sessions[found.id] {
      session.link(member: peer)
    }
  }

  func know(_ headphone: KnownHeadphone) { registry.know(headphone) }

  func forget(_ id: HeadphoneID) { registry.forget(id) }

  func merge(_ newer: HeadphoneID, with older: HeadphoneID) {
    registry.merge(newer, with: older)
    sessions[older] = sessions.removeValue(forKey: newer)
    runs[older] = runs.removeValue(forKey: newer)
    if let pairing = pairings.removeValue(forKey: newer) { pairings[older] = pairing }
    if let refusal = refusals.removeValue(forKey: newer) { refusals[older] = refusal }
    united[newer] = older
    pacer.merge(newer, with: older)
  }

  /// Returns the identity after all merges.
  func name(of id: HeadphoneID) -> HeadphoneID { united[id] ?? id }

  func refusal(of id: HeadphoneID) -> PairingRefusal {
    let refusal = refusals[id] ?? PairingRefusal()
    refusals[id] = refusal
    return refusal
  }

  func session(of id: HeadphoneID) -> HeadphoneConnection? { sessions[id] }

  /// Connects a headphone when it advertises; the kernel waits, so this process does not wake up.
  func listen(for id: HeadphoneID, send: @escaping Send) {
    guard registry.peer(of: id) != nil else { return }
    connect(id, within: HeadphoneConnection.passiveTimeout, send: send)
  }

  /// Connects a headphone, in a task that runs the connection to its end.
  func connect(
    _ id: HeadphoneID, within limit: Duration = HeadphoneConnection.timeout, send: @escaping Send
  ) {
    guard let peer = registry.peer(of: id) else {
      return send(.link(id, .ended(.system("its address is not known"))))
    }
    let refusal = refusal(of: id)
    let session = HeadphoneConnection(
      id, radio: dependencies.radio, forced: dependencies.family,
      drivers: dependencies.models.drivers, clock: dependencies.clock
    ) {
      [dependencies, tap] id, peer in
      let makeDriver = dependencies.prepareDriver(id, peer)
      return { bearer, emitter in
        let trace = LinkTrace(headphone: id, channel: bearer.channel, tap: tap)
        let observed = ObservedBearer(bearer, by: trace)
        return await makeDriver(PairingBackoffBearer(base: observed, refusal: refusal), emitter)
      }
    }
    sessions[id] = session
    let previous = runs[id]
    previous?.cancel()
    runs[id] = Task { [weak self, powering] in
      // The previous link's channel may not be closed yet.
      await previous?.value
      await powering?.value
      let end = await session.run(to: peer, timeout: limit) { [weak self] report in
        self?.deliver(report, of: id, from: session, send)
      }
      self?.deliver(.link(end), of: id, from: session, send)
      self?.drop(id, session)
    }
  }

  /// Ends an attempt or link, whose later reports are ignored.
  func disconnect(_ id: HeadphoneID) {
    sessions[id] = nil
    pacer.drop(id)
    // What the cancelled pairing still notes does not count for the next link.
    refusals[id] = nil
    pairings.removeValue(forKey: id)?.cancel()
    runs[id]?.cancel()
  }

  /// Switches the adapter; before it is switched off, all links and attempts are ended.
  ///
  /// Linux 6.1.192 kills a process that closes a channel whose adapter is off
  /// (docs/troubleshooting.md). Connections that start meanwhile wait.
  func setPower(_ isOn: Bool) async throws(RadioError) {
    let ending = isOn ? [] : Array(runs.values)
    if !isOn { for session in sessions.values { session.end(.adapterGone) } }
    for run in ending { run.cancel() }
    let switching = Task { [dependencies] () -> Result<Void, RadioError> in
      for run in ending { await run.value }
      do throws(RadioError) {
        return .success(try await dependencies.radio.setPower(isOn))
      } catch {
        return .failure(error)
      }
    }
    powering = Task { _ = await switching.value }
    try await switching.value.get()
  }

  /// Sends a command, requesting a short connection interval for the next ones.
  ///
  /// When this method returns the outcome, every event before it has been sent.
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

  /// Asks for the charge alone; answered by `chargeRead`.
  func readCharge(_ id: HeadphoneID, send: @escaping Send) async {
    let isRead = await sessions[id]?.readCharge() == .done
    send(.chargeRead(name(of: id), isRead: isRead))
  }

  func measure(_ id: HeadphoneID, send: @escaping Send) {
    guard let session = sessions[id] else { return }
    tasks.run {
      guard let measurement = await session.measure() else { return }
      let id = self.name(of: id)
      guard self.sessions[id] === session else { return }
      send(.measured(id, measurement))
    }
  }

  /// Ends all connections, and returns when their channels are closed.
  func close() async {
    sessions = [:]
    pacer.dropAll()
    for task in runs.values { task.cancel() }
    for pairing in pairings.values { pairing.cancel() }
    for pairing in pairings.values { await pairing.value }
    for task in runs.values { await task.value }
    (runs, pairings) = ([:], [:])
  }

  /// Sends a connection's report as an action, unless another connection has replaced it.
  private func deliver(
    _ report: HeadphoneConnection.Report, of id: HeadphoneID, from session: HeadphoneConnection,
    _ send: @escaping Send
  ) {
    let id = name(of: id)
    guard sessions[id] === session else { return }
    switch report {
    case .link(let event):
      // A new attempt after a failed start comes from the user, who may want to pair.
      if case .failed = event { refusals[id]?.forget() }
      send(.link(id, event))
      guard case .ready(let description, _) = event else { return }
      measure(id, send: send)
      tasks.run { await self.identify(id, send: send) }
      if let key = description.set?.key { gather(key, of: id, session, send) }
    case .received(let event): send(.headphone(id, event))
    }
  }

  /// Adopts the identity address of a headphone that another program's pairing has revealed.
  func identify(_ id: HeadphoneID, send: @escaping Send) async {
    guard let peer = registry.peer(of: id), !peer.isIdentity else { return }
    let identity = await dependencies.radio.identity(of: peer)
    guard identity != peer, let found = registry.learn(identity, of: name(of: id)) else { return }
    send(.discovered(found))
  }

  private func gather(
    _ key: SetKey, of id: HeadphoneID, _ session: HeadphoneConnection, _ send: @escaping Send
  ) {
    for member in registry.learn(key, of: id) { send(.joined(member, id)) }
    // Older addresses may be outdated, and attempts delay each other.
    for peer in registry.members(of: id).reversed() { session.link(member: peer) }
  }

  private func drop(_ id: HeadphoneID, _ session: HeadphoneConnection) {
    let id = name(of: id)
    guard sessions[id] === session else { return }
    sessions[id] = nil
    pacer.drop(id)
    runs[id] = nil
  }
}
