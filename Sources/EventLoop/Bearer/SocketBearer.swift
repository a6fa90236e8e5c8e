public import BluetoothCodec
public import BluetoothRadio
internal import Locking

/// A bearer over a connected SOCK_SEQPACKET descriptor: an L2CAP channel or an end of a local pair.
///
/// The bearer owns the descriptor. It pauses reading while 64 received PDUs wait for a receiver, so
/// that a peer cannot exhaust the memory. Members may be called from any thread; on the loop's
/// thread, sending and receiving need no thread hop.
public final class SocketBearer: Bearer {
  /// The number of received PDUs at which reading pauses.
  static let inboundLimit = 64
  /// The number of posted PDUs that may be queued; one more closes the bearer.
  static let outboundLimit = 64

  public let channel: LinkChannel
  let loop: PollLoop
  let hooks: LinkCallbacks
  let state: Mutex<BearerState>

  /// Takes ownership of a descriptor, which must be connected and non-blocking.
  ///
  /// - Parameters:
  ///   - loop: polls the descriptor, and is the bearer's executor.
  ///   - sendBuffer: the size of SO_SNDBUF in bytes, or nil for the kernel's default, which hides
  ///     seconds of traffic.
  /// - Throws: the kernel's error, after closing the descriptor.
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

  public var executor: any SerialExecutor { loop }

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

  public nonisolated(nonsending) func receive() async throws(BearerClosed) -> Bytes {
    if let pdu = try popReceived() { return pdu }
    return try await withCheckedContinuation { waitToReceive($0) }.get()
  }

  public func deliver(to sink: @escaping @Sendable (Result<Bytes, BearerClosed>) -> Void) {
    state.withLock { $0.sink = sink }
    scheduleDelivery()
  }

  /// Raises the link's security; concurrent callers share an attempt that suffices for them.
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

  public var security: SecurityLevel { hooks.security(self) }

  public func measure() async -> LinkQuality { await hooks.measure(self) }

  public func retime(to request: TimingRange) async throws(TimingFailure) -> LEConnectionTiming {
    try await hooks.retime(self, request)
  }

  /// The reason why the bearer is closed, or nil while it is open or the reason is unknown.
  public var closed: BearerClosed? { state.withLock { $0.closed } }

  public func close(_ reason: BearerClosed.Reason) {
    detach()
    finish(BearerClosed(reason))
  }
}

// MARK: - The descriptor, for callbacks

extension SocketBearer {
  /// Calls `body` with the descriptor, which stays open meanwhile, or returns nil if it is closed.
  ///
  /// - Parameter body: runs under the bearer's lock; must not block or use the bearer.
  public func withDescriptor<Value: Sendable>(_ body: (Int32) -> Value) -> Value? {
    state.withLock { state in state.isOpen ? body(state.socket.descriptor) : nil }
  }

  /// Suspends until the descriptor is writable or the task is cancelled.
  public nonisolated(nonsending) func writable() async throws(BearerClosed) {
    let id = state.withLock { $0.newID() }
    try await withTaskCancellationHandler {
      await withCheckedContinuation { waitToWrite(id, $0) }
    } onCancel: {
      stopWaiting(id)
    }.get()
  }
}
