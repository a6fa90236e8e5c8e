import ArgumentParser
import Companion
import CompanionRuntime
import Configuration
import EventLoop
import HeadphoneProtocols
import JSON
import Persistence
import Sharing

/// The command group `earshot scene`; `use` runs if no subcommand is named.
struct SceneCommand: ParentOfCommands {
  static let configuration = CommandConfiguration(
    commandName: "scene",
    abstract: "Apply a scene: noise control, equaliser, output and more by one name.",
    discussion: """
      Scenes are tables of the configuration, [scenes.NAME] (docs/configuration.md). What the \
      headphone does not have is left out and reported. Without a name, lists them; the first five \
      have the keys 5 to 9 on the screen.

      EXAMPLES:
        earshot scene
        earshot scene desk
        earshot scene save desk
        earshot scene rename desk office
        earshot scene delete desk
      """,
    subcommands: [
      SceneListCommand.self, SceneSaveCommand.self, SceneRenameCommand.self,
      SceneDeleteCommand.self, SceneUseCommand.self,
    ],
    defaultSubcommand: SceneUseCommand.self)

  @ParentCommand var root: Earshot
}

protocol SceneSubcommand: Subcommand {}

extension SceneSubcommand {
  fileprivate func list() {
    let scenes = ConfigurationFile().read().configuration.preferences.scenes
    if scenes.isEmpty, !options.json {
      return StandardConsole.shared.message("no scenes yet\nsave one: earshot scene save NAME")
    }
    StandardConsole.shared.data(ScenesReport(scenes), asJSON: options.json)
  }
}

struct SceneListCommand: SceneSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the scenes; needs no headphone.",
    discussion: """
      EXAMPLES:
        earshot scene list
        earshot scene list --json
      """)

  @ParentCommand var parent: SceneCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func run() { list() }
}

/// The command `earshot scene use NAME`, which also runs for `earshot scene NAME`.
///
/// Settings that the headphone lacks are reported on standard error. A scene with only an output or
/// a profile needs no control link.
struct SceneUseCommand: SceneSubcommand, ReportCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["scene apply", "scene set", "scene load", "apply"]

  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Apply a scene, or list them.",
    discussion: """
      EXAMPLES:
        earshot scene use desk
      """)

  @Argument(help: "The scene's name, or its beginning.", completion: .scenes)
  var name: String?

  @ParentCommand var parent: SceneCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func check() throws {
    if name == "help" { throw CleanExit.helpRequest(SceneCommand.self) }
  }

  /// Whether a name is given; without one the scenes are listed, for which no owner is needed.
  var sharesLink: Bool { name != nil }

  @MainActor
  func run() async throws {
    guard name != nil else { return list() }
    try await runShared(after: nil)
  }

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    // The current file: a scene that was just saved may not have reached the owner yet.
    let scenes = await ConfigurationFile().load().configuration.preferences.scenes
    let state = context.store.state
    if scenes != state.preferences.scenes {
      var preferences = state.preferences
      preferences.scenes = scenes
      context.store.send(.configured(preferences, isResident: state.isResident))
    }
    let scene = try Scene.named(name ?? "", in: scenes)
    let target = target(in: context)
    var missing: [String] = []
    if scene.wishes.isEmpty {
      try target.chooseKnown(selector(in: context))
      missing = try await target.apply(scene)
    } else {
      try await linked(target, selector(in: context), on: context.console) {
        () throws(CommandError) in
        missing = try await target.apply(scene)
      }
    }
    if !missing.isEmpty {
      context.console.message("without \(missing.joined(separator: ", "))")
    }
    return SceneReport(scene.name, missing: missing)
  }
}

