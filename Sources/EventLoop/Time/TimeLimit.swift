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
