public import Companion
internal import Glibc

extension Fix {
  /// Whether this process is root.
  public static var isRoot: Bool { geteuid() == 0 }

  /// Whether root runs it.
  ///
  /// - Parameter isRoot: whether this process is root, so that it runs every command as root.
  public func runsAsRoot(isRoot: Bool = Self.isRoot) -> Bool {
    guard case .commands(let commands) = self else { return false }
    return isRoot || commands.contains(where: \.needsRoot)
  }

  /// Shows the commands and runs them with this terminal, for a screen that has left it.
  ///
  /// After a failure it waits for Enter: the screen will cover what the command wrote.
  ///
  /// - Returns: as ``run()``.
  public func runVisibly() -> Int32 {
    tell("$ \(text)\n")
    let status = run()
    if status != 0 {
      tell("It ended with \(status). Press Enter to go back.")
      _ = readLine()
    }
    return status
  }

  /// Writes at once: the command writes next.
  private func tell(_ words: String) {
    print(words, terminator: "")
    fflush(nil)
  }

  /// Runs the commands with this terminal, up to the first that fails.
  ///
  /// - Returns: the exit status of the last that ran; 128 and more for the signal that ended it.
  public func run() -> Int32 {
    guard case .commands(let commands) = self else { return 0 }
    for command in commands {
      let status = command.run()
      if status != 0 { return status }
    }
    return 0
  }
}

extension FixCommand {
  /// Runs the command, with sudo if it needs root, and waits for its end.
  ///
  /// - Returns: the exit status; 127 if it could not be started, 128 and more for a signal.
  fileprivate func run() -> Int32 {
    let words = (needsRoot && !Fix.isRoot ? ["sudo"] : []) + arguments
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    // This process blocks signals, which the command would inherit: ^C must end it.
    var (attributes, none, all) = (posix_spawnattr_t(), sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var process: pid_t = 0
    guard let name = words.first,
      posix_spawnp(&process, name, nil, &attributes, &pointers, environ) == 0
    else { return 127 }
    var status: Int32 = 0
    while true {
      guard waitpid(process, &status, WUNTRACED) >= 0 else {
        guard errno == EINTR else { return 127 }
        continue
      }
      guard status & 0xFF == 0x7F else { break }
      // No shell would continue what ^Z has stopped; in the background it must stay stopped.
      let reason = status >> 8 & 0xFF
      if reason != SIGTTIN, reason != SIGTTOU { kill(process, SIGCONT) }
    }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }
}
