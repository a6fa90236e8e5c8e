/// The unstructured tasks of one owner, cancelled together with it.
///
/// For work that is not awaited. Tasks remove themselves when they end, so the registry holds only
/// what runs.
@MainActor
final class TaskRegistry {
  private var running: [Int: Task<Void, Never>] = [:]
  private var count = 0
  private var isClosed = false

  /// Starts a task; does nothing after ``cancelAll()``.
  func run(_ operation: @escaping @MainActor () async -> Void) {
    guard !isClosed else { return }
    count += 1
    let number = count
    running[number] = Task { [weak self] in
      await operation()
      self?.running[number] = nil
    }
  }

  /// Cancels all tasks, and prevents new ones.
  func cancelAll() {
    isClosed = true
    for task in running.values { task.cancel() }
    running = [:]
  }
}
