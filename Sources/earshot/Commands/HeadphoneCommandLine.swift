import ArgumentParser
import Companion
import CompanionRuntime
import Headphones

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
    _ work: @MainActor (Wiring) async throws(CommandError) -> Void
  ) async throws {
    let options = changed ?? options
    let wiring: Wiring
    do throws(WiringError) {
      wiring = try Wiring(options)
    } catch {
      Output.message(error.text)
      throw ExitCode(ExitStatus.failed.rawValue)
    }
    if options.isVirtual { Output.message("these headphones are virtual") }
    wiring.tellMistakes()
    let outcome: Result<Void, CommandError>
    do throws(CommandError) {
      outcome = .success(try await work(wiring))
    } catch {
      outcome = .failure(error)
    }
    await wiring.finish()
    guard case .failure(let error) = outcome else { return }
    Output.message(error.message)
    throw ExitCode(error.status.rawValue)
  }

  /// Lines of the log, to the file and if wanted to stderr.
  func tell(_ wiring: Wiring) -> @MainActor (LogLine) -> Void {
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
  @MainActor
  func withHeadphone(
    _ work: @MainActor (any HeadphoneAtHand) async throws(CommandError) -> Void = { _ in },
    report: @MainActor (HeadphoneState, State) -> any Report
  ) async throws {
    if let visit = Visit.current { return try await withHeadphone(of: visit, work, report) }
    guard try await !sendToOwner() else { return }
    try await wired { wiring throws(CommandError) in
      let command = OneShot(world: wiring.world, finder: wiring.finder, log: tell(wiring))
      try await command.run(work)
      guard let headphone = command.headphone else { return }
      Output.data(report(headphone, command.state), asJSON: options.json)
    }
  }

  @MainActor
  private func withHeadphone(
    of visit: Visit, _ work: @MainActor (any HeadphoneAtHand) async throws(CommandError) -> Void,
    _ report: @MainActor (HeadphoneState, State) -> any Report
  ) async throws {
    try await shared(visit, options.device) { headphone throws(CommandError) in
      try await work(headphone)
      guard let state = headphone.headphone else { return }
      Output.data(report(state, headphone.state), asJSON: options.json)
    }
  }

  /// Does `work` for another process, with a headphone that this one may have linked already.
  @MainActor
  func shared(
    _ visit: Visit, _ selector: String?,
    _ work: @MainActor (SharedHeadphone) async throws(CommandError) -> Void
  ) async throws {
    let headphone = SharedHeadphone(
      store: visit.store, effects: visit.effects, patience: options.patience)
    do throws(CommandError) {
      try await headphone.run(selector) { () throws(CommandError) in try await work(headphone) }
    } catch {
      Output.message(error.message)
      throw ExitCode(error.status.rawValue)
    }
  }
}
