internal import EventLoop
internal import Glibc

/// The way out to a terminal that may read nothing for a while: a stalled connection, a ^S.
///
/// What there is room for goes out at once, the rest as soon as there is room. Nobody waits.
@MainActor
final class TerminalWriter {
  /// All has gone out after some of it had to wait.
  var onEmpty: (() -> Void)?

  private let descriptor: Int32
  /// Whether a write returns at once although there is not room for all.
  private let isNonblocking: Bool
  private var rest: ArraySlice<UInt8> = []
  private var draining: Task<Void, Never>?

  /// Opens the terminal behind `terminal` once more.
  ///
  /// The modes of an open file are all its users' own: a shell must not meet a terminal that does
  /// not block.
  init(_ terminal: Int32) throws(TerminalError) {
    let own = open("/proc/self/fd/\(terminal)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    isNonblocking = own >= 0
    // It is another user's, after su for example.
    descriptor = isNonblocking ? own : fcntl(terminal, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw .system(errno: errno, during: "open of the terminal") }
  }

  /// Whether something still waits for room.
  var isBusy: Bool { !rest.isEmpty }

  func send(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    rest += bytes
    write()
    guard isBusy, draining == nil else { return }
    draining = Task { [weak self, descriptor] in
      while (try? await PollLoop.shared.writable(descriptor)) != nil {
        guard let self, self.drain() else { return }
      }
    }
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Forgets what still waits.
  func clear() { rest = [] }

  /// Waits a moment for the terminal to take all, and makes it take `last` otherwise.
  func finish(orElse last: [UInt8]) {
    guard !settle() else { return }
    // What the kernel keeps for a terminal that reads nothing makes room.
    tcflush(descriptor, TCOFLUSH)
    rest = last[...]
    if !settle() { clear() }
  }

  func close() {
    draining?.cancel()
    PollLoop.shared.close(descriptor)
  }

  /// Returns whether there is more to come.
  private func drain() -> Bool {
    write()
    if isBusy { return true }
    draining = nil
    onEmpty?()
    return false
  }

  /// Returns whether all has gone out within 0.1 s.
  private func settle() -> Bool {
    write()
    let end = ContinuousClock.now + .milliseconds(100)
    while isBusy, ContinuousClock.now < end {
      _ = hasCapacity(descriptor, within: 10)
      write()
    }
    return !isBusy
  }

  private func write() {
    while isBusy {
      switch isNonblocking
        ? EventLoop.write(rest, to: descriptor) : writeWhatFits(rest, to: descriptor)
      {
      case .done(let count): rest = rest.dropFirst(count)
      case .wouldBlock: return
      // It has hung up, which whoever reads its keys is told.
      case .failed: clear()
      }
    }
  }
}
