internal import CPulse
internal import EventLoop
internal import Glibc

/// A watch for the appearance of a server's sockets (inotify), to be closed on the loop's thread.
final class SocketWatch {
  let bell = WakeupEvent()
  private(set) var isComplete = false
  private(set) var hasSeen = false

  private let loop: PulseLoop
  private var paths = PathWatch()
  private var event: OpaquePointer?
  private(set) var isClosed: Bool

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
