internal import CompanionRuntime
internal import EventLoop
internal import Glibc

/// The owner's listening socket, and the lock that makes its process the owner.
///
/// The listener runs on the poll loop, without a thread. Processes of other users are disconnected
/// without a reply.
package actor OwnerListener {
  /// The maximum number of clients at a time; others are refused.
  package static let maximumClients = 32
  /// The maximum length in bytes of a client's line.
  static let longestLine = 1 << 16
  static let hearing = Duration.seconds(5)
  static let backOff = Duration.milliseconds(250)

  private let listener: Int32
  private let lock: Int32
  private let path: String
  private let user: UInt32
  private let clock: any Clock<Duration>
  private let accept: @Sendable (Int32) -> SystemResult
  private var clients = 0
  private var turnedAway = 0
  private var isOpen = true

  init(
    listener: Int32, lock: Int32, path: String, user: UInt32, clock: any Clock<Duration>,
    accept: @escaping @Sendable (Int32) -> SystemResult
  ) {
    self.listener = listener
    self.lock = lock
    self.path = path
    self.user = user
    self.clock = clock
    self.accept = accept
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    PollLoop.shared.asUnownedSerialExecutor()
  }

  package func serve(_ body: @escaping @Sendable (LineConnection) async -> Void) async {
    while isOpen {
      switch accept(listener) {
      case .done(let descriptor): welcome(Int32(descriptor), body)
      case .wouldBlock:
        do throws(SystemCallError) {
          try await PollLoop.shared.readable(listener)
        } catch {
          return
        }
      case .failed(ECONNABORTED): continue
      case .failed(EBADF), .failed(EINVAL), .failed(ENOTSOCK): return
      // Too many open files, for example: clients wait in the backlog.
      case .failed: try? await clock.sleep(for: Self.backOff)
      }
    }
  }

  /// Answers all clients with busy until the listener is closed.
  package func keepWaiting() async {
    await serve { [clock] connection in
      guard await Self.firstLine(of: connection, by: clock) != nil,
        await connection.send(OwnerMessage.busy)
      else { return }
      while await connection.next() != nil {}
    }
  }

  package func close() {
    guard isOpen else { return }
    isOpen = false
    PollLoop.shared.close(listener)
    unlink(path)
    Glibc.close(lock)
  }

  /// Returns a client's request, or nil if the client leaves or sends nothing for 5 s.
  static func firstLine(
    of connection: LineConnection, by clock: any Clock<Duration>
  ) async -> [UInt8]? {
    await within(hearing, by: clock) { await connection.next() } ?? nil
  }

  private func welcome(
    _ descriptor: Int32, _ body: @escaping @Sendable (LineConnection) async -> Void
  ) {
    guard OwnerEndpoint.peer(of: descriptor) == user else {
      Glibc.close(descriptor)
      return
    }
    let connection = LineConnection(descriptor, longest: Self.longestLine)
    guard clients < Self.maximumClients else {
      return reject(connection, hearing: turnedAway < Self.maximumClients)
    }
    clients += 1
    Task {
      await body(connection)
      await connection.close()
      clients -= 1
    }
  }

  /// Refuses a client with a reason, as a disconnected client would assume that the owner is gone.
  ///
  /// - Parameter isHeard: Whether to read the request first.
  private func reject(_ connection: LineConnection, hearing isHeard: Bool) {
    if isHeard { turnedAway += 1 }
    Task {
      if isHeard { _ = await Self.firstLine(of: connection, by: clock) }
      let why = "\(Self.maximumClients) other clients share the link already"
      _ = await connection.send(OwnerMessage.message(why))
      _ = await connection.send(OwnerMessage.end(.failed))
      await connection.close()
      if isHeard { turnedAway -= 1 }
    }
  }
}
