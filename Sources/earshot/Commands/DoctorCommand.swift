import ArgumentParser
import AudioRoute
import Companion
import CompanionRuntime
import Configuration
import Diagnostics
import EventLoop
import Glibc
import Persistence
import TerminalUI

struct DoctorCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Diagnose problems and show how to fix them.",
    discussion: """
      Looks at kernel, adapter, permissions, sound server, terminal and files; changes nothing. \
      Ends with 0 if there is no problem, 3 if one is the adapter's or a permission's, else 1.

      With --fix it shows each command that mends something and asks before it runs it; --yes runs \
      those that need no root without a question. What needs root is asked for each time.

      With --report it writes what a maintainer needs into a text file: its findings, versions, the \
      configuration and the end of the log, without names and addresses.

      EXAMPLES:
        earshot doctor
        earshot doctor --adapter hci1
        earshot doctor --fix
        earshot doctor --report report.txt
        earshot doctor --json | jq '.findings[] | select(.state == "problem")'
      """)

  @Flag(help: "Run what mends it, after a question for each command.")
  var fix = false

  @Flag(name: .shortAndLong, help: "With --fix: do not ask for what needs no root.")
  var yes = false

  @Option(
    help: .init("Write a report for a maintainer; what was in the file is lost.", valueName: "file")
  )
  var report: String?

  @Flag(help: "With --report: names and addresses stay in it.")
  var unredacted = false

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if yes, !fix { throw ValidationError("--yes is for --fix.") }
    if unredacted, report == nil { throw ValidationError("--unredacted is for --report.") }
  }

  @MainActor
  func run() async throws {
    if options.isVirtual {
      Output.message("virtual headphones need no adapter; this is about the real ones")
    }
    var results = await diagnoseMachine(adapter: adapter)
    if fix, await runFixes(of: results) { results = await diagnoseMachine(adapter: adapter) }
    let findings = results.map(\.finding)
    let diagnosis = DoctorReport(findings, look: look)
    if let report { try write(findings, to: report) }
    Output.data(diagnosis, asJSON: options.json)
    guard diagnosis.status == .ok else { throw ExitCode(diagnosis.status.rawValue) }
  }

  private var adapter: String? { options.isVirtual ? nil : options.adapter }

  /// Runs what the person wants run; whether anything was.
  private func runFixes(of results: [DiagnosticResult]) async -> Bool {
    let fixes = results.runnableFixes
    if fixes.isEmpty { Output.message("there is nothing that a command of this program mends") }
    var hasRun = false
    for fix in fixes where await isWanted(fix) {
      Output.message("runs: \(fix.text)")
      let status = fix.run()
      if status != 0 { Output.message("it ended with \(status)") }
      hasRun = true
    }
    return hasRun
  }

  private func isWanted(_ fix: Fix) async -> Bool {
    if yes, !fix.runsAsRoot() { return true }
    let question = fix.runsAsRoot() ? "run as root" : "run"
    guard Terminal.isThere else {
      let how = fix.runsAsRoot() ? "asks in a terminal only" : "asks in a terminal; or use --yes"
      Output.message("not run, for it \(how): \(fix.text)")
      return false
    }
    return await Terminal.ask("\(question): \(fix.text) [y/N] ", orElse: "--yes")
  }

  @MainActor
  private func write(_ findings: [Finding], to path: String) throws {
    let (configuration, mistakes) = ConfigurationFile().read()
    let report = MachineReport(
      [
        MachineReport.versions(of: Earshot.configuration.version),
        .init("doctor", DoctorReport(findings).text),
        .init("configuration", configuration.toml),
        .init("mistakes in it", ConfigurationFile().words(for: mistakes).joined(separator: "\n")),
        .init("headphones", knownHeadphones),
      ] + MachineReport.log(StateFolder().file("earshot.log"), last: 500))
    let text = report.text(redacting: unredacted ? nil : TextRedaction(.ofThisUser))
    do throws(FileError) {
      try PrivateFile(path: path).replace(with: Array(text.utf8))
    } catch {
      Output.message("\(error)")
      throw ExitCode(ExitStatus.failed.rawValue)
    }
    Output.message(
      unredacted
        ? "wrote \(path), with names and addresses"
        : "wrote \(path), without names and addresses; read it before you send it")
  }

  private var knownHeadphones: String {
    let known = (try? KnownHeadphones(in: StateFolder()).all()) ?? []
    return known.isEmpty ? "" : HeadphonesReport(known: known).text
  }

  private var look: DoctorReport.Look {
    DoctorReport.Look(
      hasColors: isatty(STDOUT_FILENO) == 1 && !options.noColor && variable("NO_COLOR") == nil
        && variable("TERM") != "dumb",
      isUnicode: LocaleFacts.ofThisProcess.isUnicode)
  }
}

/// What `earshot doctor` and the page of that name look at.
func diagnoseMachine(adapter: String?) async -> [DiagnosticResult] {
  await examine(
    adapter: adapter, folder: StateFolder(),
    terminal: TerminalFacts(TerminalType()),
    sound: {
      await observeAudio(
        { PulseSource(applicationName: "earshot") }, for: .seconds(2), by: MainLoop.clock)
    })
}

extension TerminalFacts {
  fileprivate init(_ type: TerminalType) {
    self.init(
      type: type.name, isKnown: type.isKnown, colors: type.colors,
      size: type.size.map { Size(columns: $0.columns, rows: $0.rows) })
  }
}
