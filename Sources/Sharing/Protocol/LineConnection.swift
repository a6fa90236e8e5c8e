internal import EventLoop
internal import Glibc

/// A connection to another `earshot` process of the same user that carries lines of text.
///
/// Nothing accumulates: a reader takes one line at a time, and a sender waits until its line is
/// sent. A peer that sends a line beyond the limit, or reads nothing for 10 s, is disconnected.
package actor LineConnection {
  /// The process at the other end, if the kernel knows it.
  package nonisolated let process: PeerProcess?
  private let loop: PollLoop
  private let reader: Int32
  /// A duplicate of the socket, as a poll loop waits for one event per descriptor.
  private let writer: Int32
  private let longest: Int
  private let clock: any Clock<Duration>
  private var isOpen = true
  private var received = LineBuffer()
  private var isSending = false
  private var waitingSenders: [CheckedContinuation<Void, Never>] = []

  private static let sendTimeout = Duration.seconds(10)

  /// Takes over a connected, non-blocking stream socket; a line of over `longest` bytes ends it.
  init(
    _ descriptor: Int32, longest: Int, process: PeerProcess? = nil, loop: PollLoop = .shared,
    clock: any Clock<Duration> = LoopClock(.shared)
  ) {
    self.process = process
    self.loop = loop
    self.longest = longest
    self.clock = clock
    reader = descriptor
    writer = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
  }

  deinit {
    guard isOpen else { return }
    loop.close(reader)
    if writer >= 0 { loop.close(writer) }
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  package func next() async -> [UInt8]? {
    while isOpen {
      if let line = received.next() { return line }
      guard received.count < longest, await receive() else { break }
    }
    close()
    return nil
  }

  /// Sends a line after all before it; returns false if the connection ended or the peer stalls.
  package func send(_ line: some Sequence<UInt8> & Sendable) async -> Bool {
    if isSending { await withCheckedContinuation { waitingSenders.append($0) } }
    isSending = true
    defer {
      // The next sender takes over directly, so that no newcomer can precede it.
      if waitingSenders.isEmpty { isSending = false } else { waitingSenders.removeFirst().resume() }
    }
    var rest = (Array(line) + [LineBuffer.newline])[...]
    while isOpen, !rest.isEmpty {
      let sent = rest.withUnsafeBytes { bytes in
        systemCall { Glibc.send(writer, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
      }
      switch sent {
      case .done(let count): rest = rest.dropFirst(count)
      case .wouldBlock: await waitUntilWritable()
      case .failed: close()
      }
    }
    return rest.isEmpty
  }

  package func close() {
    guard isOpen else { return }
    isOpen = false
    loop.close(reader)
    if writer >= 0 { loop.close(writer) }
  }

  /// Reads what has arrived; returns false at the end of the stream.
  private func receive() async -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while isOpen {
      switch systemCall({ read(reader, &buffer, buffer.count) }) {
      case .done(let count):
        received.append(buffer[..<count])
        return count > 0
      case .wouldBlock:
        do throws(SystemCallError) { try await loop.readable(reader) } catch { return false }
      case .failed: return false
      }
    }
    return false
  }

  /// Suspends until the peer has read something, for at most 10 s.
  private func waitUntilWritable() async {
    let timeout = Task { [clock] in
      try? await clock.sleep(for: Self.sendTimeout)
      if !Task.isCancelled { close() }
    }
    defer { timeout.cancel() }
    do throws(SystemCallError) { try await loop.writable(writer) } catch { close() }
  }
}
