internal import EventLoop
internal import Glibc

/// The output of a terminal that may stop reading: a stalled connection, or ^S.
@MainActor
final class TerminalWriter {
  var onEmpty: (() -> Void)?

  private static let timeout: Duration = .milliseconds(100)

  private let descriptor: Int32
  private let writer: NonBlockingWriter

  init(_ terminal: Int32) throws(TerminalError) {
    let own = openAgain(terminal: terminal)
    descriptor = own ?? fcntl(terminal, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw .system(errno: errno, during: "open of the terminal") }
    writer = NonBlockingWriter(descriptor, isBlocking: own == nil)
    writer.onDrained { [weak self] in await self?.drained() }
  }

  var isBusy: Bool { writer.isBusy }

  func send(_ bytes: [UInt8]) { writer.send(bytes) }

  func send(_ text: String) { writer.send(text.utf8) }

  func clear() { writer.clear() }

  /// Waits briefly for the terminal to read everything, else discards the rest and writes `last`.
  func finish(orElse last: [UInt8]) {
    guard !writer.flush(within: Self.timeout) else { return }
    // Discards the kernel's buffer for a terminal that reads nothing.
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
