import ArgumentParser
import Companion
import CompanionRuntime
import Headphones
import Persistence

/// A command that reports something.
protocol ReportingCommand: AsyncParsableCommand {
  var root: Earshot { get }
  var common: CommonOptions { get }
}

extension ReportingCommand {
  var options: CommonOptions { common.over(root.common) }

  /// Runs `work` with the program's parts; its failure becomes words on stderr and an exit code.
  @MainActor
  func wired(
    _ changed: CommonOptions? = nil,
    _ work: @MainActor (LiveDependencies) async throws(CommandError) -> Void,
    then rest: @MainActor () async throws -> Void = {}
  ) async throws {
    let options = changed ?? options
    let wiring: LiveDependencies
    do throws(DependencyError) {
      wiring = try LiveDependencies(options, trusting: root.trust)
    } catch {
      Output.message(error.text)
      throw ExitCode(ExitStatus.failed.rawValue)
    }
    if options.isVirtual { Output.message("these headphones are virtual") }
    wiring.reportProblems()
    let outcome: Result<Void, CommandError>
    do throws(CommandError) {
      outcome = .success(try await work(wiring))
    } catch {
      outcome = .failure(error)
    }
    guard case .failure(let error) = outcome else {
      let end: Result<Void, any Error>
      do { end = .success(try await rest()) } catch { end = .failure(error) }
      await wiring.finish()
      return try end.get()
    }
    await wiring.finish()
    throw exitCode(for: error)
  }

  /// Says what went wrong; what the command then ends with.
  func exitCode(for error: CommandError) -> ExitCode {
    Output.message(error.message)
    return ExitCode(error.status.rawValue)
  }

  /// Lines of the log, to the file and if wanted to stderr.
  func logWriter(_ wiring: LiveDependencies) -> @MainActor (LogLine) -> Void {
    { [isVerbose = options.verbose] line in
      wiring.logger.write(line)
      if isVerbose { Output.message(displayable(line.text)) }
    }
  }
}

extension SharedCommand {
  /// Does `work` with one headphone, then writes what `report` makes of it.
  ///
  /// Where another process owns the link, it is done there.
  ///
  /// - Parameter tellsUnlinked: a known headphone that cannot be reached is reported with its
  ///   sound, before the failure.
  @MainActor
  func withHeadphone(
    showsUnlinked: Bool = false,
    _ work: @MainActor (any CommandTarget) async throws(CommandError) -> Void = { _ in },
    report: @escaping @MainActor (HeadphoneState, State) -> (any Report)?
  ) async throws {
    let write: @MainActor (any CommandTarget) -> Void = { command in
      guard let headphone = command.headphone, let report = report(headphone, command.state)
      else { return }
      Output.data(report, asJSON: options.json)
    }
    let writeUnlinked: @MainActor (any CommandTarget) async -> Void = { command in
      guard showsUnlinked, command.headphone?.link.isReady == false else { return }
      await command.observeAudio()
      write(command)
    }
    try await share { client throws(CommandError) in
      let headphone = headphone(of: client)
      try await linked(headphone, options.device, unlinked: writeUnlinked) {
        () throws(CommandError) in
        try await work(headphone)
        write(headphone)
      }
    } alone: { wiring throws(CommandError) in
      let command = StandaloneCommand(
        world: wiring.world, finder: wiring.finder, log: logWriter(wiring))
      do throws(CommandError) {
        try await CommandQueue.shown(for: command) { () throws(CommandError) in
          try await command.run(work)
        }
      } catch {
        await writeUnlinked(command)
        throw error
      }
      write(command)
    }
  }

  /// A headphone of the program that owns the link, for a command of another process.
  @MainActor
  func headphone(of client: ClientRequest) -> SharedHeadphone {
    SharedHeadphone(
      store: client.store, effects: client.effects, timeout: options.timeLimit,
      willAct: client.willAct)
  }

  /// Does `work` with a headphone of a program that owns the link, which may be linked already.
  @MainActor
  func linked(
    _ headphone: SharedHeadphone, _ selector: String?,
    unlinked: @MainActor (SharedHeadphone) async -> Void = { _ in },
    _ work: @MainActor () async throws(CommandError) -> Void
  ) async throws(CommandError) {
    do throws(CommandError) {
      try await CommandQueue.shown(for: headphone) { () throws(CommandError) in
        try await headphone.run(selector, work)
      }
    } catch {
      await unlinked(headphone)
      throw error
    }
  }
}
