internal import Bluetooth
internal import BluetoothCodec
internal import Locking

extension SocketBearer {
  /// The outcome of one attempt to send.
  private enum Attempt {
    /// The kernel has taken the whole PDU.
    case sent
    /// The kernel's buffer is full (EAGAIN).
    case mustWait
    /// The link has failed.
    case ended(errno: Int32)
    /// The bearer was closed before.
    case closed(BearerClosed)
  }

  /// Sends a PDU if no other is queued before it.
  ///
  /// - Parameter pdu: one PDU.
  /// - Returns: whether the kernel accepted it; false also if the link has just ended, whose reason
  ///   then reaches the waiting callers.
  /// - Throws: the reason why the bearer is closed.
  func sendNow(_ pdu: Bytes) throws(BearerClosed) -> Bool {
    let attempt = state.withLock { state -> Attempt in
      if let closed = state.closed { return .closed(closed) }
      guard state.isOpen, !state.isHeld, state.outbound.isEmpty else { return .mustWait }
      return self.attempt(pdu, state.socket)
    }
    switch attempt {
    case .sent: return true
    case .mustWait: return false
    case .closed(let closed): throw closed
    case .ended(let code):
      hangUp(code)
      return false
    }
  }

  /// One attempt to send; the lock must be held.
  private func attempt(_ pdu: Bytes, _ socket: PacketSocket) -> Attempt {
    switch socket.send(pdu) {
    case .done:
      return .sent
    case .wouldBlock: return .mustWait
    case .failed(let code): return .ended(errno: code)
    }
  }

  /// Queues a PDU, to be sent when the socket's buffer has room.
  func enqueue(_ outgoing: BearerState.Outgoing) {
    let closed = change { state -> BearerClosed? in
      guard state.closed == nil else { return state.closed }
      state.outbound.append(outgoing)
      return nil
    }
    if let closed { outgoing.waiter?.resume(returning: .failure(closed)) }
    if Task.isCancelled { stopWaiting(outgoing.id) }
  }

  /// Ends a caller's wait; its PDU stays queued.
  func stopWaiting(_ id: Int) {
    let waiter = change { state -> BearerState.Waiter<Void>? in
      if let index = state.writers.firstIndex(where: { $0.id == id }) {
        return state.writers.remove(at: index).waiter
      }
      guard let index = state.outbound.firstIndex(where: { $0.id == id }) else { return nil }
      return state.outbound[index].waiter.take()
    }
    waiter?.resume(returning: .success(()))
  }

  /// Resumes the caller when the descriptor is writable.
  func waitToWrite(_ id: Int, _ waiter: BearerState.Waiter<Void>) {
    let closed = change { state -> BearerClosed? in
      guard state.closed == nil else { return state.closed }
      state.writers.append((id, waiter))
      return nil
    }
    if let closed { waiter.resume(returning: .failure(closed)) }
    if Task.isCancelled { stopWaiting(id) }
  }

  /// Sends queued PDUs until the kernel accepts no more.
  func flush() {
    var sent: [BearerState.Outgoing] = []
    let ended = change { state -> Int32? in
      while state.isOpen, !state.isHeld, let next = state.outbound.first {
        switch attempt(next.pdu, state.socket) {
        case .sent: sent.append(state.outbound.removeFirst())
        case .ended(let code): return code
        case .mustWait, .closed: return nil
        }
      }
      return nil
    }
    for outgoing in sent {
      outgoing.waiter?.resume(returning: .success(()))
      outgoing.whenSent?()
    }
    if let ended { hangUp(ended) }
  }

  /// Resumes the callers that wait for the descriptor to become writable.
  func wakeWriters() {
    let waiting = change { state in
      defer { state.writers = [] }
      return state.writers
    }
    for writer in waiting { writer.waiter.resume(returning: .success(())) }
  }
}
