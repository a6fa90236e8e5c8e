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
struct ArgumentHandler: RequestHandler {
  @MainActor
  func run(_ client: ClientRequest) async -> ExitStatus? {
    do {
      guard let command = try Earshot.parseAsRoot(client.request.arguments) as? any SharedCommand
      else {
        client.message("this command is not for a running earshot")
        return .usage
      }
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
    } catch let error as CommandError {
      client.message(error.message)
      return error.status
    } catch {
      client.message(Earshot.message(for: error))
      return .usage
    }
  }

  func screenOptions(of request: Request) throws(Request.Refusal) -> ScreenClientOptions {
    let command: any ParsableCommand
    do { command = try Earshot.parseAsRoot(request.arguments) } catch {
      throw Request.Refusal(why: Earshot.message(for: error))
    }
    guard let program = command as? Earshot else {
      throw Request.Refusal(why: "these words are for no screen")
    }
    var trust = program.trust
    trust.files = trust.files.map(request.path)
    do throws(CommandError) {
      return ScreenClientOptions(
        keys: trust.files.isEmpty ? nil : MakerKeys(try trust.keys()),
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
      hasTerminal: StandardConsole.shared.isInteractive, purpose: purpose)
  }

  /// Nil: it was removed, or may not be read.
  private static var workingDirectory: String? {
    guard let path = realpath(".", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}
