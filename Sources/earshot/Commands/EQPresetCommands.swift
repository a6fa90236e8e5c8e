import ArgumentParser
import Companion
import CompanionRuntime
import EventLoop
import HeadphoneProtocols
import Persistence
import Sharing

/// A command below `eq`; those that only change the file of saved presets need no headphone.
protocol EQSubcommand: Subcommand {}

extension EQSubcommand {
  @MainActor
  func presets() async throws(CommandError) -> [SavedEQ] {
    try await withSaved { saved throws(FileError) in try saved.all() }
  }

  /// Changes the file of saved presets under its lock.
  @MainActor
  fileprivate func apply(_ change: SavedEQChange) async throws(CommandError) {
    _ = try await withSaved { saved throws(FileError) in try saved.apply(change) }
  }

  @MainActor
  private func withSaved(
    _ work: @escaping @Sendable (SavedEQs) throws(FileError) -> [SavedEQ]
  ) async throws(CommandError) -> [SavedEQ] {
    do throws(FileError) {
      return try await FileIO.shared.run { () throws(FileError) in
        try work(SavedEQs(in: StateFolder()))
      }
    } catch {
      throw .file(error)
    }
  }

  @MainActor
  fileprivate func preset(named name: String) async throws(CommandError) -> SavedEQ {
    guard let preset = try await presets().first(where: { $0.name == name }) else {
      throw .unavailable(
        "there is no preset \"\(displayable(name))\"\n`earshot eq list` lists them")
    }
    return preset
  }
}

extension CommandTarget {
  func requireEqualiser() throws(CommandError) {
    do throws(CommandError) { try require(.equaliser) } catch { try require(.nextEQ) }
  }

  var bands: EQBands? { headphone?.capabilities.flatMap { EQBands($0) } }

  func requireBands() throws(CommandError) {
    try requireEqualiser()
    guard let headphone, headphone.capabilities?.eqBands == 0 else { return }
    throw .unavailable(
      "the equaliser of \(displayable(headphone.name)) has presets only, no bands\n"
        + "`earshot eq list` lists them")
  }
}

/// A name of 1 to 40 printable characters.
struct PresetName: ExplainedArgument {
  static let usage = "it takes a name of 1 to 40 characters that can be shown"

  let name: String

  init?(argument: String) {
    guard SavedEQ.complaint(about: argument) == nil else { return nil }
    name = argument
  }
}

/// The command `earshot eq list`; without a headphone, it lists only the saved presets.
struct EQListCommand: EQSubcommand, ReportCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["presets", "eq ls", "eq presets", "eq -l"]

  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the presets, the headphone's own and the saved ones.",
    discussion: """
      * marks the one in use. Without a headphone in reach it lists the saved ones.

      EXAMPLES:
        earshot eq list
        earshot eq list --json
      """)

  @ParentCommand var parent: EQCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    let saved = try await presets()
    let target = target(in: context, within: min(options.timeoutDuration, .seconds(5)))
    do throws(CommandError) {
      try await linked(target, selector(in: context), on: context.console, isReading: true) {
        await target.settle { $0.setting(.equaliserPreset).confirmed != nil }
      }
    } catch {
      context.console.message("only the saved presets: \(error.message)")
      return EQPresetsReport(saved, of: nil)
    }
    return EQPresetsReport(saved, of: target.headphone)
  }
}

/// The command `earshot eq save`, which saves the confirmed gains; warns if a preset is active.
struct EQSaveCommand: EQSubcommand, ConnectedCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Save the current gains under a name.",
    discussion: """
      A preset of the same name is replaced.

      EXAMPLES:
        earshot eq save "late evening"
      """)

  @Argument(help: "1 to 40 characters.", transform: PresetName.parse)
  var name: PresetName

  @ParentCommand var parent: EQCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report(
    of headphone: CommandTarget, in context: CommandContext
  ) async throws(CommandError) -> (any Report)? {
    try headphone.requireBands()
    try await headphone.until { $0.bands.confirmed?.isEmpty == false && $0.presetToCome != nil }
    if let warning = headphone.headphone?.warningBeforeSaving { context.console.message(warning) }
    let gains = headphone.headphone?.bands.confirmed ?? []
    try await apply(.keep(SavedEQ(name: name.name, gains: gains)))
    return ValueReport(.equaliserSaving, name.name)
  }
}

struct EQRenameCommand: EQSubcommand, LocalCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Rename a saved preset; needs no headphone.",
    discussion: """
      EXAMPLES:
        earshot eq rename evening "late evening"
      """)

  @Argument(help: "Its current name.", completion: .savedPresets, transform: PresetName.parse)
  var name: PresetName

  @Argument(
    help: "Its new name, which no other preset may have.", transform: PresetName.parse)
  var new: PresetName

  @ParentCommand var parent: EQCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report() async throws(CommandError) -> (any Report)? {
    _ = try await preset(named: name.name)
    guard try await !presets().contains(where: { $0.name == new.name }) else {
      throw .unavailable("a preset \"\(displayable(new.name))\" already exists")
    }
    try await apply(.rename(name.name, to: new.name))
    return ValueReport(.equaliserRenaming, new.name)
  }
}

struct EQDeleteCommand: EQSubcommand, LocalCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["eq remove", "eq rm"]

  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a saved preset; needs no headphone.",
    discussion: """
      EXAMPLES:
        earshot eq delete "late evening"
      """)

  @Argument(help: "Its name.", completion: .savedPresets, transform: PresetName.parse)
  var name: PresetName

  @ParentCommand var parent: EQCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report() async throws(CommandError) -> (any Report)? {
    _ = try await preset(named: name.name)
    try await apply(.delete(name.name))
    return ValueReport(.equaliserDeletion, name.name)
  }
}

/// The command `earshot eq import`, which prints the gains and what the bands cannot reproduce.
///
/// A mistake in the file is reported with its line before anything is connected.
struct EQImportCommand: EQSubcommand, SharedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["import"]

  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import an AutoEq or EqualizerAPO curve.",
    discussion: """
      Takes lines such as "Preamp: -6.2 dB" and "Filter 1: ON PK Fc 105 Hz Gain -3.2 dB Q 0.70", or \
      "GraphicEQ: 20 -6.1; 25 -5.8; 32 -5.2". Reports what the bands cannot reproduce, in words and dB.

      EXAMPLES:
        earshot eq import "Sennheiser HD 600 ParametricEQ.txt"
        earshot eq import ParametricEQ.txt --dry-run --json
      """)

  @Argument(help: "The file, such as AutoEq's ParametricEQ.txt.", completion: .file())
  var file: String

  @Flag(help: "Show what would be set without setting it.")
  var dryRun = false

  @ParentCommand var parent: EQCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    let path = context.path(file)
    let curve = try await ParametricEQFile.load(path)
    try await withHeadphone(in: context) { headphone throws(CommandError) in
      try headphone.requireBands()
      guard let bands = headphone.bands else { return EQImportReport(nil) }
      let fit = EQFit(curve, to: bands)
      if !dryRun { try await headphone.perform(.setCustomEQ(fit.gains)) }
      return EQImportReport(fit)
    }
  }
}
