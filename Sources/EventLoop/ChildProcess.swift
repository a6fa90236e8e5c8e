internal import CPoll
internal import Glibc
internal import Locking

/// A command that this program starts.
///
/// The child inherits no descriptors but the standard ones, no blocked or ignored signals, and no
/// ambient capabilities.
package enum ChildProcess {
  /// The end of a command.
  package enum Ending: Hashable, Sendable {
    /// The command exited with this status.
    case exited(Int32)
    /// This signal killed the command.
    case signalled(Int32)
    /// The command was ended because it ran too long or its task was cancelled.
    case stopped
    /// The command was killed because another program had paused it (SIGSTOP).
    case paused
  }

  /// The time to end between SIGTERM and SIGKILL.
  private static let grace = Duration.seconds(2)

  /// Runs a command in the background, without a terminal and in a process group that ends with it.
  ///
  /// - Parameters:
  ///   - arguments: the program, which is searched for in `PATH`, and its arguments.
  ///   - variables: added to the environment of this process.
  ///   - limit: the time until the command is ended, or nil for none.
  ///   - endsWhenPaused: whether the command is killed as soon as a signal has paused it. A thread
  ///     waits for that as long as the command runs.
  ///   - line: receives the first 100 lines of standard output and error, each up to 400 bytes.
  package static func run(
    _ arguments: [String], variables: [String: String], limit: Duration?,
    endsWhenPaused: Bool = false, clock: any Clock<Duration>,
    line: @escaping @Sendable (String) -> Void
  ) async throws(SystemCallError) -> Ending {
    // The program may be on a slow disk.
    let child = try await FileIO.named.run { () throws(SystemCallError) in
      try Child(arguments, variables)
    }
    let pause = Pause()
    if endsWhenPaused { child.end(at: pause) }
    let reading = Task { await child.read(by: clock, line) }
    let hasEnded =
      if let limit {
        await within(limit, by: clock) { await child.ended() } ?? false
      } else {
        await child.ended()
      }
    // Wait for the end even if the caller's task is cancelled.
    let ending = await Task {
      if !hasEnded {
        child.signal(SIGTERM)
        if await within(grace, by: clock, { await child.ended() }) != true { child.signal(SIGKILL) }
        _ = await child.ended()
      }
      // End what the command left in the background. What was written is in the pipe.
      child.signal(SIGKILL)
      reading.cancel()
      await reading.value
      return child.reap()
    }.value
    if pause.hasCome.load(ordering: .relaxed) { return .paused }
    return hasEnded ? ending : .stopped
  }

  /// Runs a command with the terminal of this process, and blocks until the command ends.
  ///
  /// ^C reaches the command, as it shares the process group. ^Z does not suspend it.
  ///
  /// - Parameter arguments: the program, which is searched for in `PATH`, and its arguments.
  package static func runInForeground(_ arguments: [String]) throws(SystemCallError) -> Ending {
    let process = try Child.spawn(arguments, [:], output: nil)
    var status: Int32 = 0
    while true {
      guard waitpid(process, &status, WUNTRACED) >= 0 else {
        guard errno == EINTR else { throw .system(errno: errno, during: "waitpid") }
        continue
      }
      guard status & 0xFF == 0x7F else { return Ending(status: status) }
      // If it needs the terminal in the background, it must stay stopped.
      let reason = status >> 8 & 0xFF
      if reason != SIGTTIN, reason != SIGTTOU { kill(process, SIGCONT) }
    }
  }
}

extension ChildProcess.Ending {
  fileprivate init(status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }
}

private final class Pause: Sendable {
  let hasCome = Atomic(false)
}

private struct Child: Sendable {
  private let process: pid_t
  /// A pidfd (pidfd_open(2)), which is readable when the process has ended.
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
    // The capabilities of this thread only, from which the child descends.
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

  private static func pointers(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  func ended() async -> Bool {
    (try? await PollLoop.shared.readable(descriptor)) != nil
  }

  func end(at pause: Pause) {
    FileIO.detach {
      var change = siginfo_t()
      while true {
        // The state stays for ``reap()``.
        let result = waitid(P_PID, id_t(process), &change, WSTOPPED | WEXITED | WNOWAIT)
        guard result != 0, errno == EINTR else { break }
      }
      guard change.si_code == Int32(CLD_STOPPED) else { return }
      pause.hasCome.store(true, ordering: .relaxed)
      signal(SIGKILL)
    }
  }

  func signal(_ number: Int32) { kill(-process, number) }

  private static let mostLines = 100
  /// The bytes of output that are read as they come; beyond that, reading is throttled.
  private static let pacedFrom = 1 << 16
  /// The pause between two reads beyond that, of a whole pipe each.
  private static let pause = Duration.milliseconds(20)

  /// Passes on the output until it is closed or, after cancellation, until nothing is left.
  func read(by clock: any Clock<Duration>, _ line: @Sendable (String) -> Void) async {
    var rest: [UInt8] = []
    var (count, total) = (0, 0)
    func pass(_ bytes: some Collection<UInt8>) {
      count += 1
      if count <= Self.mostLines { line(String(decoding: bytes.prefix(400), as: UTF8.self)) }
    }
    let size = Self.pacedFrom
    var buffer = [UInt8](repeating: 0, count: size)
    while true {
      switch systemCall({ Glibc.read(output, &buffer, size) }) {
      case .done(0), .failed:
        if !rest.isEmpty { pass(rest) }
        return
      case .done(let length):
        total += length
        rest += buffer[..<length]
        let lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in lines.dropLast() where count < Self.mostLines { pass(line) }
        // Cut a line that does not end at the length that is passed on.
        rest = Array((lines.last ?? []).prefix(400))
        if total > Self.pacedFrom, (try? await clock.sleep(for: Self.pause)) == nil { return }
      case .wouldBlock:
        guard (try? await PollLoop.shared.readable(output)) != nil else { return }
      }
    }
  }

  func reap() -> ChildProcess.Ending {
    var status: Int32 = 0
    let result = waitpid(process, &status, WNOHANG)
    PollLoop.shared.close(descriptor)
    PollLoop.shared.close(output)
    return result == process ? ChildProcess.Ending(status: status) : .stopped
  }
}
