package import Companion
internal import EventLoop
internal import Glibc

extension Fix {
  package static var isRoot: Bool { geteuid() == 0 }

  /// Returns whether the commands run as root, as all do if this process is root.
  package func runsAsRoot(isRoot: Bool = Self.isRoot) -> Bool {
    guard case .commands(let commands) = self else { return false }
    return isRoot || commands.contains(where: \.needsRoot)
  }

  /// Shows and runs the commands on this terminal, and after a failure waits for Enter.
  ///
  /// Without the wait, the screen would cover the commands' output.
  package func runVisibly() -> Int32 {
    tell("$ \(text)\n")
    let status = run()
    if status != 0 {
      tell("Exit status \(status). Press Enter to go back.")
      _ = readLine()
    }
    return status
  }

  /// Writes without buffering, because the command writes next.
  private func tell(_ words: String) {
    print(words, terminator: "")
    fflush(nil)
  }

  /// Runs the commands up to the first that fails; returns its status, or 128 plus its signal.
  package func run() -> Int32 {
    guard case .commands(let commands) = self else { return 0 }
    for command in commands {
      let status = command.run()
      if status != 0 { return status }
    }
    return 0
  }
}

extension FixCommand {
  /// Runs the command, with sudo if it needs root; returns 127 if it could not be started.
  fileprivate func run() -> Int32 {
    let words = (needsRoot && !Fix.isRoot ? ["sudo"] : []) + arguments
    return switch try? ChildProcess.runInForeground(words) {
    case .exited(let status): status
    case .signalled(let signal): 128 + signal
    case .stopped, .paused, nil: 127
    }
  }
}
