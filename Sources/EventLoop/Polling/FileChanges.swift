extension PollLoop {
  /// Returns a stream that yields first and when a file may have changed, appeared or vanished.
  ///
  /// A caller that reads the file after each element misses nothing. The stream is for one
  /// consumer, may combine changes, and ends after the first element if the kernel reports none.
  ///
  /// - Parameters:
  ///   - path: absolute; the file need not exist.
  ///   - eachWrite: whether writes count while the file is still open, as for a log.
  package nonisolated func changes(
    ofFile path: String, eachWrite: Bool = false
  ) -> AsyncStream<Void> {
    let (stream, changes) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watching = Task {
      var isWatched = true
      while isWatched, !Task.isCancelled {
        // Looking up a path waits for its disk.
        let watch = await FileIO.shared.run {
          var watch = PathWatch()
          watch.watch(path, for: eachWrite ? .eachWrite : .change)
          return watch
        }
        changes.yield()
        isWatched = await hasChanged(watch)
        if watch.descriptor >= 0 { close(watch.descriptor) }
      }
      changes.finish()
    }
    changes.onTermination = { _ in watching.cancel() }
    return stream
  }

  private nonisolated func hasChanged(_ watch: PathWatch) async -> Bool {
    guard !watch.isEmpty else { return false }
    while (try? await readable(watch.descriptor)) != nil {
      if watch.readChanges() { return true }
    }
    return false
  }
}
