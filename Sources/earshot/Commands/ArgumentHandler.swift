import ArgumentParser
import Companion
import CompanionRuntime
import Glibc
import HeadphoneProtocols
import Sharing

/// Parses the command lines of clients, and runs them as those of this process are run.
///
/// Arguments are the wire format: a client and its owner may be of different builds, and argument
/// types can be decoded from arguments only.
///
/// Everything that a client sends is hostile until parsed: unknown words are a usage error for the
/// client, never one of the owner.
struct ArgumentHandler: RequestHandler {
  ///
  /// Errors are reported on the client's console, as an object with `--json`.
  ///
  /// - Parameter client: The request, with the terminal of its sender as the console.
  /// - Returns: The exit status; nil: an endless command that the owner ended.
  @MainActor
  func run(_ client: ClientRequest) async -> ExitStatus? {
    let command: any SharedCommand
    do throws(CommandLineRefusal) {
      guard
        let shared = try await Earshot.command(of: client.request.arguments)
          as? any SharedCommand
      else {
        client.message("a running earshot cannot run this command")
        return .usage
      }
      command = shared
    } catch {
      client.message(error.text)
      return .usage
    }
    do throws(CommandError) {
      var context = CommandContext(store: client.store, effects: client.effects, client: client)
      switch client.request.purpose {
      case .resolve:
        client.resolve(to: try await command.resolveStep(in: context))
        return .ok
      case .run(let step): context.step = step
      case .screen: break
      }
      if command.options.isVirtual { client.message("these headphones are virtual") }
      try await command.run(in: context)
      return command.lifetime == .endless ? nil : .ok
    } catch {
      client.report(FailureReport(error), asJSON: command.options.json)
      return error.status
    }
  }

  @MainActor
  func isEndless(_ request: Request) -> Bool {
    let command = try? Earshot.parsed(request.arguments)
    return (command as? any SharedCommand)?.lifetime == .endless
  }

  /// What a further screen may choose for itself: trusted keys and the selected headphone.
  ///
  /// A screen of a client shows what the owner has; all other options are the owner's.
  ///
  /// - Throws: `Request.Refusal` if the words are no command line of a screen.
  @MainActor
  func screenOptions(of request: Request) async throws(Request.Refusal) -> ScreenClientOptions {
    let command: any ParsableCommand
    do { command = try Earshot.parsed(request.arguments) } catch {
      throw Request.Refusal(why: Earshot.message(for: error))
    }
    guard let program = command as? Earshot else {
      throw Request.Refusal(why: "these arguments do not open a screen")
    }
    var trust = program.trust
    trust.files = trust.files.map(request.path)
    do throws(CommandError) {
      return ScreenClientOptions(
        keys: trust.files.isEmpty ? nil : MakerKeys(try await trust.keys()),
        selector: program.common.device, hasAutoPause: program.autoPause != nil)
    } catch {
      throw Request.Refusal(why: error.message)
    }
  }
}

extension Request {
  /// The command line and working directory of this process.
  init(ofThisProcess purpose: Purpose) {
    self.init(
      arguments: Array(CommandLine.arguments.dropFirst()), directory: Self.workingDirectory,
      hasTerminal: StandardConsole.shared.isInteractive, style: StandardConsole.shared.style,
      purpose: purpose)
  }

  /// Nil: it was removed, or may not be read.
  ///
  /// One `getcwd`, which the kernel replies to from memory, also where that folder's disk hangs.
  private static var workingDirectory: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}

extension CommandLineRefusal {
  /// For the user of another process.
  fileprivate var text: String {
    switch self {
    case .help(let text): text
    case .wrong(let failure): failure.text
    }
  }
}
