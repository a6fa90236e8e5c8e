import ArgumentParser
import Companion
import CompanionRuntime
import Configuration
import HeadphoneProtocols
import Persistence
import Sharing

/// A command with the common options.
///
/// One that needs only files is a ``LocalCommand``; one that uses the link or the adapter is a
/// ``SharedCommand``: a ``ReportCommand`` if it just returns a report, and a ``ConnectedCommand``
/// if it does so with a connected headphone.
///
/// Options may stand before or after the command's name: those of the root complete those of the
/// command.
protocol ReportingCommand: AsyncParsableCommand {
  var root: Earshot { get }
  var common: CommonOptions { get }
}

/// A command with others below it.
protocol ParentOfCommands: AsyncParsableCommand {
  var root: Earshot { get }
}

/// A command below another one, such as `eq list`.
protocol Subcommand: ReportingCommand {
  associatedtype Parent: ParentOfCommands
  var parent: Parent { get }
}

extension Subcommand {
  var root: Earshot { parent.root }
}

extension ReportingCommand {
  /// The options in effect, of the command before those of the root.
  var options: CommonOptions { common.over(root.common) }

  /// Runs `work` with the program's parts; its failure becomes a message and an exit status.
  ///
  /// Mistakes in the configuration are mentioned on stderr and do not end the command.
  ///
  /// - Parameters:
  ///   - changed: Options in place of the command's own.
  ///   - work: Runs with the parts; the capture is completed afterwards, whatever happens.
  ///   - rest: Runs after a successful `work`, while the parts still exist.
  /// - Throws: The exit status of the failure, after its message was written.
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
      await parts.finish()
      return try end.get()
    }
    await parts.finish()
    throw exitCode(for: error)
  }

  /// Writes the error, and returns the exit status for it.
  func exitCode(for error: CommandError) -> ExitCode {
    StandardConsole.shared.report(FailureReport(error), asJSON: options.json)
    return ExitCode(error.status.rawValue)
  }

  /// An app that owns the link; its log goes to the file, and with `--verbose` to stderr.
  ///
  /// - Parameters:
  ///   - parts: The program's parts.
  ///   - listener: Accepts clients; nil: the app serves no client.
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

/// A command that needs neither headphone nor radio: it runs in this process, beside any owner.
protocol LocalCommand: ReportingCommand {
  /// Runs the command.
  ///
  /// - Returns: what is written; nil: nothing.
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

/// A shared command with one result, which is written at its end.
protocol ReportCommand: SharedCommand {
  /// Runs the command.
  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report
}

extension ReportCommand {
  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    context.console.data(try await report(in: context), asJSON: options.json)
  }
}

/// A shared command with one connected headphone, whose report is written at its end.
///
/// ```swift
/// func report(
///   of headphone: CommandTarget, in context: CommandContext
/// ) async throws(CommandError) -> (any Report)? {
///   headphone.headphone.map(ANCReport.init)
/// }
/// ```
protocol ConnectedCommand: SharedCommand {
  /// Whether it changes nothing: a headphone that the user has disconnected is then left so.
  var isReading: Bool { get }

  /// Runs while the link is ready.
  ///
  /// - Returns: what is written; nil: nothing.
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
  /// Runs `work` with one headphone, and writes the report that it returns.
  ///
  /// ```swift
  /// try await withHeadphone(in: context, isReading: true) { headphone throws(CommandError) in
  ///   await headphone.measureLink()
  ///   return headphone.headphone.map { StatusReport($0, in: headphone.state) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - isReading: whether `work` changes nothing.
  ///   - work: runs while the link is ready; nil: nothing is written.
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

  /// The headphone that the command is for.
  ///
  /// - Parameter limit: the time-out; nil: that of `--timeout`, 20 s by default.
  @MainActor
  func target(in context: CommandContext, within limit: Duration? = nil) -> CommandTarget {
    CommandTarget(
      store: context.store, effects: context.effects, fallback: context.fallback,
      family: options.driver, timeout: limit ?? options.timeoutDuration)
  }

  var headphone: String? { nil }

  /// The command's own argument or `--device`, else the headphone that the configuration names; nil:
  /// the one used last.
  @MainActor
  func selector(in context: CommandContext) -> String? {
    headphone ?? options.device ?? context.selector
  }

  /// Runs `work` with a connected headphone, and shows on a terminal what is awaited.
  ///
  /// - Parameters:
  ///   - retries: Whether a failed first attempt is followed by others.
  ///   - work: Runs while the link is ready; the link ends with it, unless it was wanted before.
  @MainActor
  func linked(
    _ target: CommandTarget, _ selector: String?, on console: any Console,
    isReading: Bool = false, retries: Bool = false,
    _ work: @MainActor () async throws(CommandError) -> Void
  ) async throws(CommandError) {
    try await WaitingIndicator.shown(for: target, on: console) { () throws(CommandError) in
      try await target.run(selector, isReading: isReading, retries: retries, work)
    }
  }
}
