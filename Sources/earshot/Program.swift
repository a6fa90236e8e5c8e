import ArgumentParser
import BluetoothKernel
import CompanionRuntime
import EventLoop
import Glibc
import Persistence
import Sharing

@main
enum Program {
  /// Runs the event loop of the main thread, and returns the command's exit status.
  static func main() {
    ProcessRights.restrict()
    // Makes exceeding the file size limit (`ulimit -f`) an error rather than the end of the
    // process.
    signal(SIGXFSZ, SIG_IGN)
    ProcessStops.begin()
    MainLoop.run {
      let status = await end(of: Array(CommandLine.arguments.dropFirst()))
      if EndSignals.received != nil { LogFile.flush() }
      EndSignals.raise()
      return status
    }
  }

  /// Runs the command, and returns its exit status; with `--json`, errors are JSON objects.
  @MainActor
  private static func end(of words: [String]) async -> Int32 {
    let attempt = await HandOver.attempt(words)
    if case .ended(let status, _)? = attempt { return status.rawValue }
    do throws(CommandLineRefusal) {
      var command = try await Earshot.command(of: words)
      await CommonOptions.readConfiguredAdapter()
      do {
        if let attempt, let shared = command as? any SharedCommand {
          try await shared.runShared(after: attempt)
        } else if var asynchronous = command as? any AsyncParsableCommand {
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
