import ArgumentParser
import BluetoothKernel
import BluetoothRadio
import Companion
import CompanionRuntime
import Configuration
import EventLoop
import Sharing

/// A command that runs in the process that owns the link: another one, or this one.
///
/// In both cases ``run(in:)`` is called. A client sends its arguments to the owner, which parses
/// them again:
///
/// ```swift
/// struct PowerCommand: ReportCommand {
///   static let configuration = CommandConfiguration(commandName: "power", …)
///   @ParentCommand var root: Earshot
///   @OptionGroup var common: CommonOptions
///
///   func report(in context: CommandContext) async throws(CommandError) -> any Report {
///     ValueReport(.power, OnOff(try await target(in: context).hasPower()))
///   }
/// }
/// ```
protocol SharedCommand: ReportingCommand {
  /// The headphone among the arguments, if any; it takes precedence over `--device`.
  var headphone: String? { get }
  /// Whether the command is idempotent, and is retried if its owner exits.
  var isRepeatable: Bool { get }
  var lifetime: CommandLifetime { get }
  /// Whether the command needs a connection, and becomes the owner if there is none.
  var needsLink: Bool { get }
  /// Whether an owner may run the command rather than this process with a separate link.
  var sharesLink: Bool { get }
  var hasStep: Bool { get }

  /// The flag without which the command is one of this process; nil if there is none.
  static var sharingFlag: String? { get }

  /// Checks what the parser cannot; throws a request for help, or a usage error.
  func check() throws

  @MainActor
  func run(in context: CommandContext) async throws(CommandError)

  /// Returns the absolute value of the step for a connected headphone.
  @MainActor
  func resolveStep(of headphone: CommandTarget) async throws(CommandError) -> String?
}

/// The time when a command prints, and the duration for which it runs.
enum CommandLifetime {
  case report
  /// The command prints while it runs, and ends without an interruption.
  case stream
  /// The command runs until it is interrupted, moving from owner to owner, and serves clients.
  case endless
  /// The command ends at once if an owner runs it, and otherwise keeps the link and serves clients.
  case keepsLink

  /// Whether this process, if it owns the link, serves clients; otherwise clients wait.
  fileprivate var keepsOwnership: Bool { self == .endless || self == .keepsLink }
}

extension SharedCommand {
  static var sharingFlag: String? { nil }

  var isRepeatable: Bool { true }
  var lifetime: CommandLifetime { .report }
  var needsLink: Bool { true }
  var sharesLink: Bool { true }
  var hasStep: Bool { false }

  @MainActor
  func resolveStep(of headphone: CommandTarget) async throws(CommandError) -> String? { nil }

  @MainActor
  func resolveStep(in context: CommandContext) async throws(CommandError) -> String? {
    guard hasStep else { return nil }
    let target = target(in: context)
    var value: String?
    try await linked(target, selector(in: context), on: context.console) {
      () throws(CommandError) in
      value = try await resolveStep(of: target)
    }
    return value
  }

  /// The properties of this command that a client needs.
  var traits: CommandTraits {
    CommandTraits(
      isEndless: lifetime == .endless, isRepeatable: isRepeatable, needsLink: needsLink,
      hasStep: hasStep, limit: lifetime == .endless ? nil : options.timeoutDuration)
  }

  /// Whether an owner may run the command before the client has parsed it.
  var canBeHandedOver: Bool { sharesLink && options.capture == nil && (try? check()) != nil }

  func check() throws {
    if headphone == "help" { throw CleanExit.helpRequest(Self.self) }
    try headphone.map(ReservedWord.init)?.check(of: Self.self)
  }

  @MainActor
  func run() async throws {
    try await runShared(after: nil)
  }

  /// Runs the command in an owner or here; `attempt` is an owner's outcome before the parsing.
  @MainActor
  func runShared(after attempt: RemoteCommand.Outcome?) async throws {
    try check()
    guard case .own(let listener, let step) = try await finishedByOwner(after: attempt) else {
      return
    }
    try await withDependencies { parts throws(CommandError) in
      try await run(parts, listener, step)
    }
  }

