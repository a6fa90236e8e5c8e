internal import CPoll
internal import Glibc

/// A command that this program starts.
///
/// It inherits neither descriptors, blocked or ignored signals nor ambient capabilities.
public enum ChildProcess {
  /// How a command ended.
  public enum Ending: Hashable, Sendable {
    /// With this exit status.
    case exited(Int32)
    /// By this signal.
    case signalled(Int32)
    /// It ran too long, or its task was cancelled, and was ended.
    case stopped
  }

  /// The time to end in after SIGTERM, before SIGKILL.
  private static let grace = Duration.seconds(2)

  /// Runs a command beside the program, without a terminal and for a limited time.
  ///
  /// It has a process group of its own, which ends with it.
  ///
  /// - Parameters:
  ///   - arguments: the program, which is searched for in `PATH`, and its arguments.
  ///   - variables: added to the environment of this process.
  ///   - limit: the time that it may take; nil: it runs until it ends, or its task is cancelled.
  ///   - line: receives each line of its standard output and error, of which the first 100 with up
  ///     to 400 bytes.
  /// - Returns: how it ended.
  /// - Throws: `SystemCallError` if it could not be started.
  public static func run(
    _ arguments: [String], variables: [String: String], limit: Duration?,
    clock: any Clock<Duration>, line: @escaping @Sendable (String) -> Void
  ) async throws(SystemCallError) -> Ending {
    // The program may be anywhere.
    let child = try await FileIO.named.run { () throws(SystemCallError) in
      try Child(arguments, variables)
    }
    let reading = Task { await child.read(line) }
    let hasEnded =
      if let limit {
        await within(limit, by: clock) { await child.ended() } ?? false
      } else {
        await child.ended()
      }
    // Its end is awaited even when the caller's task is cancelled.
    let ending = await Task {
      if !hasEnded {
        child.signal(SIGTERM)
        if await within(grace, by: clock, { await child.ended() }) != true { child.signal(SIGKILL) }
        _ = await child.ended()
      }
      // What it has left in the background ends with it; what it has written is in the pipe.
      child.signal(SIGKILL)
      reading.cancel()
      await reading.value
      return child.reap()
    }.value
    return hasEnded ? ending : .stopped
  }

  /// Runs a command in the foreground, with the terminal of this process, and blocks until it ends.
  ///
  /// It shares the process group, so that ^C reaches it. ^Z does not suspend it, because no shell
  /// could continue it.
  ///
  /// - Parameter arguments: the program, which is searched for in `PATH`, and its arguments.
  /// - Returns: how it ended.
  /// - Throws: `SystemCallError` if it could not be started.
  public static func runInForeground(_ arguments: [String]) throws(SystemCallError) -> Ending {
    let process = try Child.spawn(arguments, [:], output: nil)
    var status: Int32 = 0
    while true {
      guard waitpid(process, &status, WUNTRACED) >= 0 else {
        guard errno == EINTR else { throw .system(errno: errno, during: "waitpid") }
        continue
      }
      guard status & 0xFF == 0x7F else { return Ending(status: status) }
      // In the background it must stay stopped.
      let reason = status >> 8 & 0xFF
      if reason != SIGTTIN, reason != SIGTTOU { kill(process, SIGCONT) }
    }
  }
}

extension ChildProcess.Ending {
  /// The ending that a status of `waitpid` stands for; the process is not merely stopped.
  fileprivate init(status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }
}

/// A child in the background, and the read end of the pipe that is its output.
private struct Child: Sendable {
  private let process: pid_t
  /// Readable when the process has ended (pidfd_open(2)).
  private let descriptor: Int32
  private let output: Int32

  init(_ arguments: [String], _ variables: [String: String]) throws(SystemCallError) {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw .system(errno: errno, during: "pipe2") }
    defer { close(ends[1]) }
    do {
      process = try Self.spawn(arguments, variables, output: ends[1])
    } catch {
      close(ends[0])
      throw error
    }
    descriptor = earshot_pidfd_open(process)
    guard descriptor >= 0 else {
      let code = errno
      kill(-process, SIGKILL)
      waitpid(process, nil, 0)
      close(ends[0])
      throw .system(errno: code, during: "pidfd_open")
    }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    output = ends[0]
  }

  /// Starts a command.
  ///
  /// - Parameter output: its standard output and error, of a command in the background; nil: it
  ///   keeps the terminal and the process group of this process.
  static func spawn(
    _ arguments: [String], _ variables: [String: String], output: Int32?
  ) throws(SystemCallError) -> pid_t {
    var (attributes, none, all) = (posix_spawnattr_t(), sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let group = output == nil ? 0 : POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let output {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    // Of this thread alone, which is the one that the child descends from.
    _ = earshot_clear_ambient_capabilities()
    var words = pointers(arguments)
    var environment = pointers(Self.environment(variables))
    defer { for pointer in words + environment { free(pointer) } }
    var process: pid_t = 0
    let code = posix_spawnp(
      &process, arguments.first ?? "", &actions, &attributes, &words, &environment)
    guard code == 0 else { throw .system(errno: code, during: arguments.first ?? "posix_spawn") }
    return process
  }

  /// The environment of this process, in which the variables replace those of the same name.
  private static func environment(_ variables: [String: String]) -> [String] {
    var entries: [String] = []
    var place = environ
    while let entry = place.pointee {
      let text = String(cString: entry)
      if variables[String(text.prefix { $0 != "=" })] == nil { entries.append(text) }
      place += 1
    }
    return entries + variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }

  /// Copies for `exec`, which the caller frees; the last is nil.
  private static func pointers(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  /// Waits for the end of the process; false: the task was cancelled first.
  func ended() async -> Bool {
    (try? await PollLoop.shared.readable(descriptor)) != nil
  }

  /// Signals the process and all that it has started in its group.
  func signal(_ number: Int32) { kill(-process, number) }

  /// Passes on the output until it is closed; once the task is cancelled, what is there already.
  func read(_ line: @Sendable (String) -> Void) async {
    var rest: [UInt8] = []
    var count = 0
    func pass(_ bytes: some Collection<UInt8>) {
      count += 1
      if count <= 100 { line(String(decoding: bytes.prefix(400), as: UTF8.self)) }
    }
    let size = 4096
    var buffer = [UInt8](repeating: 0, count: size)
    while true {
      switch systemCall({ Glibc.read(output, &buffer, size) }) {
      case .done(0), .failed:
        if !rest.isEmpty { pass(rest) }
        return
      case .done(let length):
        rest += buffer[..<length]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          pass(rest[..<end])
          rest.removeSubrange(...end)
        }
        // A line without end is cut where it would be.
        if rest.count > size { rest.removeLast(rest.count - 400) }
      case .wouldBlock:
        guard (try? await PollLoop.shared.readable(output)) != nil else { return }
      }
    }
  }

  /// Collects the exit status of the process, which has ended, and closes the descriptors.
  func reap() -> ChildProcess.Ending {
    var status: Int32 = 0
    let result = waitpid(process, &status, WNOHANG)
    PollLoop.shared.close(descriptor)
    PollLoop.shared.close(output)
    return result == process ? ChildProcess.Ending(status: status) : .stopped
  }
}
