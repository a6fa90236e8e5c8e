import ArgumentParser
import BluetoothLinux
import CompanionRuntime
import EventLoop
import Glibc
import Persistence
import Sharing

/// The entry point: the main thread's event loop, and the command on it.
@main
enum Program {
  /// Returns to the system with the command's exit status.
  static func main() {
    ProcessRights.restrict()
    // A file that may not grow (`ulimit -f`) is then an error of that file, and not the end.
    signal(SIGXFSZ, SIG_IGN)
    ProcessStops.begin()
    MainLoop.run {
      let status = await end(of: Array(CommandLine.arguments.dropFirst()))
      if EndSignals.received != nil { LogFile.flush() }
      EndSignals.raise()
      return status
    }
  }

  /// Runs the command of this process, and returns its exit status.
  ///
  /// Help and version go to standard output with status 0, usage errors to standard error with 64.
  ///
  /// With `--json` a failure is an object on standard output, too.
  @MainActor
  private static func end(of words: [String]) async -> Int32 {
    do throws(CommandLineRefusal) {
      var command = try await Earshot.command(of: words)
      do {
        if var asynchronous = command as? any AsyncParsableCommand {
          try await asynchronous.run()
        } else {
          try command.run()
        }
        return ExitStatus.ok.rawValue
      } catch let code as ExitCode {
        return code.rawValue
      } catch {
        throw Earshot.refusal(error, of: words)
      }
    } catch {
      switch error {
      // Requested help is data.
      case .help(let text):
        StandardConsole.shared.data(text)
        return ExitStatus.ok.rawValue
      case .wrong(let failure):
        StandardConsole.shared.report(
          failure, asJSON: ["--json", "-j"].contains(where: words.contains))
        return failure.code
      }
    }
  }
}