  /// Runs the command in an app of this process.
  ///
  /// - Parameters:
  ///   - listener: Accepts clients if the lifetime keeps ownership; otherwise clients wait.
  ///   - step: The value to which an earlier owner resolved the step.
  @MainActor
  private func run(
    _ parts: LiveDependencies, _ listener: OwnerListener?, _ step: String?
  ) async throws(CommandError) {
    let app = app(parts, listener: listener)
    switch lifetime {
    case .endless: await app.start(autoConnect: parts.autoConnect(options))
    case .keepsLink: await app.start(autoConnect: .never)
    case .report, .stream: try await app.startForOneCommand()
    }
    let context = CommandContext(
      store: app.store, effects: app.effects, client: nil,
      fallback: lifetime.keepsOwnership ? .selected : .lastUsed(else: options.newDevice),
      selector: parts.selector, step: step)
    let outcome = await app.run { () -> Result<Void, CommandError> in
      do throws(CommandError) {
        try await run(in: context)
        if lifetime == .keepsLink { for await _ in app.store.follow() {} }
      } catch {
        // A command that was cancelled by a signal has not failed.
        if EndSignals.received == nil { return .failure(error) }
      }
      return .success(())
    }
    await app.finishCommands()
    await app.stop()
    StandardConsole.endIfOutputIsLost()
    if case .failure(.file)? = outcome {
    } else if let error = app.effects.unsaved {
      StandardConsole.shared.message("not remembered: \(error)")
    }
    try outcome?.get()
  }

  /// Has other owners run the command until it is done or this process is the owner.
  @MainActor
  private func finishedByOwner(
    after attempt: RemoteCommand.Outcome?
  ) async throws -> CommandPlace {
    var attempt = attempt
    var step: String?
    var backOff = JoinBackOff()
    let reader =
      lifetime == .endless ? Task { _ = await StandardConsole.readerHasLeft() } : nil
    defer { reader?.cancel() }
    while true {
      let isResolving = hasStep && step == nil
      let outcome: RemoteCommand.Outcome
      if let handedOver = attempt.take() {
        outcome = handedOver
      } else {
        let connection: LineConnection
        switch await role() {
        case .client(let owner): connection = owner
        case .owner(let listener): return .own(listener, step: step)
        case nil: throw exitCode(for: OwnerUnavailable(.silent(nil), mayBeDone: false))
        }
        outcome = try await self.outcome(
          of: RemoteCommand(
            Request(ofThisProcess: isResolving ? .resolve : .run(step: step)), on: connection,
            limit: traits.limit, waits: needsLink))
      }
      switch outcome {
      case .ended(.ok, let resolved):
        guard isResolving, let resolved else { return .done }
        step = resolved
      case .ended(let status, _): throw ExitCode(status.rawValue)
      case .busy, .declined: return .own(nil, step: step)
      case .lost(let loss): throw exitCode(for: loss)
      case .left(let hasBegun, let hasResponded, let resolved):
        step = step ?? resolved
        if lifetime == .report, hasResponded { return .done }
        guard isRepeatable || !hasBegun, let pause = backOff.pause(hasResponded: hasResponded)
        else {
          throw exitCode(for: OwnerUnavailable(.left, mayBeDone: hasBegun))
        }
        try? await MainLoop.clock.sleep(for: pause)
      }
    }
  }

  @MainActor
  private func role() async -> OwnerEndpoint.Role? {
    guard sharesLink, let endpoint = options.endpoint else { return .owner(nil) }
    if needsLink {
      return await endpoint.join(within: lifetime == .endless ? nil : options.timeoutDuration)
    }
    return endpoint.connect().map(OwnerEndpoint.Role.client) ?? .owner(nil)
  }

  /// Runs the command in the owner; with `--capture`, this process records the traffic meanwhile.
  @MainActor
  private func outcome(of command: RemoteCommand) async throws -> RemoteCommand.Outcome {
    guard options.capture != nil else { return await command.run() }
    var outcome = RemoteCommand.Outcome.left(hasBegun: false, hasResponded: false)
    try await withDependencies { parts throws(CommandError) in
      guard parts.capturesAll else {
        throw .unavailable(
          "another earshot has the link, and only CAP_NET_RAW lets this one see its traffic\n"
            + "end it, or start it with --capture")
      }
    } then: {
      outcome = await command.run()
    }
    return outcome
  }

  private func exitCode(for error: OwnerUnavailable) -> ExitCode {
    StandardConsole.shared.report(error.failure, asJSON: options.json)
    return ExitCode(ExitStatus.linkLost.rawValue)
  }
}

private enum CommandPlace {
  case done
  /// This process runs the command; the listener accepts clients.
  case own(OwnerListener?, step: String?)
}

extension CommonOptions {
  /// The endpoint of the processes with the same adapter, or nil if sharing is impossible.
  var endpoint: OwnerEndpoint? { OwnerEndpoint(of: adapter) }
}

extension OwnerEndpoint {
  /// Creates the endpoint of an adapter, which is the same for the default one named or not.
  init?(of adapter: String?) {
    let isDefault = adapter.map(LinuxRadio.isDefault) ?? true
    self.init(adapter: isDefault ? nil : adapter)
  }
}
