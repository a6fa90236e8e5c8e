/// The tasks that one owner has started, so that none of them outlives it.
@MainActor
final class TaskRegistry {
  private var running: [Int: Task<Void, Never>] = [:]
  private var count = 0
  private var isClosed = false

  /// Starts a task; after ``cancelAll()`` it does nothing.
  func run(_ operation: @escaping @MainActor () async -> Void) {
    guard !isClosed else { return }
    count += 1
    let number = count
    running[number] = Task { [weak self] in
      await operation()
      self?.running[number] = nil
    }
  }

  /// Cancels the tasks that run, and starts no more.
  func cancelAll() {
    isClosed = true
    for task in running.values { task.cancel() }
    running = [:]
  }
}
