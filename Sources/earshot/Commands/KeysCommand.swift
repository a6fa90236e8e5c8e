import ArgumentParser
import Companion
import CompanionRuntime
import Configuration
import Sharing
import TerminalUI

/// The keys of the screen by the configuration: `earshot keys`.
///
/// Prints keys, command and description per line; with `--pages`, what each key does on each page,
/// from which docs/keys.md is made. Exit status 0.
///
/// ```
/// $ earshot keys --json
/// {"schema":1,"keys":[{"command":"scan","keys":["s"],"summary":"scan for headphones, or stop"},…]}
/// ```
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
