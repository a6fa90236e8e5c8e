internal import BluetoothCodec
internal import Locking

/// A bounded queue between the client and one subscriber, which drops the oldest value when full.
final class ValueQueue: ValueReceiver {
  typealias Outcome = Result<ReceivedValue?, GATTError>

  private struct State: Sendable {
    var values = FIFO<ReceivedValue>()
    var waiter: CheckedContinuation<Outcome, Never>?
    var end: Outcome?
  }

  private let state = Mutex(State())
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  func append(_ value: Bytes, isIndication: Bool) -> Int {
    let (waiter, received, dropped) = state.withLock { state in
      guard state.end == nil else {
        return (nil as CheckedContinuation<Outcome, Never>?, nil as ReceivedValue?, 0)
      }
      var received = ReceivedValue(value: value, isIndication: isIndication)
      if let waiter = state.waiter.take() { return (waiter, received, 0) }
      var dropped = 0
      if state.values.count >= capacity, let oldest = state.values.popFirst() {
        dropped = 1
        let lost = oldest.lostBefore + 1
        if state.values.isEmpty {
          received.lostBefore = lost
        } else {
          state.values.updateFirst { $0.lostBefore += lost }
        }
      }
      state.values.append(received)
      return (nil, nil, dropped)
    }
    if let waiter, let received { waiter.resume(returning: .success(received)) }
    return dropped
  }

  func end(_ error: GATTError?) {
    let end: Outcome = error.map { .failure($0) } ?? .success(nil)
    let waiter = state.withLock { state in
      if state.end == nil { state.end = end }
      return state.waiter.take()
    }
    waiter?.resume(returning: end)
  }

  func next(isolation: isolated (any Actor)?) async throws(GATTError) -> ReceivedValue? {
    try await withTaskCancellationHandler {
      await withCheckedContinuation { wait($0) }
    } onCancel: {
      state.withLock { $0.waiter.take() }?.resume(returning: .success(nil))
    }.get()
  }

  private func wait(_ waiter: CheckedContinuation<Outcome, Never>) {
    let outcome = state.withLock { state -> Outcome? in
      if let value = state.values.popFirst() { return .success(value) }
      if let end = state.end { return end }
      // End a second consumer at once, since two would share the values at random.
      if state.waiter != nil || Task.isCancelled { return .success(nil) }
      state.waiter = waiter
      return nil
    }
    if let outcome { waiter.resume(returning: outcome) }
  }
}
