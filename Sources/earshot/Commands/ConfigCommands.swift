import ArgumentParser
import CompanionRuntime
import Configuration
import JSON
import TerminalUI

struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show and check the configuration (docs/configuration.md).",
    discussion: """
      EXAMPLES:
        earshot config check
        earshot config show
        $EDITOR "$(earshot config path)"
      """,
    subcommands: [
      ConfigShowCommand.self, ConfigCheckCommand.self, ConfigPathCommand.self,
      ConfigThemesCommand.self,
    ])

  @ParentCommand var root: Earshot
}

/// A command below `config`.
protocol ConfigSubcommand: ReportingCommand {
  var parent: ConfigCommand { get }
}

extension ConfigSubcommand {
  var root: Earshot { parent.root }
}

struct ConfigShowCommand: ConfigSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print the configuration in effect.",
    discussion: """
      What it prints is a configuration file itself. Of the keys it has those that are not as usual; \
      `earshot keys` lists all.

      EXAMPLES:
        earshot config show
        earshot config show > all-settings.toml
      """)

  @ParentCommand var parent: ConfigCommand
  @OptionGroup var common: CommonOptions

  func run() {
    let (configuration, mistakes) = ConfigurationFile().read()
    let toml = configuration.toml
    Output.data(AnswerReport("toml", toml), asJSON: options.json)
    if !mistakes.isEmpty { Output.message("the file has mistakes: earshot config check") }
  }
}

struct ConfigCheckCommand: ConfigSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the configuration, line by line.",
    discussion: """
      Ends with 0 if nothing is wrong, else with 1.

      EXAMPLES:
        earshot config check
        earshot config check --json | jq '.mistakes[].line'
      """)

  @ParentCommand var parent: ConfigCommand
  @OptionGroup var common: CommonOptions

  func run() throws {
    let file = ConfigurationFile()
    let report = ConfigurationReport(
      path: file.path, mistakes: file.read().mistakes,
      models: ModelFolder(file).read().mistakes)
    Output.data(report, asJSON: options.json)
    guard report.mistakes.isEmpty, report.models.isEmpty else {
      throw ExitCode(ExitStatus.failed.rawValue)
    }
  }
}

struct ConfigPathCommand: ConfigSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "path",
    abstract: "Print the path of the configuration file.",
    discussion: """
      EXAMPLES:
        earshot config path
        $EDITOR "$(earshot config path)"
      """)

  @ParentCommand var parent: ConfigCommand
  @OptionGroup var common: CommonOptions

  func run() {
    let path = ConfigurationFile().path
    Output.data(AnswerReport("path", path), asJSON: options.json)
  }
}

struct ConfigThemesCommand: ConfigSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "themes",
    abstract: "List the themes of the screen.",
    discussion: """
      T on the screen tries them one after the other.

      EXAMPLES:
        earshot config themes
        earshot config themes --json
      """)

  @ParentCommand var parent: ConfigCommand
  @OptionGroup var common: CommonOptions

  func run() {
    let chosen = ConfigurationFile().read().configuration.screen.theme
    Output.data(ThemeReport(chosen: chosen), asJSON: options.json)
  }
}

/// The themes, with the chosen one among them: `earshot config themes`.
struct ThemeReport: Report {
  let chosen: Theme

  private var names: [String] {
    let names = Theme.allCases.map(\.rawValue)
    return names.contains(chosen.rawValue) ? names : names + [chosen.rawValue]
  }

  var text: String {
    names.map { ($0 == chosen.rawValue ? "* " : "  ") + $0 }.joined(separator: "\n")
  }

  var json: JSON {
    [
      "schema": 1, "theme": .string(chosen.rawValue), "themes": .array(names.map(JSON.string)),
    ]
  }
}

/// What is wrong in the configuration: `earshot config check`.
struct ConfigurationReport: Report {
  let path: String
  let mistakes: [ConfigurationMistake]
  /// In the person's own model files.
  let models: [ModelFolder.Mistake]

  /// As compilers write it, so that editors jump to the line.
  var text: String {
    let lines =
      mistakes.map { "\(path):\($0.line): \($0.what)" }
      + models.map { "\($0.path):\($0.mistake.line): \($0.mistake.what)" }
    return lines.isEmpty ? "\(path): ok" : lines.joined(separator: "\n")
  }

  var json: JSON {
    [
      "schema": 1, "path": .string(path),
      "mistakes": .array(
        mistakes.map { ["line": .integer(Int64($0.line)), "what": .string($0.what)] }),
      "models": .array(
        models.map {
          [
            "path": .string($0.path), "line": .integer(Int64($0.mistake.line)),
            "what": .string($0.mistake.what),
          ]
        }),
    ]
  }
}
