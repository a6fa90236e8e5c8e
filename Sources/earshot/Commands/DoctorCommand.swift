import ArgumentParser
import AudioRoute
import Companion
import CompanionRuntime
import Glibc
import TerminalUI

struct DoctorCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Tell what keeps Earshot from its work, and what mends it.",
    discussion: """
      Looks at kernel, adapter, permissions, sound server, terminal and files; changes nothing.
      Ends with 0 if there is no problem, 3 if one is the adapter's or a permission's, else 1.

      EXAMPLES:
        earshot doctor
        earshot doctor --adapter hci1
        earshot doctor --json | jq '.findings[] | select(.state == "problem")'
      """)

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @MainActor
  func run() async throws {
    if options.isVirtual {
      Output.message("virtual headphones need no adapter; this is about the real ones")
    }
    let findings = await examineMachine(adapter: options.isVirtual ? nil : options.adapter)
    let report = DoctorReport(findings, look: look)
    Output.data(report, asJSON: options.json)
    guard report.status == .ok else { throw ExitCode(report.status.rawValue) }
  }

  private var look: DoctorReport.Look {
    DoctorReport.Look(
      hasColors: isatty(STDOUT_FILENO) == 1 && !options.noColor && variable("NO_COLOR") == nil
        && variable("TERM") != "dumb",
      isUnicode: LocaleFacts.ofThisProcess.isUnicode)
  }
}

/// What `earshot doctor` and the page of that name look at.
func examineMachine(adapter: String?) async -> [Finding] {
  await examine(
    adapter: adapter, folder: StateFolder(),
    terminal: TerminalFacts(TerminalType()),
    makeAudio: { PulseSource(applicationName: "earshot") }, clock: ContinuousClock())
}

extension TerminalFacts {
  fileprivate init(_ type: TerminalType) {
    self.init(
      type: type.name, isKnown: type.isKnown, colors: type.colors,
      size: type.size.map { Size(columns: $0.columns, rows: $0.rows) })
  }
}
