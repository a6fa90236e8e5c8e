import ArgumentParser
import Companion
import CompanionRuntime
import Configuration
import Sharing
import TerminalUI

struct KeysCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "List the keys of the screen.",
    discussion: """
      As they are by default and by the configuration (docs/configuration.md).

      EXAMPLES:
        earshot keys
        earshot keys --json
      """)

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  func run() {
    let keys = ConfigurationFile().read().configuration.keys
    let report = KeysReport(
      UserCommand.allCases.map { command in
        KeysReport.Entry(command: command, keys: keys.keys(for: command).map(\.name))
      })
    StandardConsole.shared.data(report, asJSON: options.json)
  }
}
