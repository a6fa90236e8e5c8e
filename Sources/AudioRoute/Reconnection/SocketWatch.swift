internal import CPulse
internal import EventLoop
internal import Glibc

/// A watch for the appearance of a sound server's sockets (inotify), which wakes nothing until
/// then.
///
/// It is used on the loop's thread only, and must be closed there.
final class SocketWatch {
  /// Signalled when a socket may have appeared.
  let bell = WakeupEvent()
  /// Whether the appearance of every possible socket will be noticed.
  private(set) var isComplete = false
  /// Whether something appeared.
  private(set) var hasSeen = false

  private let loop: PulseLoop
  private var paths = PathWatch()
  private var event: OpaquePointer?
  /// Whether ``close()`` was called, or the system had no inotify descriptor left.
  private(set) var isClosed: Bool

  /// Watches the sockets of an address from now on.
  init(for address: ServerAddress, on loop: PulseLoop) {
    self.loop = loop
    isClosed = paths.descriptor < 0
    guard !isClosed else { return }
    let isWatched = address.sockets.map { paths.watch($0, for: .appearance) }
    isComplete = address.isLocal && !isWatched.contains(false)
    event = loop.api?.pointee.io_new(
      loop.api, paths.descriptor, PA_IO_EVENT_INPUT,
      { _, _, _, _, me in
        guard let me else { return }
        Unmanaged<SocketWatch>.fromOpaque(me).takeUnretainedValue().read()
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Ends the watch and closes its descriptor; further calls do nothing.
  func close() {
    guard !isClosed else { return }
    if let event { loop.api?.pointee.io_free(event) }
    event = nil
    Glibc.close(paths.descriptor)
    isClosed = true
  }

  private func read() {
    if paths.readChanges() { hasSeen = true }
    if hasSeen { bell.ring() }
  }
}
