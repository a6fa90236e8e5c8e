internal import BluetoothCodec
internal import BluetoothRadio
internal import Locking

extension SocketBearer {
  private enum Attempt {
    case sent
    /// The kernel took the first bytes, as for a stream (RFCOMM) when its buffer is nearly full.
    case partly(rest: Bytes)
    case mustWait
    case ended(errno: Int32)
    case closed(BearerClosed)
  }

  /// Sends a PDU if no other is queued before it, and returns whether the kernel accepted it.
  func sendNow(_ pdu: Bytes) throws(BearerClosed) -> Bool {
    let attempt = state.withLock { state -> Attempt in
      if let closed = state.closed { return .closed(closed) }
      guard state.isOpen, !state.isHeld, state.outbound.isEmpty else { return .mustWait }
      let attempt = self.attempt(pdu, state.socket)
      if case .partly(let rest) = attempt { state.outbound = [.init(pdu: rest, id: 0)] }
      return attempt
    }
    switch attempt {
    case .sent: return true
    case .partly:
      // Update the interest, to wait for room.
      change { _ in }
      return true
    case .mustWait: return false
    case .closed(let closed): throw closed
    case .ended(let code):
      hangUp(code)
      return false
    }
  }

  private func attempt(_ pdu: Bytes, _ socket: PacketSocket) -> Attempt {
    switch socket.send(pdu) {
    case .done(let count) where count < pdu.count: return .partly(rest: pdu.dropFirst(count))
    case .done: return .sent
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

  func flush() {
    var sent: [BearerState.Outgoing] = []
    let ended = change { state -> Int32? in
      while state.isOpen, !state.isHeld, let next = state.outbound.first {
        switch attempt(next.pdu, state.socket) {
        case .sent: sent.append(state.outbound.removeFirst())
        case .partly(let rest): state.outbound[0].pdu = rest
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
