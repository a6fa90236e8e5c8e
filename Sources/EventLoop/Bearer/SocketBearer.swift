public import Bluetooth
public import BluetoothCodec
internal import Synchronization

/// A ``/GATT/Bearer`` over a connected SOCK_SEQPACKET descriptor: L2CAP's fixed channel, or a local
/// pair.
///
/// Owns the descriptor. All waits are resumed from the loop's thread; write interest exists only
/// while something is queued; reading pauses while nobody takes what came.
public final class SocketBearer: Bearer {
  /// PDUs that wait for ``receive()`` before reading pauses.
  static let inboundLimit = 64
  /// Posted PDUs that the peer does not take before the bearer gives up.
  static let outboundLimit = 64

  public let channel: LinkChannel
  let loop: PollLoop
  let hooks: LinkCallbacks
  let state: Mutex<BearerState>

  /// Takes over `descriptor`, which must be connected and non-blocking.
  ///
  /// - Parameter sendBuffer: bytes of SO_SNDBUF; nil: the kernel's default, which hides seconds of
  ///   traffic.
  /// - Throws: what the kernel says; the descriptor is closed then.
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

  /// The poll loop: what runs there sends and receives without a thread hop.
  public var executor: any SerialExecutor { loop }

  /// Sends one PDU; waits in order behind what is queued, until the socket's buffer has room.
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

  /// Queues one PDU without waiting; more than 64 that the peer does not take close the bearer
  /// (`.protocolViolation`).
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

  /// The next PDU; reading from the socket pauses while 64 wait to be taken.
  public nonisolated(nonsending) func receive() async throws(BearerClosed) -> Bytes {
    if let pdu = try takeReceived() { return pdu }
    return try await withCheckedContinuation { waitToReceive($0) }.get()
  }

  /// Hands over on the poll loop's thread, what has come before first.
  public func deliver(to sink: @escaping @Sendable (Result<Bytes, BearerClosed>) -> Void) {
    state.withLock { $0.sink = sink }
    scheduleDelivery()
  }

  /// Raises security by the hook; what is sent meanwhile waits until that has ended.
  ///
  /// Who wants what another is raising already has what comes of that.
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
    defer {
      change { $0.isHeld = false }
      flush()
    }
    do throws(SecurityFailure) {
      try await hooks.raiseSecurity(self, level)
    } catch {
      return .failure(error)
    }
    return state.withLock { $0.closed }.map { .failure(.closed($0)) } ?? .success(())
  }

  public var security: SecurityLevel { hooks.security(self) }

  public func measure() async -> LinkQuality { await hooks.measure(self) }

  public func retime(to request: TimingRange) async throws(TimingFailure) -> LEConnectionTiming {
    try await hooks.retime(self, request)
  }

  /// Nil also while the reason why the link ended is looked for.
  public var closed: BearerClosed? { state.withLock { $0.closed } }

  /// Ends the polling and closes the descriptor; what is queued is lost.
  public func close(_ reason: BearerClosed.Reason) {
    detach()
    finish(BearerClosed(reason))
  }
}

// MARK: - The descriptor, for hooks

extension SocketBearer {
  /// Lends the descriptor; nil when the bearer has closed it.
  public func withDescriptor<Value: Sendable>(_ body: (Int32) -> Value) -> Value? {
    state.withLock { state in state.isOpen ? body(state.socket.descriptor) : nil }
  }

  /// Returns when the descriptor is writable, or the waiting task is cancelled.
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

  /// Free bytes of the send buffer; nil when the bearer is closed or nobody tells.
  public var freeSendSpace: Int? {
    state.withLock { state in state.isOpen ? try? state.socket.freeSendSpace() : nil }
  }

  /// A small buffer makes "sent" mean "nearly on the air", for bulk transfer.
  public func setSendBuffer(bytes: Int) throws(SystemCallError) {
    let outcome = state.withLock { state in
      Result { () throws(SystemCallError) in
        guard state.isOpen else { throw .closed }
        try state.socket.setSendBuffer(bytes: bytes)
      }
    }
    try outcome.get()
  }
}
