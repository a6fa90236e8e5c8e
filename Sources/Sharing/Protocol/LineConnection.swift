internal import EventLoop
internal import Glibc

/// A connection to another `earshot` process of the same user that carries lines of text.
///
/// A reader takes one line at a time, and a sender waits until its line is on its way: nothing
/// piles up, and a slow peer delays only the task that sends to it.
///
/// A peer that sends a line longer than the limit, or takes nothing for 10 s, is disconnected:
/// memory and time that it can cost are bounded.
public actor LineConnection {
  /// The process at the other end; nil: the kernel does not say.
  public nonisolated let process: PeerProcess?
  private let loop: PollLoop
  private let reader: Int32
  /// A duplicate of the socket: a poll loop waits for one thing at a time per descriptor.
  private let writer: Int32
  private let longest: Int
  private let clock: any Clock<Duration>
  private var isOpen = true
  private var received = LineBuffer()
  /// A line is on its way; others wait, so that no two are mixed.
  private var isSending = false
  private var waitingSenders: [CheckedContinuation<Void, Never>] = []

  /// Time for which the peer may take nothing.
  private static let sendTimeout = Duration.seconds(10)

  /// Takes over a connected stream socket, which does not block.
  ///
  /// - Parameter longest: bytes of a line; a longer one ends the connection.
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

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// The next line, without its end; nil: the connection has ended.
  public func next() async -> [UInt8]? {
    while isOpen {
      if let line = received.next() { return line }
      guard received.count < longest, await receive() else { break }
    }
    close()
    return nil
  }

  /// Sends a line whole, after those that were sent before it.
  ///
  /// - Returns: false if the connection has ended, or the peer has taken nothing for long.
  public func send(_ line: some Sequence<UInt8> & Sendable) async -> Bool {
    if isSending { await withCheckedContinuation { waitingSenders.append($0) } }
    isSending = true
    defer {
      // The next sender takes over without a gap that a newcomer could slip into.
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

  /// Ends the connection.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    loop.close(reader)
    if writer >= 0 { loop.close(writer) }
  }

  /// Reads what has arrived; false at the end of the stream.
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

  /// Suspends until the peer has taken something, for at most 10 s.
  private func waitUntilWritable() async {
    let timeout = Task { [clock] in
      try? await clock.sleep(for: Self.sendTimeout)
      if !Task.isCancelled { close() }
    }
    defer { timeout.cancel() }
    do throws(SystemCallError) { try await loop.writable(writer) } catch { close() }
  }
}
