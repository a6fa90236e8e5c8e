internal import Bluetooth
internal import BluetoothCodec
internal import Synchronization

extension SocketBearer {
  private enum Attempt {
    case sent
    case mustWait
    case ended(errno: Int32)
    case closed(BearerClosed)
  }

  /// Sends a PDU if nothing is queued before it.
  ///
  /// - Returns: whether the kernel took it; false, too, if the link ended just now, whose reason
  ///   reaches the waiting callers.
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

  /// Call it with the lock held.
  private func attempt(_ pdu: Bytes, _ socket: PacketSocket) -> Attempt {
    switch socket.send(pdu) {
    case .done:
      return .sent
    case .wouldBlock: return .mustWait
    case .failed(let code): return .ended(errno: code)
    }
  }

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

  func waitToWrite(_ id: Int, _ waiter: BearerState.Waiter<Void>) {
    let closed = change { state -> BearerClosed? in
      guard state.closed == nil else { return state.closed }
      state.writers.append((id, waiter))
      return nil
    }
    if let closed { waiter.resume(returning: .failure(closed)) }
    if Task.isCancelled { stopWaiting(id) }
  }

  /// Sends queued PDUs until the kernel takes no more.
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

  func wakeWriters() {
    let waiting = change { state in
      defer { state.writers = [] }
      return state.writers
    }
    for writer in waiting { writer.waiter.resume(returning: .success(())) }
  }
}
