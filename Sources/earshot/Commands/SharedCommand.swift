import ArgumentParser
import Bluetooth
import Companion
import CompanionRuntime
import Configuration
import Sharing

/// A command that runs where the link is: in the process that owns it, or else in this one.
///
/// Either way ``run(in:)`` is what runs, with the same store and the same effects.
protocol SharedCommand: ReportingCommand {
  /// Whether doing it twice is the same as doing it once.
  var isRepeatable: Bool { get }
  var lifetime: CommandLifetime { get }
  /// Whether it links with a headphone itself where no other process does.
  var needsLink: Bool { get }
  /// Whether an owner may run it; false: it has a link of its own.
  var sharesLink: Bool { get }
  /// Whether it has a step such as `next`, which only the present value makes a command of.
  var hasStep: Bool { get }

  /// Does the command.
  @MainActor
  func run(in context: CommandContext) async throws(CommandError)

  /// The value that its step comes to now; nil: it has no step.
  @MainActor
  func resolveStep(in context: CommandContext) async throws(CommandError) -> String?
}

/// How long a command runs, and when it writes.
enum CommandLifetime {
  /// It writes when all is done.
  case answer
  /// It writes while it runs.
  case stream
  /// It runs for as long as there is an owner; if this process is the owner, others share the link.
  case endless
  /// It ends in another owner; if this process becomes the owner, it keeps the link for others.
  case keepsLink

  /// Whether this process, if it owns the link, serves clients; otherwise clients wait.
  fileprivate var keepsOwnership: Bool { self == .endless || self == .keepsLink }
}

extension SharedCommand {
  var isRepeatable: Bool { true }
  var lifetime: CommandLifetime { .answer }
  var needsLink: Bool { true }
  var sharesLink: Bool { true }
  var hasStep: Bool { false }

  @MainActor
  func resolveStep(in context: CommandContext) async throws(CommandError) -> String? { nil }

  @MainActor
  func run() async throws {
    guard case .own(let listener, let step) = try await finishedByOwner() else { return }
    try await wired { wiring throws(CommandError) in
      try await run(wiring, listener, step)
    }
  }

  /// Does the command in this process.
  @MainActor
  private func run(
    _ wiring: LiveDependencies, _ listener: OwnerListener?, _ step: String?
  ) async throws(CommandError) {
    let app = app(wiring, listener: listener)
    if lifetime.keepsOwnership { StandardConsole.neverBlock() }
    switch lifetime {
    case .endless: app.start(autoConnect: wiring.autoConnect(options))
    case .keepsLink: app.start(autoConnect: .never)
    case .answer, .stream: try app.startForOneCommand()
    }
    let context = CommandContext(
      store: app.store, effects: app.effects, client: nil,
      fallback: lifetime.keepsOwnership ? .selected : .lastUsed(else: options.newDevice),
      selector: wiring.selector, step: step)
    let outcome: Result<Void, CommandError>
    do throws(CommandError) {
      try await run(in: context)
      if lifetime == .keepsLink { for await _ in app.store.follow() {} }
      outcome = .success(())
    } catch {
      outcome = .failure(error)
    }
    await app.stop()
    try outcome.get()
  }

  // MARK: Other owners

  /// Goes from owner to owner until one has done the command, or this process is to do it.
  ///
  /// - Throws: the exit code with which it ended there.
  @MainActor
  private func finishedByOwner() async throws -> CommandPlace {
    var step: String?
    while true {
      let connection: LineConnection
      switch await role() {
      case .client(let owner): connection = owner
      case .owner(let listener): return .own(listener, step: step)
      case nil: throw exitCode(for: OwnerUnavailable(.silent(nil), mayBeDone: false))
      }
      let isResolving = hasStep && step == nil
      let command = RemoteCommand(
        Request(
          ofThisProcess: isResolving ? .resolve : .run(step: step)), on: connection,
        limit: lifetime == .endless ? nil : options.timeoutDuration, waits: needsLink)
      switch try await outcome(of: command) {
      case .ended(.ok, let resolved):
        guard isResolving, let resolved else { return .done }
        step = resolved
      case .ended(let status, _): throw ExitCode(status.rawValue)
      case .busy: return .own(nil, step: step)
      case .lost(let loss): throw exitCode(for: loss)
      case .left(let hasBegun, let hasAnswered):
        if lifetime == .answer, hasAnswered { return .done }
        guard isRepeatable || !hasBegun else {
          throw exitCode(for: OwnerUnavailable(.left, mayBeDone: true))
        }
      }
    }
  }

  /// Commands that need no link never take ownership.
  @MainActor
  private func role() async -> OwnerEndpoint.Role? {
    guard sharesLink, let endpoint = await options.endpoint else { return .owner(nil) }
    if needsLink {
      return await endpoint.join(within: lifetime == .endless ? nil : options.timeoutDuration)
    }
    return endpoint.connect().map(OwnerEndpoint.Role.client) ?? .owner(nil)
  }

  @MainActor
  private func outcome(of command: RemoteCommand) async throws -> RemoteCommand.Outcome {
    guard options.capture != nil else { return await command.run() }
    var outcome = RemoteCommand.Outcome.left(hasBegun: false, hasAnswered: false)
    try await wired { wiring throws(CommandError) in
      guard wiring.capturesAll else {
        throw .unavailable(
          "another earshot has the link, and only CAP_NET_RAW lets this one see its traffic; "
            + "end it, or start it with --capture")
      }
    } then: {
      outcome = await command.run()
    }
    return outcome
  }

  /// Reports that the owner failed; the exit status for it.
  private func exitCode(for error: OwnerUnavailable) -> ExitCode {
    StandardConsole.shared.message(error.message)
    return ExitCode(ExitStatus.linkLost.rawValue)
  }
}

/// Where a command is done.
private enum CommandPlace {
  /// Another process has done it.
  case done
  /// This process does it; `listener`: by which others would reach it.
  case own(OwnerListener?, step: String?)
}

extension CommonOptions {
  /// Where the processes that use the same adapter find their owner; nil: nowhere.
  var endpoint: OwnerEndpoint? {
    get async {
      if let adapter { return OwnerEndpoint(adapter: adapter) }
      return OwnerEndpoint(
        adapter: await ConfigurationFile().load().configuration.connection.adapter)
    }
  }
}
