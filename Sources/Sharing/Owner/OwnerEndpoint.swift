internal import CPoll
internal import EventLoop
internal import Glibc
internal import Persistence

/// The socket by which the `earshot` processes of a user find the one that owns the link.
///
/// The first process takes the lock and listens; the others are its clients. In
/// `$XDG_RUNTIME_DIR/earshot`, which must belong to the user and be closed to others, the owner
/// locks `adapter.lock` (`flock`) and listens on `adapter.socket` (mode 0600). Other adapters than
/// the default have `adapter-NAME.lock` and `adapter-NAME.socket`. Without the folder every process
/// works alone.
package struct OwnerEndpoint: Hashable, Sendable {
  package enum Role: Sendable {
    case client(LineConnection)
    /// This process owns the link; the listener is nil if no other process can connect.
    case owner(OwnerListener?)

    package var isOwner: Bool { if case .owner = self { true } else { false } }

    /// The listener of other processes, or nil if this process is a client or unreachable.
    package var listener: OwnerListener? {
      if case .owner(let listener) = self { listener } else { nil }
    }
  }

  package let folder: String
  let name: String

  /// Creates an adapter's endpoint, the default's if nil; fails without the user's runtime folder.
  package init?(adapter: String?, environment: (String) -> String? = variable) {
    guard let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") else { return nil }
    self.init(folder: "\(runtime)/earshot", adapter: adapter)
  }

  package init(folder: String, adapter: String?) {
    self.folder = folder
    name = adapter.map { "adapter-\($0)" } ?? "adapter"
  }

  package var socket: String { "\(folder)/\(entry)" }
  private var entry: String { "\(name).socket" }
  private var lock: String { "\(folder)/\(name).lock" }

  private var isUsable: Bool {
    (mkdir(folder, 0o700) == 0 || errno == EEXIST) && isPrivate && access(folder, W_OK | X_OK) == 0
  }

  /// Becomes a client of the owner, or the owner.
  ///
  /// This method waits while neither is possible, so that there is never a second owner: a new
  /// owner does not listen yet, an ending one listens no longer, and a suspended one has a full
  /// backlog.
  ///
  /// - Returns: The role, or nil if no owner accepted this process within `limit` or the task was
  ///   cancelled.
  package func join(
    within limit: Duration? = nil, clock: any Clock<Duration> = LoopClock(.shared)
  ) async -> Role? {
    var waited = Duration.zero
    var pause = Duration.milliseconds(20)
    while true {
      if let connection = connect() { return .client(connection) }
      switch tryOpen() {
      case .opened(let listener): return .owner(listener)
      case .unusable: return .owner(nil)
      case .locked: break
      }
      if let limit, waited >= limit { return nil }
      guard (try? await clock.sleep(for: pause)) != nil else { return nil }
      waited += pause
      pause = min(pause * 2, .milliseconds(500))
    }
  }

  /// Connects to the owner, or returns nil if none accepts this process now.
  package func connect() -> LineConnection? {
    guard isPrivate, let descriptor = Self.makeSocket() else { return nil }
    let isConnected = withAddress(of: entry) { address, length in
      Glibc.connect(descriptor, address, length) == 0
    }
    guard isConnected == true, let peer = Self.credentials(of: descriptor), peer.user == getuid()
    else {
      close(descriptor)
      return nil
    }
    return LineConnection(
      descriptor, longest: 1 << 22, process: PeerProcess(id: peer.process))
  }

  /// Becomes the owner, or returns nil if another process is or none can be.
  package func open() -> OwnerListener? { tryOpen().listener }

  enum Opening {
    case opened(OwnerListener)
    case locked
    case unusable

    var listener: OwnerListener? {
      if case .opened(let listener) = self { listener } else { nil }
    }
  }

  func tryOpen(
    to user: UInt32? = nil, clock: any Clock<Duration> = LoopClock(.shared),
    accept: @escaping @Sendable (Int32) -> SystemResult = Self.accept
  ) -> Opening {
    guard isUsable else { return .unusable }
    let lock = Glibc.open(self.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { return .unusable }
    // The kernel releases the lock however this process ends.
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let isLocked = errno == EWOULDBLOCK
      close(lock)
      return isLocked ? .locked : .unusable
    }
    guard let listener = listen() else {
      close(lock)
      return .unusable
    }
    return .opened(
      OwnerListener(
        listener: listener, lock: lock, path: socket, user: user ?? getuid(), clock: clock,
        accept: accept))
  }

  @Sendable static func accept(_ listener: Int32) -> SystemResult {
    let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    return systemCall { Int(accept4(listener, nil, nil, flags)) }
  }

  /// Creates the socket under a temporary name and renames it once it listens.
  private func listen() -> Int32? {
    guard let descriptor = Self.makeSocket() else { return nil }
    let newEntry = "\(entry).\(getpid())"
    let new = "\(folder)/\(newEntry)"
    unlink(new)
    let isBound = withAddress(of: newEntry) { address, length in
      bind(descriptor, address, length) == 0
    }
    guard isBound == true, chmod(new, 0o600) == 0, Glibc.listen(descriptor, 16) == 0,
      rename(new, socket) == 0
    else {
      close(descriptor)
      unlink(new)
      return nil
    }
    return descriptor
  }

  private var isPrivate: Bool {
    var status = stat()
    return lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == getuid() && status.st_mode & 0o077 == 0
  }

  private static func makeSocket() -> Int32? {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = Glibc.socket(AF_UNIX, kind, 0)
    return descriptor >= 0 ? descriptor : nil
  }

  /// Calls `body` with the address of a socket in the folder, or returns nil without a folder.
  ///
  /// The path uses the folder's descriptor, as a socket's address holds only 107 bytes of path.
  private func withAddress<Result>(
    of entry: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result? {
    let directory = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard directory >= 0 else { return nil }
    defer { close(directory) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array("/proc/self/fd/\(directory)/\(entry)".utf8) + [0]
    guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  static func peer(of descriptor: Int32) -> UInt32? { credentials(of: descriptor)?.user }

  /// Returns the process and user at the other end as of the connection (`SO_PEERCRED`).
  private static func credentials(of descriptor: Int32) -> PeerCredentials? {
    var credentials = PeerCredentials()
    var length = socklen_t(MemoryLayout<PeerCredentials>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
      return nil
    }
    return credentials
  }
}

/// `struct ucred`, which glibc declares only with GNU extensions.
private struct PeerCredentials {
  var process: Int32 = 0
  var user: UInt32 = .max
  var group: UInt32 = .max
}
