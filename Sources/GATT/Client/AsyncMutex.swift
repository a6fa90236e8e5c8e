internal import Synchronization

/// A mutual exclusion lock whose waiters suspend, in the order in which they came.
///
/// Held across several requests, for procedures whose requests must not be mixed with another's.
final class AsyncMutex: Sendable {
  private typealias Waiter = CheckedContinuation<Bool, Never>

  private struct State {
    var isLocked = false
    var lastID: UInt64 = 0
    /// In order of arrival; few, so that a list is enough.
    var waiting: [(id: UInt64, waiter: Waiter)] = []
  }

  private let state = Mutex(State())

  /// Takes the lock, after those who asked before.
  ///
  /// - Throws: `cancelled` if the calling task is cancelled meanwhile; the lock is not taken then.
  nonisolated(nonsending) func lock() async throws(GATTError) {
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

  /// Gives the lock to the next waiter.
  func unlock() {
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
