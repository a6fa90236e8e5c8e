internal import EventLoop
internal import Glibc

/// A connection to another `earshot` of the same user, by which lines travel.
///
/// A reader takes one line at a time, and who sends waits until the line is on its way: nothing
/// piles up, and a slow other side holds up nobody but its own task.
public actor LineConnection {
  /// The other end; nil: the kernel does not say.
  public nonisolated let process: PeerProcess?
  private let loop: PollLoop
  private let reader: Int32
  /// The same socket once more: a loop waits for one thing at a time per descriptor.
  private let writer: Int32
  private let longest: Int
  private let clock: any Clock<Duration>
  private var isOpen = true
  private var received: [UInt8] = []

  /// How long the other side may take nothing.
  private static let timeout = Duration.seconds(10)

  /// Takes over a connected stream socket, which does not block.
  ///
  /// - Parameter longest: bytes of a line; a longer one ends the connection.
  init(
    _ descriptor: Int32, longest: Int, process: PeerProcess? = nil, loop: PollLoop = .shared,
    clock: any Clock<Duration> = ContinuousClock()
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
      if let end = received.firstIndex(of: Self.newline) {
        let line = Array(received[..<end])
        received.removeSubrange(...end)
        return line
      }
      guard received.count < longest, await receive() else { break }
    }
    close()
    return nil
  }

  /// Sends a line; false: the connection has ended, or the other side has taken nothing for long.
  public func send(_ line: some Sequence<UInt8> & Sendable) async -> Bool {
    var rest = (Array(line) + [Self.newline])[...]
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

  private func receive() async -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while isOpen {
      switch systemCall({ read(reader, &buffer, buffer.count) }) {
      case .done(let count):
        received += buffer[..<count]
        return count > 0
      case .wouldBlock:
        do throws(SystemCallError) { try await loop.readable(reader) } catch { return false }
      case .failed: return false
      }
    }
    return false
  }

  private func waitUntilWritable() async {
    let timeout = Task { [clock] in
      try? await clock.sleep(for: Self.timeout)
      if !Task.isCancelled { close() }
    }
    defer { timeout.cancel() }
    do throws(SystemCallError) { try await loop.writable(writer) } catch { close() }
  }

  private static let newline = UInt8(ascii: "\n")
}
