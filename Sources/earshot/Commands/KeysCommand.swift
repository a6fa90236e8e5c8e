import ArgumentParser
import Companion
import CompanionRuntime
import Configuration
import Sharing
import TerminalUI

/// The command `earshot keys`; docs/keys.md is generated from its `--pages`.
struct KeysCommand: LocalCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "List the screen's keys.",
    discussion: """
      Defaults, plus your changes (docs/configuration.md).

      EXAMPLES:
        earshot keys
        earshot keys --pages
        earshot keys --json
      """)

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @Flag(help: "Show them page by page, with what each does there.")
  var pages = false

  @MainActor
  func report() -> (any Report)? {
    let keys = ConfigurationFile().read().configuration.keys
    if pages, !options.json { return ValueReport(.line, KeyTable(keys).text) }
    return KeysReport(
      UserCommand.allCases.map { command in
        KeysReport.Entry(command: command, keys: keys.keys(for: command).map(\.name))
      })
  }
}

extension KeyTable {
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
