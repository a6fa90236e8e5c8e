/// Waits at most `limit` for an operation, which then continues; returns whether it ended.
@MainActor @discardableResult
package func waitAtMost(
  _ limit: Duration, by clock: any Clock<Duration>,
  for operation: @escaping @MainActor () async -> Void
) async -> Bool {
  let (ends, end) = AsyncStream.makeStream(of: Bool.self)
  Task {
    await operation()
    end.yield(true)
  }
  let timer = Task {
    if (try? await clock.sleep(for: limit)) != nil { end.yield(false) }
  }
  defer { timer.cancel() }
  for await isDone in ends { return isDone }
  return false
}

/// Runs an operation with a timeout, and returns nil if that passed or the task was cancelled.
///
/// - Parameter operation: cancelled after the timeout, and must then end soon.
package func within<Value: Sendable>(
  _ limit: Duration, by clock: any Clock<Duration>,
  _ operation: @escaping @Sendable () async -> Value
) async -> Value? {
  await withTaskGroup(of: Value?.self) { group in
    group.addTask { await operation() }
    group.addTask {
      try? await clock.sleep(for: limit)
      return nil
    }
    defer { group.cancelAll() }
    return await group.next() ?? nil
  }
}
