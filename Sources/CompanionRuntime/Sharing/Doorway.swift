internal import Descriptors
internal import Glibc

/// Where other processes of the user come in to the one that owns the radio.
public actor Doorway {
  /// As many at a time; more are turned away.
  public static let mostVisitors = 32
  /// Bytes of a line that a visitor may send.
  static let longestLine = 1 << 16

  private let listener: Int32
  private let lock: Int32
  private let path: String
  private let user: UInt32
  private var visitors = 0
  private var isOpen = true

  init(listener: Int32, lock: Int32, path: String, user: UInt32) {
    self.listener = listener
    self.lock = lock
    self.path = path
    self.user = user
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    PollLoop.shared.asUnownedSerialExecutor()
  }

  /// Lets visitors in, each served by a task of its own, until the doorway is closed.
  public func serve(_ visit: @escaping @Sendable (LineChannel) async -> Void) async {
    while isOpen {
      switch systemCall({ Int(accept(listener, nil, nil)) }) {
      case .done(let descriptor): welcome(Int32(descriptor), visit)
      case .wouldBlock:
        do throws(DescriptorError) {
          try await PollLoop.shared.readable(listener)
        } catch {
          return
        }
      // Of a visitor that left before it was let in, or of too many descriptors.
      case .failed(ECONNABORTED): continue
      case .failed: return
      }
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
    _ descriptor: Int32, _ visit: @escaping @Sendable (LineChannel) async -> Void
  ) {
    guard MeetingPlace.peer(of: descriptor) == user, visitors < Self.mostVisitors else {
      Glibc.close(descriptor)
      return
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    visitors += 1
    let channel = LineChannel(descriptor, longest: Self.longestLine)
    Task {
      await visit(channel)
      await channel.close()
      visitors -= 1
    }
  }
}
