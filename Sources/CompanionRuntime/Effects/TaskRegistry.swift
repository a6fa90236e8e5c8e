/// The unstructured tasks of one owner, which are cancelled together.
@MainActor
final class TaskRegistry {
  private var running: [Int: Task<Void, Never>] = [:]
  private var count = 0
  private var isClosed = false

  func run(_ operation: @escaping @MainActor () async -> Void) {
    guard !isClosed else { return }
    count += 1
    let number = count
    running[number] = Task { [weak self] in
      await operation()
      self?.running[number] = nil
    }
  }

  func cancelAll() {
    isClosed = true
    for task in running.values { task.cancel() }
    running = [:]
  }
}
