import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols

/// The command `earshot setting`.
///
/// `save` and `restore` take a file in place of a value. They are no subcommands, because shells
/// would no longer complete names and values.
struct SettingCommand: SharedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["set", "get"]

  static let configuration = CommandConfiguration(
    commandName: "setting",
    abstract: "List, show or change the headphone's settings; save and restore them all.",
    discussion: """
      Which settings there are depends on the headphone. A change returns when the headphone has \
      confirmed it. An untried setting was never recorded being changed on a headphone of this \
      kind; it counts as untried until yours has confirmed a change.

      save writes every setting that the headphone reports to a text file (TOML), with its model \
      and the date: noise control, equaliser, touch actions and the others. restore sets what \
      differs from such a file, for example after a factory reset, and says what became of each \
      setting. It first checks the file, and sends nothing if there is a mistake in it. A file - \
      is standard output or input.

      EXAMPLES:
        earshot setting
        earshot setting wear-detection
        earshot setting wear-detection off
        earshot setting noise-mode transparency
        earshot setting save aurora.toml
        earshot setting restore aurora.toml
      """)

  @Argument(
    help: "The setting's name, or its beginning; save and restore take a file.",
    completion: .list(SettingID.known.map(\.rawValue) + SettingFileAction.allCases.map(\.rawValue)))
  var name: String?

  @Argument(help: "The new value, or the file.", completion: .settingValues)
  var value: String?

  @Flag(
    help: """
      With save: overwrite an existing file. With restore: accept a file of another model, as far \
      as it fits.
      """)
  var force = false

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  /// Whether the command may be repeated; a restore from standard input can read it only once.
  var isRepeatable: Bool { file?.action != .restore || file?.isStandard == false }

  func validate() throws {
    guard let action = name.flatMap(SettingFileAction.init) else {
      if force {
        throw ValidationError(
          "--force is for save and restore\nfor example: earshot setting save aurora.toml --force")
      }
      return
    }
    if value?.isEmpty != false {
      throw ValidationError(
        "\(action.rawValue) needs a file\nfor example: earshot setting \(action.rawValue) aurora.toml"
      )
    }
  }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    switch file?.action {
    case .save?: try await save(in: context)
    case .restore?: try await restore(in: context)
    case nil:
      try await withHeadphone(in: context, isReading: value == nil) {
        headphone throws(CommandError) in try await report(of: headphone)
      }
    }
  }

  @MainActor
  private func report(of headphone: CommandTarget) async throws(CommandError) -> (any Report)? {
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
