package import BluetoothCodec
internal import Locking

/// A lock whose waiters acquire it in the order of their calls, and which is held across requests.
package final class AsyncMutex: Sendable {
  private typealias Waiter = CheckedContinuation<Bool, Never>

  private struct State {
    var isLocked = false
    var lastID: UInt64 = 0
    var waiting: [(id: UInt64, waiter: Waiter)] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Acquires the lock after all earlier callers; throws `cancelled`, and then does not hold it.
  package nonisolated(nonsending) func lock() async throws(GATTError) {
    let id = state.withLock { state -> UInt64? in
      guard state.isLocked else {
        state.isLocked = true
        return nil
      }
      state.lastID += 1
      return state.lastID
    }
    guard let id else { return }
    let isLocked = await withTaskCancellationHandler {
      await withCheckedContinuation { wait($0, as: id) }
    } onCancel: {
      stopWaiting(id)
    }
    if !isLocked { throw .cancelled }
  }

  package func unlock() {
    let next = state.withLock { state -> Waiter? in
      guard !state.waiting.isEmpty else {
        state.isLocked = false
        return nil
      }
      return state.waiting.removeFirst().waiter
    }
    next?.resume(returning: true)
  }

  private func wait(_ waiter: Waiter, as id: UInt64) {
    let outcome = state.withLock { state -> Bool? in
      if Task.isCancelled { return false }
      guard state.isLocked else {
        state.isLocked = true
        return true
      }
      state.waiting.append((id, waiter))
      return nil
    }
    if let outcome { waiter.resume(returning: outcome) }
  }

  private func stopWaiting(_ id: UInt64) {
    let waiter = state.withLock { state -> Waiter? in
      let index = state.waiting.firstIndex { $0.id == id }
      return index.map { state.waiting.remove(at: $0).waiter }
    }
    waiter?.resume(returning: false)
  }
}
