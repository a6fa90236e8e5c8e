import ArgumentParser
import Companion
import CompanionRuntime
import Configuration
import EventLoop
import HeadphoneProtocols
import JSON
import Persistence
import Sharing
import TerminalUI

struct ConfigCommand: ParentOfCommands {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show and check the configuration (docs/configuration.md).",
    discussion: """
      EXAMPLES:
        earshot config check
        earshot config show
        earshot config set screen.theme nord
        earshot config edit
      """,
    subcommands: [
      ConfigShowCommand.self, ConfigCheckCommand.self, ConfigPathCommand.self,
      ConfigKeysCommand.self, ConfigGetCommand.self, ConfigSetCommand.self,
      ConfigUnsetCommand.self, ConfigEditCommand.self, ConfigThemesCommand.self,
    ])

  @ParentCommand var root: Earshot
}

/// The command `earshot config show`, which prints all settings with defaults as a valid file.
struct ConfigShowCommand: Subcommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["config list", "config print"]

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
    StandardConsole.shared.data(
      ValueReport(.configurationText, configuration.toml), asJSON: options.json)
    if !mistakes.isEmpty {
      StandardConsole.shared.message("the file has mistakes\nlist them: earshot config check")
    }
  }
}

/// The command `earshot config check`, which prints mistakes as "FILE:LINE: what" for editors.
struct ConfigCheckCommand: Subcommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["config validate"]

  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the configuration, line by line.",
    discussion: """
      Ends with 0 if nothing is wrong, else with 1. Names the standard keys that your [keys] give to \
      other commands.

      EXAMPLES:
        earshot config check
        earshot config check --json | jq '.mistakes[].line'
        earshot config check --driver acme.toml    # a driver file alone
      """)

  @ParentCommand var parent: ConfigCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func run() throws {
    let report = options.driver.flatMap(Self.report) ?? Self.report
    StandardConsole.shared.data(report, asJSON: options.json)
    guard report.isEmpty else { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  private static var report: ConfigurationReport {
    let file = ConfigurationFile()
    let read = file.read()
    return ConfigurationReport(
      file.path, read.mistakes.map { .init($0) },
      notes: read.configuration.keys.displaced.map {
        .init(line: $0.binding.line ?? 1, $0.displayText)
      },
      models: ModelFolder(file).read().mistakes.map { .init(.init($0.mistake), in: $0.path) },
      drivers: DriverFolder(file).read().mistakes.map { .init(.init($0.mistake), in: $0.path) })
  }

  private static func report(of driver: DriverArgument) -> ConfigurationReport? {
    guard case .file(let path) = driver else { return nil }
    return ConfigurationReport(
      path, DriverFolder.check(path).mistakes.map { .init($0) }, models: [], drivers: [])
  }
}

struct ConfigPathCommand: Subcommand, LocalCommand {
  static let configuration = CommandConfiguration(
    commandName: "path",
    abstract: "Print the path of the configuration file.",
    discussion: """
      EXAMPLES:
        earshot config path
        cp "$(earshot config path)" config.bak
      """)

  @ParentCommand var parent: ConfigCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report() -> (any Report)? { ValueReport(.configurationPath, ConfigurationFile().path) }
}

struct ConfigKeysCommand: Subcommand, LocalCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Explain the keys of the configuration, with their values.",
    discussion: """
      EXAMPLES:
        earshot config keys
        earshot config keys screen.theme
        earshot config keys --json
      """)

  @Argument(help: "Only this key, or those whose names begin so.", completion: .configurationKeys)
  var key: String?

  @ParentCommand var parent: ConfigCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report() throws(CommandError) -> (any Report)? {
    let all = ConfigurationFile().read().configuration.explainedKeys
    guard let key else { return ConfigurationKeysReport(all) }
    let begun = all.filter { $0.name.hasPrefix(key) }
    return ConfigurationKeysReport(begun.isEmpty ? [try all.meant(by: key)] : begun)
  }
}

/// The command `earshot config get KEY`, which prints a text without its quotes.
struct ConfigGetCommand: Subcommand, LocalCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print the value of a key of the configuration.",
    discussion: """
      A text is printed without quotes; `earshot config keys KEY` explains the key.

      EXAMPLES:
        earshot config get screen.theme
        earshot config get battery.low
      """)

  @Argument(help: .configurationKey, completion: .configurationKeys)
  var key: String

  @ParentCommand var parent: ConfigCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report() throws(CommandError) -> (any Report)? {
    let key = try ConfigurationFile().read().configuration.explainedKeys.meant(by: key)
    guard let value = key.plainValue else {
      throw .unavailable("\(key.name) has no value\n`earshot config keys \(key.name)` explains it")
    }
    return ValueReport(.configurationValue, value)
  }
}

extension [Configuration.ExplainedKey] {
  /// Returns the key with this name, with or without its table: `screen.theme` or `theme`.
  fileprivate func meant(by word: String) throws(CommandError) -> Configuration.ExplainedKey {
    func named(_ word: String) -> [String] {
      map(\.name).filter { $0 == word || $0.hasSuffix(".\(word)") }
    }
    let names = named(word)
    if names.count == 1, let key = first(where: { $0.name == names.first }) { return key }
    let short = compactMap { $0.name.split(separator: ".").last.map(String.init) }
    let near =
      names.first ?? map(\.name).nearest(to: word)
      ?? short.nearest(to: word).flatMap { named($0).first }
    throw .usage(
      "there is no key \"\(displayable(word))\"\(near.map { "; did you mean \"\($0)\"?" } ?? "")\n"
        + "`earshot config keys` lists them")
  }
}

