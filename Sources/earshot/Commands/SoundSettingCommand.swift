import ArgumentParser
import Companion
import CompanionRuntime
import Configuration

/// The command `earshot audio setting` for keys of the configuration, which apply immediately.
struct AudioSettingCommand: AudioSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "setting",
    abstract: "List or change sound settings, such as the volume ceiling.",
    discussion: """
      They are kept in the configuration file, for this headphone or with --all for all of them; \
      "default" removes one. A screen or `earshot agent` applies them while it runs.

      EXAMPLES:
        earshot audio setting
        earshot audio setting volume-ceiling 80
        earshot audio setting volume-ceiling default
        earshot audio setting first-volume 30 --all
        earshot audio setting buttons on
      """)

  @Argument(
    help: "The setting's name, or its beginning.",
    completion: .list(SoundSetting.allCases.map(\.name)))
  var name: String?

  @Argument(
    help: "The new value, or default.", completion: .list(["default"]))
  var value: String?

  @Flag(help: "All headphones without a separate value.")
  var all = false

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    try await change(name, to: value, ofAll: all, in: context)
  }
}

/// The command `earshot audio offset`, whose value also goes to the sound server at once.
struct AudioOffsetCommand: AudioSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "offset",
    abstract: "Show or set how much later players show pictures for this headphone.",
    discussion: """
      Players that ask for the delay of the sound, such as mpv, VLC and browsers, add it. \
      `earshot status --json` has the sound server's own delay beside it.

      EXAMPLES:
        earshot audio offset
        earshot audio offset 120ms
        earshot audio offset default
      """)

  @Argument(help: "ms, -2000 to 2000, or default.", completion: .list(["default"]))
  var offset: String?

  @ParentCommand var parent: AudioCommands
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    let report = try await change(
      SoundSetting.offset.name, to: offset?.withHyphen, ofAll: false, in: context)
    if let offset, case .number(let milliseconds)? = try SoundSetting.offset.value(meant: offset) {
      try await target(in: context).setOffset(milliseconds, of: selector(in: context))
    }
    return report
  }
}

extension AudioSubcommand {
  @MainActor
  fileprivate func change(
    _ name: String?, to value: String?, ofAll all: Bool, in context: CommandContext
  ) async throws(CommandError) -> SoundSettingsReport {
    let setting = try name.map { name throws(CommandError) in try SoundSetting.named(name) }
    let target = target(in: context)
    var headphone: HeadphoneState?
    if !all, setting?.scope != .computer {
      try target.chooseKnown(selector(in: context))
      headphone = target.headphone
      if headphone == nil, setting != nil { throw .notKnown(selector: selector(in: context)) }
    }
    let file = ConfigurationFile()
    // The current file: a change may not have reached the owner yet.
    var rules = await file.load().configuration.preferences.sound
    if let setting, let value {
      guard !all || setting.scope != .headphone else {
        throw .usage("\(setting.name) is set for one headphone at a time")
      }
      let change = rules.change(
        of: setting, to: try setting.value(meant: value), for: headphone)
      if let why = await file.apply(.sound(change)) {
        throw .unavailable("not saved: \(why)\nearshot config edit opens the file")
      }
      rules.apply(change)
    }
    return SoundSettingsReport(rules, of: headphone, only: setting)
  }
}
