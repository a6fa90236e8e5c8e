import ArgumentParser
import Companion
import CompanionRuntime
import Configuration
import TerminalUI

struct KeysCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "List the keys of the screen.",
    discussion: """
      As they are by default and by the configuration (docs/configuration.md).

      EXAMPLES:
        earshot keys
        earshot keys --pages
        earshot keys --json
      """)

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @Flag(help: "Show them page by page, with what each does there.")
  var pages = false

  func run() {
    let keys = ConfigurationFile().read().configuration.keys
    if pages, !options.json { return Output.data(KeyTable(keys).text) }
    let report = KeysReport(
      UserCommand.allCases.map { command in
        KeysReport.Entry(command: command, keys: keys.keys(for: command).map(\.name))
      })
    Output.data(report, asJSON: options.json)
  }
}

extension KeyTable {
  /// A section for each page, with a column of keys.
  fileprivate var text: String {
    sections.map { section in
      let rows = section.rows.map { row in
        let keys = row.keys.joined(separator: " ")
        return "  \(keys)\(String(repeating: " ", count: max(2, 14 - keys.count)))\(row.summary)"
      }
      return ([section.title] + rows).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }
}
