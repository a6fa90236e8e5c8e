internal import BluetoothCodec
internal import Synchronization

/// A bounded queue between the client and one subscriber.
final class ValueQueue: Sendable {
  typealias Outcome = Result<ReceivedValue?, GATTError>

  private struct State: Sendable {
    var values = FIFO<ReceivedValue>()
    var waiter: CheckedContinuation<Outcome, Never>?
    /// What the consumer gets after the last value; nil while more may arrive.
    var end: Outcome?
  }

  private let state = Mutex(State())
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  /// Adds a value.
  ///
  /// - Returns: how many older values were dropped for it.
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

  /// Ends the sequence after what is queued.
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
      // A second consumer gets an end at once: two that wait would share the values by chance.
      if state.waiter != nil || Task.isCancelled { return .success(nil) }
      state.waiter = waiter
      return nil
    }
    if let outcome { waiter.resume(returning: outcome) }
  }
}
