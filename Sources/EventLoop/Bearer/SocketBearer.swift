public import Bluetooth
public import BluetoothCodec
internal import Locking

/// A ``/Bluetooth/Bearer`` over a connected SOCK_SEQPACKET descriptor: an L2CAP channel of the
/// kernel, or one end of a local pair.
///
/// The bearer owns the descriptor. It waits for writability only while PDUs are queued, and pauses
/// reading while 64 received PDUs wait for a receiver, so that a peer cannot exhaust the memory.
/// Its members may be called from any thread; on the loop's thread sending and receiving need no
/// thread hop.
///
/// ```swift
/// let (phone, headphone) = try SocketBearer.pair(loop: .shared)
/// try await phone.send([0x0A, 0x03, 0x00])  // ATT_READ_REQ, handle 3
/// let request = try await headphone.receive()
/// try await headphone.send([0x0B, 0x64])    // ATT_READ_RSP, one byte
/// phone.close(.user)
/// ```
public final class SocketBearer: Bearer {
  /// The number of received PDUs at which reading pauses.
  static let inboundLimit = 64
  /// The number of posted PDUs that may be queued; more of them close the bearer.
  static let outboundLimit = 64

  /// The kind of channel, as given at the start.
  public let channel: LinkChannel
  /// The loop that polls the descriptor.
  let loop: PollLoop
  /// The operations on the link.
  let hooks: LinkCallbacks
  let state: Mutex<BearerState>

  /// Takes over a descriptor, which must be connected and non-blocking.
  ///
  /// - Parameters:
  ///   - descriptor: a SOCK_SEQPACKET socket, which the bearer closes.
  ///   - loop: polls the descriptor, and is the bearer's executor.
  ///   - hooks: the operations on the link.
  ///   - sendBuffer: the size of SO_SNDBUF in bytes; `nil` for the kernel's default, which hides
  ///     seconds of traffic.
  ///   - channel: the protocol of the channel.
  /// - Throws: the kernel's error; the descriptor is then closed.
  public init(
    descriptor: Int32, loop: PollLoop, hooks: LinkCallbacks = LinkCallbacks(),
    sendBuffer: Int? = nil,
    channel: LinkChannel = .attributes
  ) throws(SystemCallError) {
    self.channel = channel
    self.loop = loop
    self.hooks = hooks
    let socket = PacketSocket(descriptor: descriptor)
    state = Mutex(BearerState(socket: socket))
    do {
      if let sendBuffer { try socket.setSendBuffer(bytes: sendBuffer) }
      try startWatching()
    } catch {
      loop.close(descriptor)
      throw error
    }
  }

  /// The poll loop, on whose thread sending and receiving need no thread hop.
  public var executor: any SerialExecutor { loop }

  /// Sends one PDU in order, behind those that are queued; suspends until the socket's buffer has
  /// room.
  public nonisolated(nonsending) func send(_ pdu: Bytes) async throws(BearerClosed) {
    if try sendNow(pdu) { return }
    let id = state.withLock { $0.newID() }
    try await withTaskCancellationHandler {
      await withCheckedContinuation {
        enqueue(BearerState.Outgoing(pdu: pdu, id: id, waiter: $0))
      }
    } onCancel: {
      stopWaiting(id)
    }.get()
  }

  /// Queues one PDU without waiting.
  ///
  /// More than 64 PDUs that the peer does not accept close the bearer (`.protocolViolation`).
  public func post(
    _ pdu: Bytes, whenSent: @escaping @Sendable () -> Void
  ) throws(BearerClosed) -> Bool {
    if try sendNow(pdu) { return true }
    enqueue(BearerState.Outgoing(pdu: pdu, id: 0, whenSent: whenSent))
    if state.withLock({ $0.outbound.count }) > Self.outboundLimit {
      close(.protocolViolation("takes none of \(Self.outboundLimit) PDUs that it asked for"))
    }
    return false
  }

  /// Receives the next PDU; for one consumer, a second concurrent one gets an error.
  ///
  /// - Throws: the reason why the bearer is closed, after the last PDU.
  public nonisolated(nonsending) func receive() async throws(BearerClosed) -> Bytes {
    if let pdu = try popReceived() { return pdu }
    return try await withCheckedContinuation { waitToReceive($0) }.get()
  }

  /// Delivers PDUs and the end to a sink on the loop's thread, those received earlier first.
  public func deliver(to sink: @escaping @Sendable (Result<Bytes, BearerClosed>) -> Void) {
    state.withLock { $0.sink = sink }
    scheduleDelivery()
  }

  /// Raises security; PDUs that are sent meanwhile are queued.
  ///
  /// Concurrent callers share one attempt and its result, if it raises the level enough for them.
  ///
  /// - Parameter level: the lowest sufficient level.
  /// - Throws: the reason why the link does not have that security.
  public func raiseSecurity(to level: SecurityLevel) async throws(SecurityFailure) {
    let task = state.withLock { state in
      let running = state.raise
      if let running, running.level >= level { return running.task }
      let task = Task {
        _ = await running?.task.value
        return await self.raise(to: level)
      }
      state.raise = BearerState.SecurityRaise(level: level, task: task)
      return task
    }
    let outcome = await task.value
    state.withLock { if $0.raise?.task == task { $0.raise = nil } }
    try outcome.get()
  }

  /// One attempt, with sending paused.
  private func raise(to level: SecurityLevel) async -> Result<Void, SecurityFailure> {
    change { $0.isHeld = true }
    var failure: SecurityFailure?
    do throws(SecurityFailure) {
      try await hooks.raiseSecurity(self, level)
      failure = closed.map(SecurityFailure.closed)
    } catch {
      failure = error
    }
    change { $0.isHeld = false }
    flush()
    return failure.map(Result.failure) ?? .success(())
  }

  /// The link's current security.
  public var security: SecurityLevel { hooks.security(self) }

  /// Measures the link.
  public func measure() async -> LinkQuality { await hooks.measure(self) }

  /// Requests other connection parameters.
  public func retime(to request: TimingRange) async throws(TimingFailure) -> LEConnectionTiming {
    try await hooks.retime(self, request)
  }

  /// The reason why the bearer is closed; `nil` while it is open, or while the reason is being
  /// determined.
  public var closed: BearerClosed? { state.withLock { $0.closed } }

  /// Closes the descriptor; queued PDUs are lost.
  public func close(_ reason: BearerClosed.Reason) {
    detach()
    finish(BearerClosed(reason))
  }
}

// MARK: - The descriptor, for callbacks

extension SocketBearer {
  /// Calls `body` with the descriptor, which stays open meanwhile.
  ///
  /// - Parameter body: runs under the bearer's lock; must not block or use the bearer.
  /// - Returns: the result of `body`; `nil` if the bearer has closed the descriptor.
  public func withDescriptor<Value: Sendable>(_ body: (Int32) -> Value) -> Value? {
    state.withLock { state in state.isOpen ? body(state.socket.descriptor) : nil }
  }

  /// Suspends until the descriptor is writable, or the task is cancelled.
  ///
  /// - Throws: the reason why the bearer is closed.
  public nonisolated(nonsending) func writable() async throws(BearerClosed) {
    let id = state.withLock { $0.newID() }
    try await withTaskCancellationHandler {
      await withCheckedContinuation { waitToWrite(id, $0) }
    } onCancel: {
      stopWaiting(id)
    }.get()
  }
}