/// The command `earshot scene save NAME`, which appends the confirmed settings; never retried.
struct SceneSaveCommand: SceneSubcommand, SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Save the current settings as a scene in the configuration file.",
    discussion: """
      Noise control, equaliser, volume, output and audio profile. The table is added at the end of \
      the file, where it can be edited; a scene that is there already is not replaced.

      EXAMPLES:
        earshot scene save desk
      """)

  @Argument(help: "Its name: 1 to 40 letters, digits, - or _.")
  var name: String

  @ParentCommand var parent: SceneCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var isRepeatable: Bool { false }

  func validate() throws { try Scene.check(name) }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    let file = ConfigurationFile()
    guard await !file.load().configuration.preferences.scenes.contains(where: { $0.name == name })
    else {
      throw .unavailable("a scene \"\(name)\" already exists\nedit it in \(file.path)")
    }
    try await withHeadphone(in: context) { headphone throws(CommandError) in
      guard let scene = await headphone.scene(named: name) else { throw .link(.user) }
      let isAdded: Bool
      do throws(FileError) {
        isAdded = try await FileIO.shared.run { () throws(FileError) in try file.add(scene) }
      } catch {
        throw .file(error)
      }
      guard isAdded else {
        throw .unavailable(
          "\(file.name) has its scenes in a form that only an editor can change\n"
            + "edit it: earshot config edit")
      }
      return ValueReport(.sceneSaving, name)
    }
  }
}

/// The command `earshot scene delete NAME`, which changes nothing else in the file.
struct SceneDeleteCommand: SceneSubcommand, LocalCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["scene remove", "scene rm"]

  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a scene from the configuration file; needs no headphone.",
    discussion: """
      EXAMPLES:
        earshot scene delete desk
      """)

  @Argument(help: "Its name.", completion: .scenes)
  var name: String

  @ParentCommand var parent: SceneCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report() async throws(CommandError) -> (any Report)? {
    let scene = try await edit(name, "delete") { file, scene throws(FileError) in
      try file.delete(scene: scene.name)
    }
    return ValueReport(.sceneDeletion, scene.name)
  }
}

struct SceneRenameCommand: SceneSubcommand, LocalCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Rename a scene in the configuration file; needs no headphone.",
    discussion: """
      EXAMPLES:
        earshot scene rename desk office
      """)

  @Argument(help: "Its current name.", completion: .scenes)
  var name: String

  @Argument(help: "Its new name: 1 to 40 letters, digits, - or _.")
  var new: String

  @ParentCommand var parent: SceneCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func validate() throws { try Scene.check(new) }

  @MainActor
  func report() async throws(CommandError) -> (any Report)? {
    let scenes = await ConfigurationFile().load().configuration.preferences.scenes
    guard !scenes.contains(where: { $0.name == new }) else {
      throw .unavailable("a scene \"\(new)\" already exists")
    }
    _ = try await edit(name, "rename") { file, scene throws(FileError) in
      try file.rename(scene: scene.name, to: new)
    }
    return ValueReport(.sceneRenaming, new)
  }
}

extension SceneSubcommand {
  /// Changes a scene's table in the configuration file, and returns the scene before the change.
  @MainActor
  fileprivate func edit(
    _ name: String, _ verb: String,
    _ change: @escaping @Sendable (ConfigurationFile, Scene) throws(FileError) -> Bool
  ) async throws(CommandError) -> Scene {
    let file = ConfigurationFile()
    let scene = try Scene.named(name, in: await file.load().configuration.preferences.scenes)
    let isChanged: Bool
    do throws(FileError) {
      isChanged = try await FileIO.shared.run { () throws(FileError) in try change(file, scene) }
    } catch {
      throw .file(error)
    }
    guard isChanged else {
      throw .unavailable(
        "scene \"\(displayable(scene.name))\" does not have its own table\n"
          + "\(verb) it by hand: earshot config edit")
    }
    return scene
  }
}

extension Scene {
  fileprivate static func check(_ name: String) throws {
    if let complaint = complaint(about: name) {
      throw ValidationError("a scene cannot have this name\n\(complaint)")
    }
  }

  /// Returns the scene with this name or beginning, or throws `unavailable` with the names.
  static func named(_ word: String, in scenes: [Scene]) throws(CommandError) -> Scene {
    let names = scenes.map(\.name)
    if let name = names.meant(by: word), let scene = scenes.first(where: { $0.name == name }) {
      return scene
    }
    let guess = names.nearest(to: word).map { "; did you mean \"\(displayable($0))\"?" } ?? ""
    throw .unavailable(
      "no scene \"\(displayable(word))\"\(guess)\n"
        + (names.isEmpty
          ? "save one: earshot scene save NAME"
          : "scenes: \(names.map(displayable).joined(separator: ", "))"))
  }
}
