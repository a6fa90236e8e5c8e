extension PollLoop {
  /// Yields whenever a file may have changed, appeared or disappeared, and once at the start.
  ///
  /// A caller that reads the file after each element misses nothing. Where the kernel reports no
  /// changes, the stream ends after the first element. It wakes nothing while the file stays as it
  /// is.
  ///
  /// ```swift
  /// for await _ in FileIO.shared.loop.changes(ofFile: "/home/me/.config/earshot/config.toml") {
  ///   reload()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - path: absolute; the file need not exist.
  ///   - eachWrite: whether writes count while the file is still open, as for a log.
  /// - Returns: a stream for one consumer, of which several changes may be one element.
  public nonisolated func changes(
    ofFile path: String, eachWrite: Bool = false
  ) -> AsyncStream<Void> {
    let (stream, changes) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watching = Task {
      var isWatched = true
      while isWatched, !Task.isCancelled {
        // Looking a path up waits for its disk.
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

  /// Waits for a change; false if none will be reported.
  private nonisolated func hasChanged(_ watch: PathWatch) async -> Bool {
    guard !watch.isEmpty else { return false }
    while (try? await readable(watch.descriptor)) != nil {
      if watch.readChanges() { return true }
    }
    return false
  }
}
