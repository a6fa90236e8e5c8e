internal import BluetoothCodec
internal import GATT
internal import Synchronization

extension DescriptorBearer: Watcher {
  /// Under the lock, so that the first event finds the watch.
  func startWatching() throws(DescriptorError) {
    let outcome = state.withLock { state in
      Result { () throws(DescriptorError) in
        state.watch = try loop.watch(state.socket.descriptor, for: BearerState.reading, self)
      }
    }
    try outcome.get()
  }

  /// What the loop calls: an end of the link comes before data, which is then taken to its last PDU.
  func ready(_ readiness: Readiness) {
    guard readiness.isDisjoint(with: .ended) else { return hangUp(0) }
    if readiness.contains(.readable) { receiveOne() }
    if readiness.contains(.writable) {
      wakeWriters()
      flush()
    }
  }

  /// One packet for one wake-up: a second read would nearly always say "would block".
  private func receiveOne() {
    var delivery: (BearerState.Waiter<Bytes>, Bytes)?
    let received = change { state -> PacketSocket.Received in
      guard state.isOpen else { return .nothing }
      let received = state.socket.receive()
      if case .packet(let pdu) = received { delivery = accept(pdu, &state) }
      return received
    }
    if let (receiver, pdu) = delivery { receiver.resume(returning: .success(pdu)) }
    switch received {
    case .packet, .nothing: break
    case .tooLong(let count): close(Self.tooLong(count))
    case .failed(let code): hangUp(code)
    }
  }

  /// To be called with the lock held; gives back whom to resume with what.
  private func accept(
    _ pdu: Bytes, _ state: inout BearerState
  ) -> (BearerState.Waiter<Bytes>, Bytes)? {
    if let receiver = state.receiver.take() { return (receiver, pdu) }
    state.inbound.append(pdu)
    return nil
  }

  private static func tooLong(_ count: Int) -> BearerClosed.Reason {
    .protocolViolation("a PDU of \(count) bytes, longer than any ATT_MTU that was offered")
  }

  func takeReceived() throws(BearerClosed) -> Bytes? {
    let (pdu, closed) = state.withLock { state -> (Bytes?, BearerClosed?) in
      let pdu = state.inbound.popFirst()
      updateInterest(&state)
      return (pdu, state.closed)
    }
    if pdu == nil, let closed { throw closed }
    return pdu
  }

  func waitToReceive(_ receiver: BearerState.Waiter<Bytes>) {
    let outcome = state.withLock { state -> Result<Bytes, BearerClosed>? in
      if let pdu = state.inbound.popFirst() { return .success(pdu) }
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

// MARK: - The end

extension DescriptorBearer {
  /// The link ended: takes what had arrived, closes the descriptor, finds the reason.
  func hangUp(_ hint: Int32) {
    var delivery: (BearerState.Waiter<Bytes>, Bytes)?
    var overlong: BearerClosed.Reason?
    let code = state.withLock { state -> Int32? in
      guard state.isOpen else { return nil }
      var code = state.socket.takeError()
      draining: while true {
        switch state.socket.receive() {
        case .packet(let pdu) where pdu.isEmpty: break draining
        case .packet(let pdu): delivery = accept(pdu, &state) ?? delivery
        case .tooLong(let count):
          overlong = Self.tooLong(count)
          break draining
        case .nothing: break draining
        case .failed(let later):
          // A pending error comes once; what had arrived before stands behind it.
          guard code == 0 else { break draining }
          code = later
        }
      }
      closeDescriptor(&state)
      return code == 0 ? hint : code
    }
    if let (receiver, pdu) = delivery { receiver.resume(returning: .success(pdu)) }
    guard let code else { return }
    if let overlong { return finish(BearerClosed(overlong)) }
    Task { finish(BearerClosed(await hooks.closeReason(code))) }
  }

  /// Closes the descriptor, at most once.
  func detach() {
    state.withLock { state in
      if state.isOpen { closeDescriptor(&state) }
    }
  }

  /// To be called with the lock held.
  private func closeDescriptor(_ state: inout BearerState) {
    state.isOpen = false
    if let watch = state.watch.take() { loop.unwatch(watch) }
    loop.close(state.socket.descriptor)
  }

  /// Tells everyone who waits; only the first reason counts.
  func finish(_ reason: BearerClosed) {
    var receiver: BearerState.Waiter<Bytes>?
    var senders: [BearerState.Waiter<Void>] = []
    state.withLock { state in
      guard state.closed == nil else { return }
      state.closed = reason
      receiver = state.receiver.take()
      senders = state.outbound.takeAll().compactMap(\.waiter) + state.writers.map(\.waiter)
      state.writers = []
    }
    receiver?.resume(returning: .failure(reason))
    for sender in senders { sender.resume(returning: .failure(reason)) }
  }

  /// Changes the state, then the loop's interest if that follows.
  @discardableResult
  func change<Value>(_ body: (inout BearerState) -> sending Value) -> sending Value {
    state.withLock { state in
      defer { updateInterest(&state) }
      return body(&state)
    }
  }

  private func updateInterest(_ state: inout BearerState) {
    guard let watch = state.watch, state.wantedInterest != state.interest else { return }
    state.interest = state.wantedInterest
    // A watch exists until its descriptor is closed, both under this lock: it cannot be unknown.
    try? loop.change(watch, to: state.interest)
  }
}
