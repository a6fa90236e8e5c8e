import ArgumentParser
import Companion
import CompanionRuntime
import Glibc
import HeadphoneProtocols
import Sharing

/// Parses the command lines of clients, and runs them like those of this process.
///
/// Command-line arguments are the wire format, because a client and its owner may be of different
/// builds. Everything that a client sends is untrusted until parsed: unknown words are a usage
/// error of the client.
struct ArgumentHandler: RequestHandler {
  /// Runs a client's command; returns nil if the owner ended an endless one.
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

  /// Returns the options that another screen may set; all others are the owner's.
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
  init(ofThisProcess purpose: Purpose) {
    self.init(
      arguments: Array(CommandLine.arguments.dropFirst()), directory: Self.workingDirectory,
      hasTerminal: StandardConsole.shared.isInteractive, style: StandardConsole.shared.style,
      purpose: purpose)
  }

  /// Nil if the folder was removed or may not be read.
  ///
  /// `getcwd` never blocks on a hanging disk: the kernel answers it from memory.
  private static var workingDirectory: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}

extension CommandLineRefusal {
  fileprivate var text: String {
    switch self {
    case .help(let text): text
    case .wrong(let failure): failure.text
    }
  }
}
