import ArgumentParser
import BluetoothKernel
import Companion
import CompanionRuntime
import Configuration
import HeadphoneProtocols
import Persistence
import Sharing

/// A command with the common options.
///
/// A command that needs only files is a ``LocalCommand``; one that uses the link or the adapter is
/// a ``SharedCommand``: a ``ReportCommand`` if it returns a report, and a ``ConnectedCommand`` if
/// it does so with a connected headphone.
///
/// Options may come before or after the command's name.
protocol ReportingCommand: AsyncParsableCommand {
  var root: Earshot { get }
  var common: CommonOptions { get }
}

protocol ParentOfCommands: AsyncParsableCommand {
  var root: Earshot { get }
}

protocol Subcommand: ReportingCommand {
  associatedtype Parent: ParentOfCommands
  var parent: Parent { get }
}

extension Subcommand {
  var root: Earshot { parent.root }
}

extension ReportingCommand {
  /// The options of the command line: the command's, completed by those of the root.
  var given: CommonOptions { common.over(root.common) }

  /// The effective options.
  var options: CommonOptions { given.completed }

  /// Runs `work` with the program's parts; an error becomes a message and an exit status.
  ///
  /// Mistakes in the configuration are reported on stderr and do not end the command.
  ///
  /// - Throws: The exit status of the error, whose message has been written; 1 for a capture that
  ///   is incomplete or empty.
  @MainActor
  func withDependencies(
    _ changed: CommonOptions? = nil,
    _ work: @MainActor (LiveDependencies) async throws(CommandError) -> Void,
    then rest: @MainActor () async throws -> Void = {}
  ) async throws {
    let options = changed ?? options
    let parts: LiveDependencies
    do throws(DependencyError) {
      parts = try await LiveDependencies(options, trusting: root.trust)
    } catch {
      StandardConsole.shared.report(error.failure, asJSON: options.json)
      throw ExitCode(error.failure.code)
    }
    if options.isVirtual { StandardConsole.shared.message("these headphones are virtual") }
    ConfigurationFile().summary(of: parts.mistakes).map(StandardConsole.shared.message)
    let outcome: Result<Void, CommandError>
    do throws(CommandError) {
      outcome = .success(try await work(parts))
    } catch {
      outcome = .failure(error)
    }
    guard case .failure(let error) = outcome else {
      let end: Result<Void, any Error>
      do { end = .success(try await rest()) } catch { end = .failure(error) }
      let failure = await parts.finish().map(FailureReport.init)
      if let failure { StandardConsole.shared.report(failure, asJSON: options.json) }
      try end.get()
      if let failure { throw ExitCode(failure.code) }
      return
    }
    // A failed command need not report that it has recorded nothing.
    if let error = await parts.finish(), error.reason != .empty {
      StandardConsole.shared.message("\(error)")
    }
    throw exitCode(for: error)
  }

  func exitCode(for error: CommandError) -> ExitCode {
    StandardConsole.shared.report(FailureReport(error), asJSON: options.json)
    return ExitCode(error.status.rawValue)
  }

  @MainActor
  func app(_ parts: LiveDependencies, listener: OwnerListener?) -> HeadlessApp {
    let (isVerbose, console) = (options.verbose, StandardConsole.shared)
    return HeadlessApp(
      dependencies: parts.dependencies, configuration: parts.configuration, listener: listener,
      autoPause: root.autoPause, handler: ArgumentHandler(), console: console
    ) { line in
      parts.logger.write(line)
      if isVerbose { console.message(displayable(line.text)) }
    }
  }
}

protocol LocalCommand: ReportingCommand {
  @MainActor
  func report() async throws(CommandError) -> (any Report)?
}

extension LocalCommand {
  @MainActor
  func run() async throws {
    do throws(CommandError) {
      if let report = try await report() {
        StandardConsole.shared.data(report, asJSON: options.json)
      }
    } catch {
      throw exitCode(for: error)
    }
  }
}

/// A shared command that prints one report at its end.
protocol ReportCommand: SharedCommand {
  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report
}

extension ReportCommand {
  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    context.console.data(try await report(in: context), asJSON: options.json)
  }
}

/// A shared command that prints a report about one connected headphone at its end.
protocol ConnectedCommand: SharedCommand {
  /// Whether the command changes nothing; it then does not reconnect a disconnected headphone.
  var isReading: Bool { get }

  @MainActor
  func report(
    of headphone: CommandTarget, in context: CommandContext
  ) async throws(CommandError) -> (any Report)?
}

extension ConnectedCommand {
  var isReading: Bool { false }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    try await withHeadphone(in: context, isReading: isReading) { headphone throws(CommandError) in
      try await report(of: headphone, in: context)
    }
  }
}

extension SharedCommand {
  /// Runs `work` with a connected headphone, and prints the report that it returns, if any.
  @MainActor
  func withHeadphone(
    in context: CommandContext, isReading: Bool = false,
    _ work: @MainActor (CommandTarget) async throws(CommandError) -> (any Report)?
  ) async throws(CommandError) {
    let target = target(in: context)
    try await linked(target, selector(in: context), on: context.console, isReading: isReading) {
      () throws(CommandError) in
      guard let report = try await work(target) else { return }
      context.console.data(report, asJSON: options.json)
    }
  }

  /// Returns the target; the default `limit` is that of `--timeout`, which is 20 s.
  @MainActor
  func target(in context: CommandContext, within limit: Duration? = nil) -> CommandTarget {
    CommandTarget(
      store: context.store, effects: context.effects, fallback: context.fallback,
      family: options.driver?.builtIn, timeout: limit ?? options.timeoutDuration)
  }

  var headphone: String? { nil }

  /// Returns the command's argument, `--device` or the configured headphone; nil for the last used.
  @MainActor
  func selector(in context: CommandContext) -> String? {
    headphone ?? options.device ?? context.selector
  }

  /// Runs `work` with a connected headphone, and shows on a terminal what the command waits for.
  ///
  /// A headphone that wants to be paired is asked about in the terminal; without one it is not
  /// paired. Afterwards the link ends, unless it was requested before.
  @MainActor
  func linked(
    _ target: CommandTarget, _ selector: String?, on console: any Console,
    isReading: Bool = false, retries: Bool = false,
    _ work: @MainActor () async throws(CommandError) -> Void
  ) async throws(CommandError) {
    let prompt = PairingPrompt(
      agent: target.pairingAgent, console: console, saysYes: false, pause: ProgressPause())
    let events = prompt.canReply ? target.pairingEvents() : nil
    let prompting = Task { if let events { await prompt.run(events) } }
    defer { prompting.cancel() }
    try await WaitingIndicator.shown(for: target, on: console, pause: prompt.pause) {
      () throws(CommandError) in
      try await target.run(selector, isReading: isReading, retries: retries, work)
    }
  }
}
