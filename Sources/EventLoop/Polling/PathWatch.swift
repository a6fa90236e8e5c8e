internal import Glibc

/// An inotify descriptor that becomes readable when a watched path may have changed.
///
/// A path is watched through its deepest existing directory. Create a new watch after a directory
/// was created or removed.
package struct PathWatch: Sendable {
  /// The kind of change to report.
  package enum Interest: Sendable {
    case appearance
    /// The file appears, disappears, or is closed after writing.
    case change
    /// Like ``change``, and also each write to the open file, as for a log.
    case eachWrite
  }

  /// The descriptor, which the owner closes, or a negative number if the kernel has none left.
  package let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
  /// The names to report in each watched directory, or nil for a file, whose every event counts.
  private var names: [Int32: Set<String>?] = [:]

  package init() {}

  package var isEmpty: Bool { names.isEmpty }

  /// Watches an absolute path and its file, and returns whether its appearance will be noticed.
  @discardableResult
  package mutating func watch(_ path: String, for interest: Interest) -> Bool {
    guard descriptor >= 0 else { return false }
    var events = IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
    if interest != .appearance {
      events |= IN_CLOSE_WRITE | IN_MOVED_FROM | IN_DELETE
      // The directory of a symbolic link reports no changes of the file behind it.
      let ofFile = UInt32(events) | UInt32(interest == .eachWrite ? IN_MODIFY : 0)
      let file = inotify_add_watch(descriptor, path, ofFile)
      if file >= 0 { names[file] = .some(nil) }
    }
    var deepest: Int32?
    // Repeat until the result is stable, as a directory may be created meanwhile.
    while true {
      guard let folder = watchFolder(of: path, for: UInt32(events)) else { return false }
      if folder == deepest { return true }
      deepest = folder
    }
  }

  private mutating func watchFolder(of path: String, for events: UInt32) -> Int32? {
    var components = path.split(separator: "/").map(String.init)
    while let name = components.popLast() {
      let folder = "/" + components.joined(separator: "/")
      let watch = inotify_add_watch(descriptor, folder, events | UInt32(IN_ONLYDIR))
      if watch >= 0 {
        names[watch] = .some((names[watch] ?? []).map { $0.union([name]) } ?? [name])
        return watch
      }
    }
    return nil
  }

  /// Consumes the pending events, and returns whether a watched path may have changed.
  package func readChanges() -> Bool {
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
      // Without a name, the event is about the watched path. An overflow (-1) may hide anything.
      guard !name.isEmpty, let wanted = names[event.wd], let wanted else { return true }
      if wanted.contains(String(decoding: name, as: UTF8.self)) { return true }
      rest = rest.dropFirst(headSize + Int(event.len))
    }
    return false
  }
}
