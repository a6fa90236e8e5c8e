internal import BluetoothCodec
internal import BluetoothRadio
internal import Locking

extension SocketBearer: Watcher {
  /// Registers the descriptor with the loop, under the lock so that events find the watch.
  func startWatching() throws(SystemCallError) {
    let outcome = state.withLock { state in
      Result { () throws(SystemCallError) in
        state.watch = try loop.watch(state.socket.descriptor, for: BearerState.reading, self)
      }
    }
    try outcome.get()
  }

  /// Handles readiness; the end comes before data, because it receives the last PDUs, too.
  func ready(_ readiness: Readiness) {
    guard readiness.isDisjoint(with: .ended) else { return hangUp(0) }
    if readiness.contains(.readable) { receiveOne() }
    if readiness.contains(.writable) {
      wakeWriters()
      flush()
    }
  }

  /// Receives one packet per wake-up: a second read would nearly always return "would block".
  private func receiveOne() {
    let (received, destination) = state.withLock { state in
      guard state.isOpen else { return (PacketSocket.Received.nothing, Destination.queue) }
      let received = state.socket.receive()
      guard case .packet(let pdu) = received else { return (received, Destination.queue) }
      return (received, accept(pdu, &state))
    }
    switch received {
    case .packet(let pdu): destination.deliver(pdu)
    case .nothing: break
    case .tooLong(let count): close(Self.tooLong(count))
    case .failed(let code): hangUp(code)
    }
  }

  /// The destination of a PDU that has just been received.
  private enum Destination {
    case sink(BearerState.Sink)
    case receiver(BearerState.Waiter<Bytes>)
    case queue

    func deliver(_ pdu: Bytes) {
      switch self {
      case .sink(let sink): sink(.success(pdu))
      case .receiver(let receiver): receiver.resume(returning: .success(pdu))
      case .queue: break
      }
    }
  }

  /// Returns where a PDU goes, after queueing it if necessary; the lock must be held.
  private func accept(_ pdu: Bytes, _ state: inout BearerState) -> Destination {
    if let receiver = state.receiver.take() { return .receiver(receiver) }
    if let sink = state.sink, state.inbound.isEmpty, loop.isOnThread { return .sink(sink) }
    state.inbound.append(pdu)
    updateInterest(&state)
    return .queue
  }

  private static func tooLong(_ count: Int) -> BearerClosed.Reason {
    .protocolViolation("a PDU of \(count) bytes, longer than any ATT_MTU that was offered")
  }

  func popReceived() throws(BearerClosed) -> Bytes? {
    let (pdu, closed) = state.withLock { state -> (Bytes?, BearerClosed?) in
      let pdu = state.popInbound()
      updateInterest(&state)
      return (pdu, state.closed)
    }
    if pdu == nil, let closed { throw closed }
    return pdu
  }

  /// Resumes `receiver` with the next PDU or the end; a second concurrent receiver gets an error.
  func waitToReceive(_ receiver: BearerState.Waiter<Bytes>) {
    let outcome = state.withLock { state -> Result<Bytes, BearerClosed>? in
      if let pdu = state.popInbound() { return .success(pdu) }
      if let closed = state.closed { return .failure(closed) }
      guard state.receiver == nil else {
        return .failure(BearerClosed(.protocolViolation("two receivers of one bearer")))
      }
      state.receiver = receiver
      return nil
    }
    if let outcome { receiver.resume(returning: outcome) }
  }
}

// MARK: - The sink

extension SocketBearer {
  func scheduleDelivery() {
    guard state.withLock({ $0.sink != nil }) else { return }
    if loop.isOnThread {
      deliverQueued()
    } else {
      loop.schedule { self.deliverQueued() }
    }
  }

  private func deliverQueued() {
    while let (sink, result) = nextForSink() { sink(result) }
  }

  /// Returns the next element for the sink; the end follows the last PDU, once.
  private func nextForSink() -> (BearerState.Sink, Result<Bytes, BearerClosed>)? {
    change { state in
      guard let sink = state.sink else { return nil }
      if let pdu = state.popInbound() { return (sink, .success(pdu)) }
      guard let closed = state.closed else { return nil }
      state.sink = nil
      return (sink, .failure(closed))
    }
  }
}

// MARK: - The end

extension SocketBearer {
  /// Receives what has arrived, closes the descriptor, determines the reason and ends the bearer.
  ///
  /// - Parameter hint: the errno of the failed call, used if the socket has no pending error.
  func hangUp(_ hint: Int32) {
    var receiver: (BearerState.Waiter<Bytes>, Bytes)?
    var overlong: BearerClosed.Reason?
    let code = state.withLock { state -> Int32? in
      guard state.isOpen else { return nil }
      var code = state.socket.pendingError()
      draining: while true {
        switch state.socket.receive() {
        case .packet(let pdu) where pdu.isEmpty: break draining
        case .packet(let pdu):
          if let waiting = state.receiver.take() {
            receiver = (waiting, pdu)
          } else {
            state.inbound.append(pdu)
          }
        case .tooLong(let count):
          overlong = Self.tooLong(count)
          break draining
        case .nothing: break draining
        case .failed(let later):
          // A pending error is returned once, ahead of data that arrived earlier.
          guard code == 0 else { break draining }
          code = later
        }
      }
      closeDescriptor(&state)
      return code == 0 ? hint : code
    }
    if let (waiting, pdu) = receiver { waiting.resume(returning: .success(pdu)) }
    guard let code else { return }
    scheduleDelivery()
    if let overlong { return finish(BearerClosed(overlong)) }
    Task { finish(BearerClosed(await hooks.closeReason(code))) }
  }

  func detach() {
    state.withLock { state in
      if state.isOpen { closeDescriptor(&state) }
    }
  }

  private func closeDescriptor(_ state: inout BearerState) {
    state.isOpen = false
    if let watch = state.watch.take() { loop.unwatch(watch) }
    loop.close(state.socket.descriptor)
  }

  /// Resumes all waiting callers with the reason; only the first reason counts.
  func finish(_ reason: BearerClosed) {
    var receiver: BearerState.Waiter<Bytes>?
    var senders: [BearerState.Waiter<Void>] = []
    state.withLock { state in
      guard state.closed == nil else { return }
      state.closed = reason
      receiver = state.receiver.take()
      senders = state.outbound.compactMap(\.waiter) + state.writers.map(\.waiter)
      state.outbound = []
      state.writers = []
    }
    receiver?.resume(returning: .failure(reason))
    for sender in senders { sender.resume(returning: .failure(reason)) }
    scheduleDelivery()
  }

  @discardableResult
  func change<Value>(_ body: (inout BearerState) -> sending Value) -> sending Value {
    state.withLock { state in
      defer { updateInterest(&state) }
      return body(&state)
    }
  }

  /// Updates the readiness that the loop reports; the lock must be held.
  private func updateInterest(_ state: inout BearerState) {
    guard let watch = state.watch, state.wantedInterest != state.interest else { return }
    state.interest = state.wantedInterest
    do throws(SystemCallError) {
      try loop.change(watch, to: state.interest)
    } catch {
      // A bearer that the loop does not watch would never receive anything.
      loop.schedule { self.close(BearerClosed.Reason(error)) }
    }
  }
}

extension BearerClosed.Reason {
  fileprivate init(_ error: SystemCallError) {
    self =
      switch error {
      case .system(let code, let call): .system(errno: code, during: call)
      case .cancelled, .closed: .user
      }
  }
}
