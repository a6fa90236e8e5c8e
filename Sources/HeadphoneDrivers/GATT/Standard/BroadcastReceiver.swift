internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import HeadphoneProtocols

/// The characteristics of the Broadcast Audio Scan service (BASS 1.0).
struct BroadcastChannel: Hashable, Sendable {
  var control: Characteristic
  var states: [Characteristic]

  init?(_ database: Database) {
    guard let service = database.service(.broadcastAudioScan),
      let control = service.characteristic(.broadcastControlPoint), control.canWrite
    else { return nil }
    self.control = control
    states = service.characteristics.filter { $0.uuid == .broadcastReceiveState && $0.canRead }
  }
}

/// A headphone, or one bud of a set, as a receiver of broadcasts.
///
/// It runs on the client's executor. Events come from the receive states only, since an accepted
/// write proves nothing.
actor BroadcastReceiver: ValueFollower {
  nonisolated let client: GATTClient
  var deliveries: [ValueDelivery] = []
  private let channel: BroadcastChannel
  private nonisolated let emitter: EventEmitter
  private let clock: any Clock<Duration>
  private let stopwatch: ElapsedClock
  /// The side of the bud, or nil for a whole headphone or an unknown side.
  private let side: Side?

  private var states: ReceiveStates
  private var isFollowing = false
  /// The indices of the receive states that did not fit a notification.
  private var cutOff: Set<Int> = []
  private var reading: Task<Void, Never>?
  private(set) var missing: String?
  private var reported: BroadcastReception?
  /// The number of requests so far; a new request ends the previous ones.
  private var request: UInt64 = 0
  private var waiting: (caller: CheckedContinuation<Void, Never>, timer: Task<Void, Never>)?
  private var ending: HeadphoneError?

  init(
    _ channel: BroadcastChannel, on side: Side?, of client: GATTClient,
    clock: any Clock<Duration>, emitter: EventEmitter
  ) {
    self.channel = channel
    self.side = side
    self.client = client
    self.clock = clock
    self.emitter = emitter
    stopwatch = ElapsedClock(clock)
    states = ReceiveStates(count: channel.states.count)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

  var isOver: Bool { ending != nil }

  // MARK: Receive states

  /// Subscribes to the receive states and reads them; a GATT error only sets ``missing``.
  func start() async throws(HeadphoneError) {
    do throws(HeadphoneError) {
      try await follow()
    } catch .gatt(let error) {
      missing =
        error.isCuredByPairing
        ? "broadcasts: \(error.absence)"
        : "broadcasts: the headphone does not report them"
    }
  }

  func refresh() async throws(HeadphoneError) {
    reported = nil
    guard isFollowing else { return try await start() }
    try await readAll()
  }

  private func follow() async throws(HeadphoneError) {
    for (index, state) in channel.states.enumerated() {
      try await follow(state) { receiver, value in receiver.receive(value, at: index) }
    }
    try await readAll()
    isFollowing = true
    missing = nil
  }

  private func readAll() async throws(HeadphoneError) {
    for index in channel.states.indices { try await read(index) }
  }

  private func read(_ index: Int) async throws(HeadphoneError) {
    let handle = channel.states[index].handle
    let value = try await gatt { client throws(GATTError) in try await client.read(handle) }
    adopt(value, at: index)
  }

  /// Handles a notified receive state.
  ///
  /// A notification is silently cut off at the MTU, so a value that fills the MTU, or cannot be
  /// decoded, is read instead.
  private func receive(_ value: Bytes, at index: Int) {
    let isFull = client.assumeIsolated { value.count >= $0.mtu - 3 }
    if isFull || (try? ReceiveState.decode(value)) == nil, !value.isEmpty {
      cutOff.insert(index)
      reading = reading ?? Task { await readCutOff() }
    } else {
      adopt(value, at: index)
    }
  }

  /// Reads the states that did not fit, one at a time, however many notifications arrive.
  private func readCutOff() async {
    while let index = cutOff.popFirst() { try? await read(index) }
    reading = nil
  }

  private func adopt(_ value: Bytes, at index: Int) {
    guard !isOver else { return }
    do throws(MalformedBytes) {
      try states.receive(value, at: index)
    } catch {
      // Reported without the bytes, as they may contain a broadcast code.
      emitter.report(.malformed("\(error)"))
    }
    report()
    wake()
  }

  private func report(tried set: UInt8? = nil) {
    let reception = BroadcastReception(side, states.sources, triedSet: set)
    guard reception != reported else { return }
    reported = reception
    emitter.report(.receptionChanged(reception))
  }

  // MARK: Requests

  /// Carries out a request until the receive states show its effect, or throws `broadcast`.
  func perform(_ command: BroadcastCommand) async throws(HeadphoneError) {
    request += 1
    let number = request
    wake()
    if !isFollowing { try await follow() }
    var work = BroadcastRequest(command)
    while true {
      guard number == request else { throw .broadcast(.superseded) }
      if let ending { throw ending }
      switch work.next(states, at: stopwatch.elapsed) {
      case .end(let failure):
        report()
        if let failure { throw .broadcast(failure) }
        return
      case .read: try await readAll()
      case .wait(let end): await wait(until: end)
      case .write(let operation):
        report(tried: work.attempt?.set)
        do throws(HeadphoneError) {
          try await write(operation)
        } catch .gatt(.att(let error)) where work.survives(error.code) {
          try await readAll()
        } catch .gatt(.att(let error)) where error.code == .insufficientResources {
          throw .broadcast(.full)
        }
      }
    }
  }

  /// Writes Remote Scan Started or Stopped, a hint to the headphone; an ATT error is ignored.
  func announceSearch(_ isOn: Bool) async throws(HeadphoneError) {
    guard isFollowing else { return }
    do throws(HeadphoneError) {
      try await write(isOn ? .scanStarted : .scanStopped)
    } catch .gatt(.att) {}
  }

  private func write(_ operation: BroadcastScanOperation) async throws(HeadphoneError) {
    try await write(operation.encoded(), to: channel.control, by: clock)
  }

  private func wait(until end: Duration) async {
    wake()
    let rest = end - stopwatch.elapsed
    guard rest > .zero else { return }
    await withCheckedContinuation { caller in waiting = (caller, timer(rest)) }
  }

  private func timer(_ time: Duration) -> Task<Void, Never> {
    Task {
      try? await clock.sleep(for: time)
      if !Task.isCancelled { wake() }
    }
  }

  private func wake() {
    guard let ended = waiting.take() else { return }
    ended.timer.cancel()
    ended.caller.resume()
  }

  func end(_ error: HeadphoneError) {
    ending = ending ?? error
    endDeliveries()
    wake()
  }
}
