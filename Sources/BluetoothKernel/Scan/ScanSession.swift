internal import BluetoothCodec
internal import BluetoothRadio
internal import EventLoop
internal import Locking

final class ScanSession: Sendable {
  typealias Continuation = AsyncThrowingStream<DiscoveredPeripheral, any Error>.Continuation

  private static let operation = "scanning"
  /// The time-out of stopping, after which the scan ends without the controller's completion.
  private static let timeout: Duration = .seconds(2)
  private static let filter = HCIFilter(
    types: [.command, .event],
    events: [HCIEventCode.commandComplete, HCIEventCode.commandStatus, HCIEventCode.leMeta])

  private struct State {
    var procedure: ScanProcedure
    var peers: PeerTable
    var failure: RadioError?
    var malformedCount = 0
    var resolvesAddresses = false
  }

  /// The number of malformed packets reported singly; a hostile device could fill the log.
  private static let reportedMalformed = 16

  private let socket: HCISocket
  private let management: ManagementSocket?
  private let choice: AdapterChoice
  private let options: ScanOptions
  private let loop: PollLoop
  private let clock: any Clock<Duration>
  private let stopwatch: ElapsedClock
  private let state: Mutex<State>
  private let bonds: any BondStore
  private let rule: @Sendable () async -> PairingAuthority
  private let found: Continuation
  private let notice: @Sendable (RadioWarning) -> Void

  init(
    _ choice: AdapterChoice, for purpose: ScanProcedure.Purpose = .results, options: ScanOptions,
    loop: PollLoop, clock: any Clock<Duration>,
    bonds: any BondStore, rule: @escaping @Sendable () async -> PairingAuthority,
    found: Continuation, notice: @escaping @Sendable (RadioWarning) -> Void
  ) throws(RadioError) {
    let adapter = try choice.choose()
    self.choice = choice
    management = try? ManagementSocket()
    // The kernel alone uses the reports of a scan for a connection, which may last for days.
    socket = try HCISocket(
      adapter: adapter, filter: Self.filter,
      passing: purpose == .connection ? ForeignHCICommands.packets : nil, during: Self.operation)
    self.options = options
    self.loop = loop
    self.clock = clock
    self.bonds = bonds
    self.rule = rule
    self.found = found
    self.notice = notice
    stopwatch = ElapsedClock(clock)
    // Without a public address the kernel has set a random static one.
    let own: OwnAddressType = adapter.address.value == 0 ? .random : .public
    state = Mutex(
      State(
        procedure: ScanProcedure(adapter: adapter.name, own: own, for: purpose),
        peers: PeerTable(options)))
  }

