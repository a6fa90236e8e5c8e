import ArgumentParser
import Companion
import CompanionRuntime
import TerminalUI

struct KeysCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "List the keys of the screen.",
    discussion: """
      EXAMPLES:
        earshot keys
        earshot keys --json
      """)

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  func run() {
    let keys = KeyMap.standard
    let report = KeysReport(
      UserCommand.allCases.map { command in
        KeysReport.Entry(command: command, keys: keys.keys(for: command).map(\.name))
      })
    Output.data(report, asJSON: options.json)
  }
}
