internal import Glibc

extension PollLoop {
  /// Tells each time that a file may have changed, appeared or gone; the first time at once.
  ///
  /// Whoever reads the file after each of them misses nothing. The kernel tells (inotify): between
  /// two changes nothing wakes. Where it cannot, only the first is told.
  ///
  /// - Parameter eachWrite: whether writes count while the file is still open, as in a log.
  public nonisolated func changes(
    ofFile path: String, eachWrite: Bool = false
  ) -> AsyncStream<Void> {
    let (stream, reported) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watching = Task {
      var isWatched = true
      while isWatched, !Task.isCancelled {
        let watch = FileWatch(path, eachWrite: eachWrite)
        reported.yield()
        isWatched = await watch.change(on: self)
        watch.close(on: self)
      }
      reported.finish()
    }
    reported.onTermination = { _ in watching.cancel() }
    return stream
  }
}

/// One wait for the next change of a file, or of the folders that lead to it.
private struct FileWatch {
  private static let events = UInt32(
    IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF
      | IN_MOVE_SELF)
  private let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
  /// What matters in each watched folder; nil: the file itself, where all matters.
  private var names: [Int32: String?] = [:]

  init(_ path: String, eachWrite: Bool) {
    guard descriptor >= 0 else { return }
    var components = path.split(separator: "/").map(String.init)
    // A file behind a symbolic link changes without its folder.
    let file = inotify_add_watch(
      descriptor, path, Self.events | UInt32(eachWrite ? IN_MODIFY : 0))
    if file >= 0 { names[file] = .some(nil) }
    while let name = components.popLast() {
      let folder = "/" + components.joined(separator: "/")
      let watch = inotify_add_watch(descriptor, folder, Self.events | UInt32(IN_ONLYDIR))
      if watch >= 0 {
        names[watch] = name
        return
      }
    }
  }

  /// False: there will be none.
  func change(on loop: PollLoop) async -> Bool {
    guard !names.isEmpty else { return false }
    while true {
      do throws(SystemCallError) {
        try await loop.readable(descriptor)
      } catch {
        return false
      }
      if isChange() { return true }
    }
  }

  func close(on loop: PollLoop) { if descriptor >= 0 { loop.close(descriptor) } }

  private func isChange() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      var isChange = false
      while case .done(let count) = systemCall({ read(descriptor, buffer.baseAddress, 4096) }),
        count > 0
      {
        isChange = matters(UnsafeRawBufferPointer(buffer)[..<count]) || isChange
      }
      return isChange
    }
  }

  private func matters(_ events: Slice<UnsafeRawBufferPointer>) -> Bool {
    var rest = events
    let headSize = MemoryLayout<inotify_event>.size
    while rest.count >= headSize {
      let event = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: inotify_event.self)
      let name = rest.dropFirst(headSize).prefix(Int(event.len)).prefix { $0 != 0 }
      // Without a name it is the watched thing itself; an overflow (-1) may hide anything.
      guard !name.isEmpty, let wanted = names[event.wd], let wanted else { return true }
      if String(decoding: name, as: UTF8.self) == wanted { return true }
      rest = rest.dropFirst(headSize + Int(event.len))
    }
    return false
  }
}
