internal import Bluetooth
internal import BluetoothCodec
internal import Companion
internal import GATT
internal import HeadphoneProtocols
internal import Persistence

/// The connections to all headphones, at most one to each.
///
/// Owns the ``HeadphoneConnection``s, translates their reports to actions, and attributes
/// advertisements to headphones.
///
/// At most one connection per headphone reports: a new attempt waits until the channel of the one
/// before is closed, and reports of a connection that was replaced are dropped. All of it runs on
/// the main actor; the connections themselves are actors.
@MainActor
final class ConnectionManager {
  typealias Send = LiveEffectHandler.Send

  let dependencies: Dependencies
  /// The PDUs of all links.
  let tap = TrafficObserver()
  let pacer: LinkPacer
  /// Failed pairings, by headphone.
  private var refusals: [HeadphoneID: PairingRefusal] = [:]
  private(set) var registry: DeviceRegistry
  /// Identities that were merged into others.
  private var united: [HeadphoneID: HeadphoneID] = [:]

  /// Connections whose reports still count.
  private(set) var sessions: [HeadphoneID: HeadphoneConnection] = [:]
  /// The task of each headphone's last connection, which may be ending.
  var runs: [HeadphoneID: Task<Void, Never>] = [:]
  /// The task of each headphone's last pairing, which covers the audio side, too.
  var pairings: [HeadphoneID: Task<Void, Never>] = [:]
  /// The keys of each forgotten headphone that could not be deleted.
  var keptKeys: [HeadphoneID: [KeptKeys]] = [:]

  /// The last change of the adapter's power.
  private var powering: Task<Void, Never>?

  private let tasks: TaskRegistry

  init(dependencies: Dependencies, tasks: TaskRegistry) {
    self.dependencies = dependencies
    self.tasks = tasks
    registry = DeviceRegistry(
      bonds: dependencies.bonds, models: dependencies.models, now: dependencies.now)
    pacer = LinkPacer(clock: dependencies.clock)
  }

  /// The last address of each headphone.
  var peers: [HeadphoneID: PeerAddress] { registry.peers }

  /// An advertisement: attributed to a headphone, sent as an action, and used to link members of a
  /// set.
  func receive(_ peripheral: DiscoveredPeripheral, send: Send) {
    let peer = peripheral.peer
    let peripheral = registry.receive(peripheral) { [sessions] in sessions[$0]?.members != nil }
    send(.discovered(peripheral))
    if registry.headphone(withMember: peer) == peripheral.id, let session = sessions[peripheral.id]
    {
      session.link(member: peer)
    }
  }

  /// Adds a headphone of an earlier run to the registry.
  func know(_ headphone: KnownHeadphone) { registry.know(headphone) }

  /// Removes a headphone from the registry; its connection is not touched.
  func forget(_ id: HeadphoneID) { registry.forget(id) }

  /// Continues a connection under the identity that its headphone is known by.
  func merge(_ newer: HeadphoneID, with older: HeadphoneID) {
    registry.merge(newer, with: older)
    sessions[older] = sessions.removeValue(forKey: newer)
    runs[older] = runs.removeValue(forKey: newer)
    if let pairing = pairings.removeValue(forKey: newer) { pairings[older] = pairing }
    if let refusal = refusals.removeValue(forKey: newer) { refusals[older] = refusal }
    united[newer] = older
    pacer.merge(newer, with: older)
  }

  /// The identity after all merges.
  func name(of id: HeadphoneID) -> HeadphoneID { united[id] ?? id }

  /// The pairing refusal of a headphone, shared with the bearer of its link.
  func refusal(of id: HeadphoneID) -> PairingRefusal {
    let refusal = refusals[id] ?? PairingRefusal()
    refusals[id] = refusal
    return refusal
  }

  /// The connection whose reports still count; nil: there is none.
  func session(of id: HeadphoneID) -> HeadphoneConnection? { sessions[id] }

  /// Connects a headphone as soon as it advertises, and reports nothing until then.
  ///
  /// The kernel waits (background connection), so nothing wakes up in this process.
  func listen(for id: HeadphoneID, send: @escaping Send) {
    guard registry.peer(of: id) != nil else { return }
    connect(id, within: HeadphoneConnection.passiveTimeout, send: send)
  }

  /// Connects a headphone, in a task that runs the connection to its end.
  ///
  /// - Parameters:
  ///   - id: The headphone; without a known address the attempt ends at once.
  ///   - limit: How long the radio may try.
  ///   - send: Receives what the connection reports.
  func connect(
    _ id: HeadphoneID, within limit: Duration = HeadphoneConnection.timeout, send: @escaping Send
  ) {
    guard let peer = registry.peer(of: id) else {
      return send(.link(id, .ended(.system("its address is not known"))))
    }
    let refusal = refusal(of: id)
    let session = HeadphoneConnection(
      id, radio: dependencies.radio, forced: dependencies.family, clock: dependencies.clock
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

  /// Ends attempt or link, whose further reports are ignored.
  func disconnect(_ id: HeadphoneID) {
    sessions[id] = nil
    pacer.drop(id)
    // What the cancelled pairing still notes does not count for the next link.
    refusals[id] = nil
    pairings.removeValue(forKey: id)?.cancel()
    runs[id]?.cancel()
  }

  /// Switches the adapter; before it goes off, all links and attempts end as they would with it.
  ///
  /// Linux 6.1.192 kills a process that closes a channel whose adapter is off
  /// (docs/troubleshooting.md). Connections that are begun meanwhile wait.
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

  /// Sends a command, and makes the link quick for the next ones.
  ///
  /// - Returns: The outcome; every event that preceded it has been sent.
  func perform(
    _ id: HeadphoneID, _ command: HeadphoneCommand, send: @escaping Send
  ) async -> CommandOutcome {
    guard let session = sessions[id] else { return .failed(.linkLost(.user)) }
    pacer.use(id, session, send)
    return await session.perform(command)
  }

  /// Reads all values again, and then measures the link.
  func refresh(_ id: HeadphoneID, send: @escaping Send) {
    guard let session = sessions[id] else { return }
    tasks.run {
      if case .failed(let failure) = await session.refresh() {
        send(.noted(.warning, id, "reading again: \(failure.displayText)"))
      }
      self.measure(id, send: send)
    }
  }

  /// Measures the quality of the link.
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

  /// A report of a connection as an action, unless another connection has replaced it.
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

  /// Takes over the identity address of a headphone that another program's pairing has revealed.
  func identify(_ id: HeadphoneID, send: @escaping Send) async {
    guard let peer = registry.peer(of: id), !peer.isIdentity else { return }
    let identity = await dependencies.radio.identity(of: peer)
    guard identity != peer, let found = registry.learn(identity, of: name(of: id)) else { return }
    send(.discovered(found))
  }

  /// Merges discoveries that belong to one coordinated set.
  private func gather(
    _ key: SetKey, of id: HeadphoneID, _ session: HeadphoneConnection, _ send: @escaping Send
  ) {
    for member in registry.learn(key, of: id) { send(.joined(member, id)) }
    // Older addresses may be of the past, and each attempt is in the way of the others.
    for peer in registry.members(of: id).reversed() { session.link(member: peer) }
  }

  /// Forgets a connection that has ended, if it is still the current one.
  private func drop(_ id: HeadphoneID, _ session: HeadphoneConnection) {
    let id = name(of: id)
    guard sessions[id] === session else { return }
    sessions[id] = nil
    pacer.drop(id)
    runs[id] = nil
  }
}
