internal import CompanionRuntime
internal import EventLoop
internal import Glibc

/// The listening socket of the process that owns the link, and the lock that makes it the owner.
///
/// It runs on the poll loop, and waits for clients without a thread of its own. Processes of other
/// users are closed without a reply.
public actor OwnerListener {
  /// Clients served at a time; more are turned away.
  public static let maximumClients = 32
  /// Bytes of a line that a client may send.
  static let longestLine = 1 << 16
  /// The time that a client which is turned away has for its request.
  static let hearing = Duration.seconds(5)
  /// Back-off after `accept` fails, for example with EMFILE.
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

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    PollLoop.shared.asUnownedSerialExecutor()
  }

  /// Accepts clients, each served by a task of its own, until the listener is closed.
  public func serve(_ body: @escaping @Sendable (LineConnection) async -> Void) async {
    while isOpen {
      switch accept(listener) {
      case .done(let descriptor): welcome(Int32(descriptor), body)
      case .wouldBlock:
        do throws(SystemCallError) {
          try await PollLoop.shared.readable(listener)
        } catch {
          return
        }
      // The client left before it was accepted.
      case .failed(ECONNABORTED): continue
      case .failed(EBADF), .failed(EINVAL), .failed(ENOTSOCK): return
      // Too many open files, for example: clients wait in the backlog until that has passed.
      case .failed: try? await clock.sleep(for: Self.backOff)
      }
    }
  }

  /// Answers all clients with busy until the listener is closed: this process has the link for
  /// one command.
  public func keepWaiting() async {
    await serve { connection in
      guard await connection.next() != nil, await connection.send(OwnerMessage.busy) else { return }
      while await connection.next() != nil {}
    }
  }

  /// Accepts no client from now on, and lets another process become the owner.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    PollLoop.shared.close(listener)
    unlink(path)
    Glibc.close(lock)
  }

  /// Serves a client of the right user, or refuses it where too many are served.
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

  /// Refuses with a reason: a client that is cut off would take the owner for gone.
  ///
  /// - Parameter isHeard: whether its request is read first, for some seconds; not where too many are.
  private func reject(_ connection: LineConnection, hearing isHeard: Bool) {
    if isHeard { turnedAway += 1 }
    Task {
      if isHeard {
        _ = await within(Self.hearing, by: clock) { await connection.next() }
      }
      let why = "\(Self.maximumClients) other clients share the link already"
      _ = await connection.send(OwnerMessage.message(why))
      _ = await connection.send(OwnerMessage.end(.failed))
      await connection.close()
      if isHeard { turnedAway -= 1 }
    }
  }
}
