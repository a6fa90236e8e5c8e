import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols

/// The settings that a headphone declares: `earshot setting`.
///
/// Without arguments all are listed, with a name that one is shown, with a value it is changed; the
/// command returns when the headphone has confirmed it. Prints name, value and what it accepts per
/// line. Exit status: 1 no such setting, 2 no such value, 5, 6.
///
/// ```
/// $ earshot setting
/// noise-mode       noise-cancelling (off, noise-cancelling, transparency or adaptive)
/// ambient-level    unknown (0 to 10)
/// wear-detection   unknown (on or off)
/// …
/// $ earshot setting ambient-level --json
/// {"schema":1,"settings":[{"name":"ambient-level","title":"Ambient level","kind":"level",
///  "value":null,"values":null,"minimum":0.0,"maximum":10.0,"step":1.0}]}
/// ```
struct SettingCommand: ConnectedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["set", "get", "switch"]

  static let configuration = CommandConfiguration(
    commandName: "setting",
    abstract: "List, show or change the headphone's settings.",
    discussion: """
      Which settings there are depends on the headphone. A change returns when the headphone has \
      confirmed it.

      EXAMPLES:
        earshot setting
        earshot setting wear-detection
        earshot setting wear-detection off
        earshot setting noise-mode transparency
      """)

  @Argument(
    help: "The setting's name, or its beginning.",
    completion: .list(SettingID.known.map(\.rawValue)))
  var name: String?

  @Argument(help: "The new value.", completion: .settingValues)
  var value: String?

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var isReading: Bool { value == nil }

  @MainActor
  func report(
    of headphone: CommandTarget, in context: CommandContext
  ) async throws(CommandError) -> (any Report)? {
    // `setting list`, as `eq list` and `scene list`.
    let name = ["list", "all"].contains(name) && value == nil ? nil : name
    if headphone.headphone?.capabilities?.hasTouchActions == true,
      name?.hasPrefix("touch-") != false
    {
      try await headphone.perform(.readTouchActions)
    }
    if let name, let value {
      try await headphone.set(name, to: value.withHyphen)
    }
    let shown = try name.map { name throws(CommandError) in try headphone.declaration(named: name)
    }
    return headphone.headphone.map { SettingsReport($0, only: shown?.id.rawValue) }
  }
}