struct ConfigSetCommand: Subcommand, LocalCommand, SynonymousCommand {
  static let synonyms: [Synonym] = [.init("theme *", as: "screen.theme *")]

  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Change a key of the configuration file, and nothing else in it.",
    discussion: """
      A running Earshot applies it at once. Keys and values are completed.

      EXAMPLES:
        earshot config set screen.theme nord
        earshot config set battery.low 30
      """)

  @Argument(help: .configurationKey, completion: .configurationKeys)
  var key: String

  @Argument(help: "The value; `earshot config keys KEY` explains it.", completion: .keyValues)
  var value: String

  @ParentCommand var parent: ConfigCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report() async throws(CommandError) -> (any Report)? {
    try await change(key, to: value.withHyphen)
  }
}

struct ConfigUnsetCommand: Subcommand, LocalCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["config reset", "config delete", "config rm"]

  static let configuration = CommandConfiguration(
    commandName: "unset",
    abstract: "Remove a key from the configuration file, so that its default applies.",
    discussion: """
      EXAMPLES:
        earshot config unset screen.theme
      """)

  @Argument(help: .configurationKey, completion: .configurationKeys)
  var key: String

  @ParentCommand var parent: ConfigCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report() async throws(CommandError) -> (any Report)? {
    try await change(key, to: nil)
  }
}

extension LocalCommand {
  /// Sets a key, or removes it, and returns what applies from now on.
  @MainActor
  fileprivate func change(
    _ name: String, to value: String?
  ) async throws(CommandError) -> ValueReport {
    let file = ConfigurationFile()
    let key = try await file.load().configuration.explainedKeys.meant(by: name)
    let change: ConfigurationFile.KeyChange
    do throws(FileError) {
      change = try await FileIO.shared.run { () throws(FileError) in
        try file.set(key, to: value)
      }
    } catch {
      throw .file(error)
    }
    switch change {
    case .done: break
    case .wrong(let what):
      throw .usage("\(displayable(what))\n`earshot config keys \(key.name)` explains it")
    case .needsEditor:
      throw .unavailable(
        "\(key.name) is in a form that only an editor can change\nedit it: earshot config edit")
    }
    let now = await file.load().configuration.explainedKeys.first { $0.name == key.name }?.value
    let sentence = "\(key.name) \(now.map { "= \(displayable($0))" } ?? "has no value")"
    return ValueReport(.configurationChange, key.name, sentence: sentence)
  }
}

extension ConfigurationKeysReport {
  fileprivate init(_ keys: [Configuration.ExplainedKey]) {
    self.init(
      keys.map {
        Key(
          $0.name, value: $0.value, values: $0.values, unlessGiven: $0.unlessGiven, words: $0.words)
      })
  }
}

/// The command `earshot config edit`.
///
/// Runs `VISUAL`, else `EDITOR`, else `vi`, as a shell command followed by the file, and then
/// checks the file.
struct ConfigEditCommand: Subcommand, SynonymousCommand {
  static let synonyms: [Synonym] = [
    "edit", "config open", "config init",
  ]

  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Open the configuration file in $EDITOR, and check it.",
    discussion: """
      $VISUAL is preferred where it is set; without either it is vi. A folder that is missing is \
      made.

      EXAMPLES:
        earshot config edit
        EDITOR=nano earshot config edit
      """)

  @ParentCommand var parent: ConfigCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func run() throws {
    let file = ConfigurationFile()
    let chosen = ["VISUAL", "EDITOR"].compactMap(variable).first { !$0.isEmpty }
    guard chosen != nil || StandardConsole.shared.isInteractive else {
      throw exitCode(
        for: .unavailable("vi needs a terminal\nset EDITOR, or edit \(displayable(file.path))"))
    }
    let editor = chosen ?? "vi"
    do throws(FileError) { try file.makeFolder() } catch { throw exitCode(for: .file(error)) }
    let end = try? ChildProcess.runInForeground(["sh", "-c", "\(editor) \"$1\"", "sh", file.path])
    guard case .exited(0)? = end else {
      throw exitCode(
        for: .unavailable("the editor \(displayable(editor)) failed\nset EDITOR to another one"))
    }
    let mistakes = file.read().mistakes
    for line in file.lines(for: mistakes) { StandardConsole.shared.message(line) }
    guard mistakes.isEmpty else { throw ExitCode(ExitStatus.failed.rawValue) }
  }
}

struct ConfigThemesCommand: Subcommand, LocalCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["themes"]

  static let configuration = CommandConfiguration(
    commandName: "themes",
    abstract: "List the screen's themes.",
    discussion: """
      T on the screen shows them, and keeps one.

      EXAMPLES:
        earshot config themes
        earshot config themes --json
      """)

  @ParentCommand var parent: ConfigCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report() -> (any Report)? {
    ThemesReport(
      chosen: ConfigurationFile().read().configuration.screen.theme.rawValue,
      among: Theme.allCases.map(\.rawValue))
  }
}

extension ConfigurationReport.Mistake {
  fileprivate init(_ mistake: ConfigurationMistake) {
    self.init(line: mistake.line, mistake.what)
  }
}
