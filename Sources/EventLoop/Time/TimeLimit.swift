/// What `operation` says, or nil if the time is over (or the task was cancelled) before.
///
/// `operation` is cancelled then, and must end soon after.
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
