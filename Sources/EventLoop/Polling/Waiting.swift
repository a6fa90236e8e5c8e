internal import Glibc
internal import Locking

extension PollLoop {
  /// Suspends until a descriptor such as stdin, an HCI socket or a signalfd can be read.
  ///
  /// It also returns after a hang-up, which reading then reports. Regular files are always ready.
  ///
  /// - Parameter descriptor: open; only one task may wait for it at a time.
  /// - Returns: The readiness, with ``Readiness/peerClosed`` or ``Readiness/hangUp`` at the end.
  /// - Throws: `cancelled` if the task is cancelled, `closed` after ``close(_:)``, `system` with
  ///   EEXIST if another task waits.
  @discardableResult
  package nonisolated(nonsending) func readable(
    _ descriptor: Int32
  ) async throws(SystemCallError) -> Readiness {
    try await wait(for: .readable, on: descriptor)
  }

  /// Suspends until a descriptor can be written, or until its non-blocking `connect` has ended.
  ///
  /// After `connect`, SO_ERROR has the result. Errors are those of ``readable(_:)``.
  @discardableResult
  package nonisolated(nonsending) func writable(
    _ descriptor: Int32
  ) async throws(SystemCallError) -> Readiness {
    try await wait(for: .writable, on: descriptor)
  }

  /// Returns whether a task or a watcher waits for a descriptor on this loop.
  package func isWaiting(for descriptor: Int32) -> Bool {
    watches.withLock { !$0.watchers(of: descriptor).isEmpty }
  }

  /// Closes a descriptor after ending the waits for it, which throw `closed`.
  ///
  /// The waiting tasks resume later, when the number may belong to another descriptor.
  package func close(_ descriptor: Int32) {
    endWaits(for: descriptor)
    _ = Glibc.close(descriptor)
  }

  /// Ends the waits for a descriptor that the caller is about to close.
  package func endWaits(for descriptor: Int32) {
    let watchers = watches.withLock { watches in
      let watchers = watches.removeAll(of: descriptor)
      if !watchers.isEmpty { epoll.remove(descriptor) }
      return watchers
    }
    for case let wait as Wait in watchers { wait.finish(.failure(.closed)) }
  }

  private nonisolated(nonsending) func wait(
    for interest: Readiness, on descriptor: Int32
  ) async throws(SystemCallError) -> Readiness {
    // The descriptor of a cancelled task may be closed, and its number reused.
    guard !Task.isCancelled else { throw .cancelled }
    let wait = Wait()
    let watch: Watch
    do {
      watch = try self.watch(descriptor, for: [interest, .peerClosed, .once], wait)
    } catch .system(errno: EPERM, during: _) {
      // A regular file is always ready, and epoll rejects it.
      return interest
    }
    defer { unwatch(watch) }
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { wait.begin($0) }
    } onCancel: {
      wait.finish(.failure(.cancelled))
    }.get()
  }
}

private final class Wait: Watcher {
  typealias Outcome = Result<Readiness, SystemCallError>

  private enum Phase {
    case new
    case waiting(CheckedContinuation<Outcome, Never>)
    case over(Outcome)
  }

  private let phase = Mutex(Phase.new)

  func ready(_ readiness: Readiness) { finish(.success(readiness)) }

  func begin(_ continuation: CheckedContinuation<Outcome, Never>) {
    let outcome = phase.withLock { phase -> Outcome? in
      if case .over(let outcome) = phase { return outcome }
      phase = .waiting(continuation)
      return nil
    }
    if let outcome { continuation.resume(returning: outcome) }
  }

  func finish(_ outcome: Outcome) {
    let waiter = phase.withLock { phase -> CheckedContinuation<Outcome, Never>? in
      switch phase {
      case .over: return nil
      case .new:
        phase = .over(outcome)
        return nil
      case .waiting(let continuation):
        phase = .over(outcome)
        return continuation
      }
    }
    waiter?.resume(returning: outcome)
  }
}
