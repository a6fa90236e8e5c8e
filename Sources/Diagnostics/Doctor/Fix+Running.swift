public import Companion
internal import EventLoop
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
      tell("Exit status \(status). Press Enter to go back.")
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
    return switch try? ChildProcess.runInForeground(words) {
    case .exited(let status): status
    case .signalled(let signal): 128 + signal
    case .stopped, nil: 127
    }
  }
}
