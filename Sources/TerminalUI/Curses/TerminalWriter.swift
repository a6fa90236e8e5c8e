internal import EventLoop
internal import Glibc

/// The output of a terminal that may read nothing for a while, because its connection stalled or
/// the user pressed ^S.
@MainActor
final class TerminalWriter {
  /// Called when everything has gone out after some of it had to wait.
  var onEmpty: (() -> Void)?

  /// How long the terminal may take for the last bytes before the program ends.
  private static let timeout: Duration = .milliseconds(100)

  private let descriptor: Int32
  private let writer: NonBlockingWriter

  /// Opens the terminal a second time.
  ///
  /// - Parameter terminal: the descriptor of the terminal.
  /// - Throws: why it cannot be opened.
  init(_ terminal: Int32) throws(TerminalError) {
    let own = openAgain(terminal: terminal)
    descriptor = own ?? fcntl(terminal, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw .system(errno: errno, during: "open of the terminal") }
    writer = NonBlockingWriter(descriptor, isBlocking: own == nil)
    writer.onDrained { [weak self] in await self?.drained() }
  }

  /// Whether bytes wait for room.
  var isBusy: Bool { writer.isBusy }

  func send(_ bytes: [UInt8]) { writer.send(bytes) }

  func send(_ text: String) { writer.send(text.utf8) }

  /// Drops the bytes that wait.
  func clear() { writer.clear() }

  /// Waits a moment for the terminal to take everything, and makes it take `last` otherwise.
  func finish(orElse last: [UInt8]) {
    guard !writer.flush(within: Self.timeout) else { return }
    // Discards what the kernel still holds for a terminal that reads nothing.
    tcflush(descriptor, TCOFLUSH)
    writer.clear()
    writer.send(last)
    if !writer.flush(within: Self.timeout) { writer.clear() }
  }

  func close() { writer.close() }

  private func drained() {
    if !isBusy { onEmpty?() }
  }
}
