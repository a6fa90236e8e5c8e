import ArgumentParser
import Companion
import CompanionRuntime
import FirmwareCrypto
import Glibc
import HeadphoneProtocols
import Sharing

/// The handler of clients' command lines, which run like those of this process.
///
/// Arguments are the wire format, because a client and its owner may be of different builds. What a
/// client sends is untrusted: unknown words are a usage error of the client.
struct ArgumentHandler: RequestHandler {
  @MainActor
  func prepare(_ request: Request) async -> PreparedCommand {
    do throws(CommandLineRefusal) {
      guard let command = try await Earshot.command(of: request.arguments) as? any SharedCommand,
        command.sharesLink
      else { return Self.refusing("a running earshot cannot run this command") }
      return PreparedCommand(
        command.traits,
        canBeHandedOver: command.canBeHandedOver
          && command.given.adapter == HandOver.adapter(in: request.arguments)
      ) { await run(command, for: $0) }
    } catch {
      return Self.refusing(error.text)
    }
  }

  @MainActor
  private static func refusing(_ text: String) -> PreparedCommand {
    PreparedCommand(canBeHandedOver: false) { client in
      client.message(text)
      return .usage
    }
  }

  /// Runs a client's command; returns nil if the owner ended an endless one.
  @MainActor
  private func run(_ command: any SharedCommand, for client: ClientRequest) async -> ExitStatus? {
    do throws(CommandError) {
      var context = CommandContext(store: client.store, effects: client.effects, client: client)
      switch client.request.purpose {
      case .resolve:
        client.resolve(to: try await command.resolveStep(in: context))
        return .ok
      case .handOver where command.hasStep:
        let step = try await command.resolveStep(in: context)
        client.resolve(to: step)
        guard step != nil else { return .ok }
        context.step = step
      case .run(let step): context.step = step
      case .handOver, .screen: break
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

  /// The working directory, or nil if it was removed or may not be read.
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
