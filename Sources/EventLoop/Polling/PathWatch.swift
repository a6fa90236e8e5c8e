internal import Glibc

/// An inotify descriptor that is readable when one of the watched paths may have changed.
///
/// A path is watched through the deepest of its directories that exists: after a directory was
/// created or removed, make a new watch. The kernel reports the changes, so nothing wakes between
/// two of them.
///
/// ```swift
/// var watch = PathWatch()
/// watch.watch("/run/user/1000/pulse/native", for: .appearance)
/// try await loop.readable(watch.descriptor)
/// if watch.takeChanges() { connect() }
/// loop.close(watch.descriptor)
/// ```
public struct PathWatch: Sendable {
  /// The kind of change that is reported.
  public enum Interest: Sendable {
    /// The path is created.
    case appearance
    /// The file appears, disappears, or is closed after writing.
    case change
    /// As ``change``, and each write to the file while it is open, as for a log.
    case eachWrite
  }

  /// The descriptor, which the owner closes; negative if the kernel has none left.
  public let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
  /// The names of interest in each watched directory; `nil` for a file itself, whose every event
  /// counts.
  private var names: [Int32: Set<String>?] = [:]

  /// A watch of nothing so far.
  public init() {}

  /// Whether anything is watched.
  public var isEmpty: Bool { names.isEmpty }

  /// Watches a path, and the file that is there.
  ///
  /// - Parameters:
  ///   - path: absolute.
  ///   - interest: the kind of change to report.
  /// - Returns: whether the path's appearance will be noticed.
  @discardableResult
  public mutating func watch(_ path: String, for interest: Interest) -> Bool {
    guard descriptor >= 0 else { return false }
    var events = IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
    if interest != .appearance {
      events |= IN_CLOSE_WRITE | IN_MOVED_FROM | IN_DELETE
      // A file behind a symbolic link changes without its folder.
      let ofFile = UInt32(events) | UInt32(interest == .eachWrite ? IN_MODIFY : 0)
      let file = inotify_add_watch(descriptor, path, ofFile)
      if file >= 0 { names[file] = .some(nil) }
    }
    var deepest: Int32?
    // Repeated until the result is stable: a directory may be created meanwhile.
    while true {
      guard let folder = watchFolder(of: path, for: UInt32(events)) else { return false }
      if folder == deepest { return true }
      deepest = folder
    }
  }

  /// Watches the deepest directory of a path that exists; `nil` if there is none.
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

  /// Consumes the pending events.
  ///
  /// - Returns: whether one of them may be a change of a watched path.
  public func readChanges() -> Bool {
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

  /// Whether one of the events in a buffer may be a change of a watched path.
  private func matters(_ events: Slice<UnsafeRawBufferPointer>) -> Bool {
    var rest = events
    let headSize = MemoryLayout<inotify_event>.size
    while rest.count >= headSize {
      let event = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: inotify_event.self)
      let name = rest.dropFirst(headSize).prefix(Int(event.len)).prefix { $0 != 0 }
      // Without a name it is the watched file or folder itself; an overflow (-1) may hide anything.
      guard !name.isEmpty, let wanted = names[event.wd], let wanted else { return true }
      if wanted.contains(String(decoding: name, as: UTF8.self)) { return true }
      rest = rest.dropFirst(headSize + Int(event.len))
    }
    return false
  }
}