  func run() async {
    // Reports must not wait for a file, so the keys that resolve their addresses are read first. A
    // kernel with other keys could not connect to the resolved addresses.
    if await rule() == .own {
      _ = await bonds.bonds()
      state.withLock { $0.resolvesAddresses = true }
    }
    guard !Task.isCancelled else { return found.finish() }
    perform { $0.procedure.start(at: $1) }
    let reader = LoopReader(on: loop)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await reader.run { _ in await self.pump() } }
      if let management {
        group.addTask { await reader.run { _ in await self.follow(management) } }
      }
      if let duration = options.duration {
        group.addTask { await self.end(after: duration) }
      }
      // The first task to end the scan ends the others, too.
      while !isOver, await group.next() != nil {}
      group.cancelAll()
    }
    let malformedCount = state.withLock(\.malformedCount)
    if malformedCount > Self.reportedMalformed { notice(.manyMalformed(malformedCount)) }
    found.finish(throwing: state.withLock(\.failure))
  }

  func stop() {
    perform { $0.procedure.stop(at: $1) }
  }

  private func end(after duration: Duration) async {
    guard (try? await clock.sleep(for: duration)) != nil else { return }
    stop()
    guard (try? await clock.sleep(for: Self.timeout)) != nil else { return }
    perform { $0.procedure.tick(at: $1) }
  }

  /// Handles management events, as a raw socket of an adapter that is off receives nothing.
  private nonisolated(nonsending) func follow(_ management: ManagementSocket) async {
    while !isOver {
      switch management.receive() {
      case .packet(let packet) where packet.controller == socket.adapter.index:
        receive(packet.event)
      case .packet: continue
      case .malformed(let error): state.withLock { count(error, &$0) }
      case .nothing:
        guard (try? await loop.readable(management.descriptor.number)) != nil else { return }
      case .ended: return
      }
    }
  }

  private func receive(_ event: ManagementEvent) {
    switch event {
    case .indexRemoved, .newSettings:
      if !socket.adapter.isUp { fail(choice.whyNot(socket.adapter)) }
    case .commandComplete(.startDiscovery, let status, _),
      .commandStatus(.startDiscovery, let status):
      state.withLock { $0.procedure.receiveDiscoveryStatus(status) }
    case .discovering(_, false): perform { state, _ in state.procedure.discoveryEnded() }
    default: return
    }
  }

  private nonisolated(nonsending) func pump() async {
    while !isOver {
      await readPackets()
      if isOver { return }
      guard let deadline = state.withLock(\.procedure.nextDeadline) else {
        if !(await becomesReadable()) { return }
        continue
      }
      let isReadable = await within(deadline - stopwatch.elapsed, by: clock) {
        await self.becomesReadable()
      }
      if Task.isCancelled { return }
      if isReadable == nil { perform { $0.procedure.tick(at: $1) } }
    }
  }

  private var isOver: Bool { state.withLock(\.procedure.isOver) }

  /// Waits for the socket; false after its end.
  private nonisolated(nonsending) func becomesReadable() async -> Bool {
    (try? await loop.readable(socket.descriptor.number)) != nil
  }

  /// Handles the pending packets, between which links have their turn.
  private nonisolated(nonsending) func readPackets() async {
    let turn = LoopTurn(of: loop)
    while true {
      switch socket.receive() {
      case .packet(let packet):
        perform { $0.procedure.receive(packet, at: $1) }
        await turn.pass()
      case .malformed(let error): state.withLock { count(error, &$0) }
      case .nothing: return
      case .ended(let code):
        return fail(
          RadioError(errno: code, during: Self.operation, adapter: socket.adapter.name))
      }
    }
  }

  private func perform(_ step: (inout State, Duration) -> [ScanProcedure.Effect]) {
    let now = stopwatch.elapsed
    state.withLock { state in
      for effect in step(&state, now) {
        switch effect {
        case .send(let command): send(command, &state)
        case .received(let report):
          var malformed: [MalformedBytes] = []
          let peripheral = state.peers.receive(report, at: now) { malformed.append($0) }
          for error in malformed { count(error, &state) }
          if var peripheral {
            if state.resolvesAddresses { peripheral.peer = bonds.identity(of: peripheral.peer) }
            found.yield(peripheral)
          }
        case .failed(let error): state.failure = error
        case .startDiscovery: management?.send(.startDiscovery(.le), to: socket.adapter)
        case .stopDiscovery: management?.send(.stopDiscovery(.le), to: socket.adapter)
        case .listensAlong: notice(.anotherScans(adapter: socket.adapter.name))
        case .finished: break
        }
      }
    }
  }

  /// Counts and reports a malformed packet; the lock must be held.
  private func count(_ error: MalformedBytes, _ state: inout State) {
    state.malformedCount += 1
    if state.malformedCount <= Self.reportedMalformed { notice(.malformed(error)) }
  }

  /// Sends a command; the lock must be held.
  private func send(_ command: HCICommand, _ state: inout State) {
    do {
      try socket.send(command)
    } catch .notPermitted(_, let capability) {
      state.failure = .notPermitted(operation: Self.operation, capability: capability)
      state.procedure.giveUp()
    } catch {
      state.failure = error
      state.procedure.giveUp()
    }
  }

  private func fail(_ error: RadioError) {
    state.withLock { state in
      state.failure = error
      state.procedure.giveUp()
    }
  }
}
