import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols

/// The command `earshot setting`.
///
/// Returns when the headphone has confirmed a change. Prints name, value and accepted values per
/// line. Exit status: 1 no such setting, 64 no such value, 5, 6.
struct SettingCommand: ConnectedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["set", "get", "switch"]

  static let configuration = CommandConfiguration(
    commandName: "setting",
    abstract: "List, show or change the headphone's settings.",
    discussion: """
      Which settings there are depends on the headphone. A change returns when the headphone has \
      confirmed it. An untried setting was never recorded being changed on a headphone of this \
      kind; it counts as untried until yours has confirmed a change.

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
    // `setting list` works like `eq list` and `scene list`.
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
