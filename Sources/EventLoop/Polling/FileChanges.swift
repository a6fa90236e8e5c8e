extension PollLoop {
  /// A stream that yields each time that a file may have changed, appeared or gone, and once at the
  /// start.
  ///
  /// A caller that reads the file after each element misses nothing. Where the kernel reports no
  /// changes, only the first element comes.
  ///
  /// - Parameters:
  ///   - path: absolute; the file need not be there.
  ///   - eachWrite: whether writes count while the file is still open, as in a log.
  public nonisolated func changes(
    ofFile path: String, eachWrite: Bool = false
  ) -> AsyncStream<Void> {
    let (stream, changes) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watching = Task {
      var isWatched = true
      while isWatched, !Task.isCancelled {
        var watch = PathWatch()
        watch.watch(path, for: eachWrite ? .eachWrite : .change)
        changes.yield()
        isWatched = await hasChanged(watch)
        if watch.descriptor >= 0 { close(watch.descriptor) }
      }
      changes.finish()
    }
    changes.onTermination = { _ in watching.cancel() }
    return stream
  }

  /// Waits for a change; false if none will be reported.
  private nonisolated func hasChanged(_ watch: PathWatch) async -> Bool {
    guard !watch.isEmpty else { return false }
    while (try? await readable(watch.descriptor)) != nil {
      if watch.takeChanges() { return true }
    }
    return false
  }
}
