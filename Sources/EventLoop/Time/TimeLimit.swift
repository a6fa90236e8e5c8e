/// Waits for an operation that cannot be cancelled, for a limited time.
///
/// - Parameter operation: goes on after the time, if the process does.
/// - Returns: whether it ended in time.
@MainActor @discardableResult
public func waitAtMost(
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

/// Runs an operation with a time-out.
///
/// ```swift
/// let answer = await within(.seconds(2), by: clock) { await question() }
/// guard let answer else { return }
/// ```
///
/// - Parameters:
///   - limit: the time-out.
///   - clock: measures the time.
///   - operation: cancelled after the time-out, and must then end soon.
/// - Returns: the operation's result; `nil` if the time-out passed, or the task was cancelled,
///   before.
public func within<Value: Sendable>(
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
