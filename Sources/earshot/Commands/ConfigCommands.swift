import ArgumentParser
import CompanionRuntime
import Configuration
import JSON
import Sharing
import TerminalUI

/// The group of commands for the configuration file: `earshot config`.
///
/// They read files only: no radio, no owner.
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
///
/// Runs in this process alone.
protocol ConfigSubcommand: ReportingCommand {
  var parent: ConfigCommand { get }
}

extension ConfigSubcommand {
  var root: Earshot { parent.root }
}

/// The configuration in effect, as a file: `earshot config show`.
///
/// Prints TOML with every setting that applies, defaults included, which can be saved as a
/// configuration. JSON: `toml`, the same text. Exit status 0; mistakes in the file are mentioned on
/// stderr.
struct ConfigShowCommand: ConfigSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print the configuration in effect.",
    discussion: """
      The output is itself a configuration file. Of the keys it has only those that differ from the \
      defaults; `earshot keys` lists all.

      EXAMPLES:
        earshot config show
        earshot config show > all-settings.toml
      """)

  @ParentCommand var parent: ConfigCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func run() {
    let (configuration, mistakes) = ConfigurationFile().read()
    StandardConsole.shared.data(AnswerReport("toml", configuration.toml), asJSON: options.json)
    if !mistakes.isEmpty {
      StandardConsole.shared.message("the file has mistakes\nlist them: earshot config check")
    }
  }
}

/// The mistakes in the configuration and in model files: `earshot config check`.
///
/// Prints one mistake a line as "FILE:LINE: what", which editors can jump to, or "FILE: ok". JSON:
/// `path`, `mistakes` (`line`, `what`) and `models` (`path`, `line`, `what`). Exit status 0 or 1.
///
/// ```
/// $ earshot config check
/// /home/me/.config/earshot/config.toml:7: there is no key "spacebar"; keys are written a, A, ^L, …
/// ```
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
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func run() throws {
    let file = ConfigurationFile()
    let report = ConfigurationReport(
      path: file.path, mistakes: file.read().mistakes,
      models: ModelFolder(file).read().mistakes)
    StandardConsole.shared.data(report, asJSON: options.json)
    guard report.mistakes.isEmpty, report.models.isEmpty else {
      throw ExitCode(ExitStatus.failed.rawValue)
    }
  }
}

/// The path of the configuration file, whether or not it exists: `earshot config path`.
///
/// Prints the path; JSON: `path`. Exit status 0.
struct ConfigPathCommand: ConfigSubcommand, LocalCommand {
  static let configuration = CommandConfiguration(
    commandName: "path",
    abstract: "Print the path of the configuration file.",
    discussion: """
      EXAMPLES:
        earshot config path
        $EDITOR "$(earshot config path)"
      """)

  @ParentCommand var parent: ConfigCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func answer() -> (any Report)? { AnswerReport("path", ConfigurationFile().path) }
}

/// The names of all themes: `earshot config themes`.
///
/// Prints one a line, "*" before the chosen one; JSON: `theme` and `themes`. Exit status 0.
///
/// ```
/// $ earshot config themes
/// * standard
///   terminal
///   high-contrast
/// …
/// ```
struct ConfigThemesCommand: ConfigSubcommand, LocalCommand {
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
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func answer() -> (any Report)? {
    ThemeReport(chosen: ConfigurationFile().read().configuration.screen.theme)
  }
}

/// The themes, with the chosen one among them: `earshot config themes`.
///
/// A theme of the user's own is listed last.
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

/// The mistakes in the configuration: `earshot config check`.
///
/// Lines are counted from 1.
struct ConfigurationReport: Report {
  let path: String
  let mistakes: [ConfigurationMistake]
  /// Mistakes in the user's own model files.
  let models: [ModelFolder.Mistake]

  /// Lines in the format of compilers, so that editors can jump to them.
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
