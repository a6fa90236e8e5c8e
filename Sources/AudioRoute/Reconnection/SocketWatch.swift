internal import CPulse
internal import Glibc

/// Rings when a server's socket may have appeared, so that nothing wakes until then.
///
/// It watches the directory of each socket, or the deepest one above it that exists.
/// Used on the loop's thread only, and closed there.
final class SocketWatch {
  let bell = WakeupEvent()
  /// Whether every socket's appearance will be noticed.
  private(set) var isComplete = false
  /// Whether the bell rang for an appearance.
  private(set) var hasSeen = false

  private let loop: PulseLoop
  private var descriptor: Int32
  private var event: OpaquePointer?
  /// What is waited for in each watched directory.
  private var names: [Int32: Set<String>] = [:]

  init(for address: ServerAddress, on loop: PulseLoop) {
    self.loop = loop
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return }
    let isWatched = address.sockets.map { watch($0) }
    isComplete = address.isLocal && !isWatched.contains(false)
    event = loop.api.pointee.io_new(
      loop.api, descriptor, PA_IO_EVENT_INPUT,
      { _, _, _, _, me in
        guard let me else { return }
        Unmanaged<SocketWatch>.fromOpaque(me).takeUnretainedValue().read()
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  var isClosed: Bool { descriptor < 0 }

  func close() {
    guard !isClosed else { return }
    if let event { loop.api.pointee.io_free(event) }
    event = nil
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// Watches the deepest directory above `path` that exists; false: none can be watched.
  private func watch(_ path: String) -> Bool {
    var deepest: Int32?
    // Until a walk ends where the one before did: a directory may be made behind its back.
    while true {
      guard let directory = watchOnce(path) else { return false }
      if directory == deepest { return true }
      deepest = directory
    }
  }

  private func watchOnce(_ path: String) -> Int32? {
    let events = IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    var components = path.split(separator: "/")
    while let name = components.popLast() {
      let directory = "/" + components.joined(separator: "/")
      let watch = inotify_add_watch(descriptor, directory, UInt32(events))
      if watch >= 0 {
        names[watch, default: []].insert(String(name))
        return watch
      }
      guard errno == ENOENT || errno == ENOTDIR else { return nil }
    }
    return nil
  }

  private func read() {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while case let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
        look(at: UnsafeRawBufferPointer(buffer)[..<count])
      }
    }
    if hasSeen { bell.ring() }
  }

  private func look(at events: Slice<UnsafeRawBufferPointer>) {
    var rest = events
    let headSize = MemoryLayout<inotify_event>.size
    while rest.count >= headSize {
      let event = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: inotify_event.self)
      let name = rest.dropFirst(headSize).prefix(Int(event.len)).prefix { $0 != 0 }
      // Without a name: the directory itself is gone, and must be found anew.
      if name.isEmpty || names[event.wd]?.contains(String(decoding: name, as: UTF8.self)) == true {
        hasSeen = true
      }
      rest = rest.dropFirst(headSize + Int(event.len))
    }
  }
}
