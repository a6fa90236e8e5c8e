/// Runs an operation with a time-out.
///
/// - Parameters:
///   - limit: the time-out.
///   - clock: measures it.
///   - operation: cancelled when the time is over, and must then end soon.
/// - Returns: the operation's result; nil if the time was over, or the task cancelled, before.
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
