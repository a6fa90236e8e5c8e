internal import EventLoop
internal import Glibc

/// Where other processes of the user come in to the one that owns the radio.
public actor OwnerListener {
  /// As many at a time; more are turned away.
  public static let mostClients = 32
  /// Bytes of a line that a visitor may send.
  static let longestLine = 1 << 16
  /// How long it does not look who comes, where nobody can be let in.
  static let rest = Duration.milliseconds(250)

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

  /// Lets visitors in, each served by a task of its own, until the doorway is closed.
  public func serve(_ request: @escaping @Sendable (LineConnection) async -> Void) async {
    while isOpen {
      switch accept(listener) {
      case .done(let descriptor): welcome(Int32(descriptor), request)
      case .wouldBlock:
        do throws(SystemCallError) {
          try await PollLoop.shared.readable(listener)
        } catch {
          return
        }
      // Of a visitor that left before it was let in.
      case .failed(ECONNABORTED): continue
      case .failed(EBADF), .failed(EINVAL), .failed(ENOTSOCK): return
      // Of too many descriptors, for example: they wait outside until that has passed.
      case .failed: try? await clock.sleep(for: Self.rest)
      }
    }
  }

  /// Lets all visitors wait until the doorway is closed: this process has the link for one command.
  public func keepWaiting() async {
    await serve { channel in
      guard await channel.next() != nil, await channel.send(.busy) else { return }
      while await channel.next() != nil {}
    }
  }

  /// Turns everybody away from now on, and lets another process become the owner.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    PollLoop.shared.close(listener)
    unlink(path)
    Glibc.close(lock)
  }

  private func welcome(
    _ descriptor: Int32, _ request: @escaping @Sendable (LineConnection) async -> Void
  ) {
    guard OwnerEndpoint.peer(of: descriptor) == user, turnedAway < Self.mostClients else {
      Glibc.close(descriptor)
      return
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let channel = LineConnection(descriptor, longest: Self.longestLine)
    guard clients < Self.mostClients else { return reject(channel) }
    clients += 1
    Task {
      await request(channel)
      await channel.close()
      clients -= 1
    }
  }

  /// Says why: who is turned away without a word would take the owner for gone.
  private func reject(_ channel: LineConnection) {
    turnedAway += 1
    Task {
      if await channel.next() != nil {
        _ = await channel.send(.message("\(Self.mostClients) others share the link already"))
        _ = await channel.send(.end(.failed))
      }
      await channel.close()
      turnedAway -= 1
    }
  }
}
