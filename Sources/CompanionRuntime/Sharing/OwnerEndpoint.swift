internal import EventLoop
internal import Glibc
public import Persistence

/// Where the `earshot` processes of a user meet: a socket in `$XDG_RUNTIME_DIR/earshot`.
///
/// The first of them owns the radio and listens there; the others talk to it.
public struct OwnerEndpoint: Hashable, Sendable {
  /// Made by the first process that opens it, for this user alone.
  public let folder: String
  let name: String

  /// Nil where the user has no runtime folder: every process is alone there.
  ///
  /// - Parameter adapter: those that use different adapters do not meet.
  public init?(adapter: String?, environment: (String) -> String? = variable) {
    guard let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") else { return nil }
    self.init(folder: "\(runtime)/earshot", adapter: adapter)
  }

  /// A folder other than the user's, for tests.
  public init(folder: String, adapter: String?) {
    self.folder = folder
    name = adapter.map { "adapter-\($0)" } ?? "adapter"
  }

  /// The path on which the owner listens.
  public var socket: String { "\(folder)/\(entry)" }
  private var entry: String { "\(name).socket" }
  private var lock: String { "\(folder)/\(name).lock" }

  /// Whether processes can meet here; makes the folder.
  public var isUsable: Bool {
    (mkdir(folder, 0o700) == 0 || errno == EEXIST) && isPrivate && access(folder, W_OK | X_OK) == 0
  }

  /// Connects to the owner; nil: there is none, or none that this user may talk to.
  public func connect() -> LineConnection? {
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

  /// Becomes the owner; nil: another process is, or none can be here.
  ///
  /// - Parameter user: who may come in; nil: the user of this process.
  public func open(to user: UInt32? = nil) -> OwnerListener? {
    open(to: user, clock: ContinuousClock()) { listener in
      systemCall { Int(accept(listener, nil, nil)) }
    }
  }

  /// - Parameter accept: lets the next one in that waits at a listener.
  func open(
    to user: UInt32? = nil, clock: any Clock<Duration>,
    accept: @escaping @Sendable (Int32) -> SystemResult
  ) -> OwnerListener? {
    guard isUsable else { return nil }
    let lock = Glibc.open(self.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { return nil }
    // The kernel lets go of it when this process ends, however that happens.
    guard flock(lock, LOCK_EX | LOCK_NB) == 0, let listener = listen() else {
      close(lock)
      return nil
    }
    return OwnerListener(
      listener: listener, lock: lock, path: socket, user: user ?? getuid(), clock: clock,
      accept: accept)
  }

  /// A socket that listens from the moment on at which it has its name.
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

  /// A folder of somebody else, or open to others, is no place to meet.
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

  /// Hands `body` the address of a socket in the folder; nil: there is no such folder.
  ///
  /// A socket's address holds 107 bytes of path, and a user's folder may be deeper: the folder is
  /// named by its descriptor.
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

  /// The user at the other end; nil: the kernel does not say.
  static func peer(of descriptor: Int32) -> UInt32? { credentials(of: descriptor)?.user }

  private static func credentials(of descriptor: Int32) -> PeerCredentials? {
    var credentials = PeerCredentials()
    var length = socklen_t(MemoryLayout<PeerCredentials>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
      return nil
    }
    return credentials
  }
}

/// `struct ucred`, which the C library shows only to those who ask for GNU extensions.
private struct PeerCredentials {
  var process: Int32 = 0
  var user: UInt32 = .max
  var group: UInt32 = .max
}
