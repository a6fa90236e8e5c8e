import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols
import Persistence

/// A command below `eq`.
protocol EQSubcommand: ReportingCommand {
  var parent: EQCommand { get }
}

extension EQSubcommand {
  var root: Earshot { parent.root }

  /// The presets of this user.
  fileprivate func presets() throws(CommandError) -> [SavedEQ] {
    try withSaved { saved throws(FileError) in try saved.all() }
  }

  fileprivate func apply(_ change: SavedEQChange) throws(CommandError) {
    _ = try withSaved { saved throws(FileError) in try saved.apply(change) }
  }

  /// Changes a preset that is there, unless `report` says why that cannot be.
  @MainActor
  fileprivate func change(
    _ name: PresetName, by change: SavedEQChange,
    report: () throws(CommandError) -> AnswerReport
  ) async throws {
    try await offline { () throws(CommandError) in
      _ = try preset(named: name.name)
      let report = try report()
      try apply(change)
      Output.data(report, asJSON: options.json)
    }
  }

  private func withSaved(
    _ work: (SavedEQs) throws(FileError) -> [SavedEQ]
  ) throws(CommandError) -> [SavedEQ] {
    do throws(FileError) { return try work(SavedEQs(in: StateFolder())) } catch {
      throw .file(error)
    }
  }

  fileprivate func preset(named name: String) throws(CommandError) -> SavedEQ {
    guard let preset = try presets().first(where: { $0.name == name }) else {
      throw .unavailable(
        "there is no preset \"\(displayable(name))\"; `earshot eq list` tells them all")
    }
    return preset
  }
}

extension CommandTarget {
  fileprivate func requireBands() throws(CommandError) {
    try require({ $0.eqBands > 0 }, "custom equaliser")
  }
}

/// The name of a preset.
struct PresetName: ExpressibleByArgument {
  let name: String

  init?(argument: String) {
    guard SavedEQ.complaint(about: argument) == nil else { return nil }
    name = argument
  }
}

struct EQListCommand: EQSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the saved presets; needs no headphone.",
    discussion: """
      EXAMPLES:
        earshot eq list
        earshot eq list --json
      """)

  @ParentCommand var parent: EQCommand
  @OptionGroup var common: CommonOptions

  @MainActor
  func run() async throws {
    try await offline { () throws(CommandError) in
      Output.data(SavedEQsReport(try presets()), asJSON: options.json)
    }
  }
}

struct EQSetCommand: EQSubcommand, SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Use a saved preset.",
    discussion: """
      EXAMPLES:
        earshot eq set "late evening"
      """)

  @Argument(help: "The name that it was saved under.")
  var name: PresetName

  @ParentCommand var parent: EQCommand
  @OptionGroup var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    try await withHeadphone(in: context) { headphone throws(CommandError) in
      try headphone.requireBands()
      try await headphone.perform(.setCustomEQ(try preset(named: name.name).gains))
    } report: { headphone, _ in
      EQReport(headphone)
    }
  }
}

struct EQSaveCommand: EQSubcommand, SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Save the current gains under a name.",
    discussion: """
      A preset of the same name is replaced.

      EXAMPLES:
        earshot eq save "late evening"
      """)

  @Argument(help: "1 to 40 characters.")
  var name: PresetName

  @ParentCommand var parent: EQCommand
  @OptionGroup var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    try await withHeadphone(in: context) { headphone throws(CommandError) in
      try headphone.requireBands()
      try await headphone.until { $0.bands.confirmed?.isEmpty == false }
      let gains = headphone.headphone?.bands.confirmed ?? []
      try apply(.keep(SavedEQ(name: name.name, gains: gains)))
    } report: { _, _ in
      AnswerReport("saved", name.name)
    }
  }
}

struct EQRenameCommand: EQSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Rename a saved preset; needs no headphone.",
    discussion: """
      EXAMPLES:
        earshot eq rename evening "late evening"
      """)

  @Argument(help: "The name that it has.")
  var name: PresetName

  @Argument(help: "The name that it gets; no other preset may have it.")
  var new: PresetName

  @ParentCommand var parent: EQCommand
  @OptionGroup var common: CommonOptions

  @MainActor
  func run() async throws {
    try await change(name, by: .rename(name.name, to: new.name)) { () throws(CommandError) in
      guard try !presets().contains(where: { $0.name == new.name }) else {
        throw .unavailable("there is a preset \"\(displayable(new.name))\" already")
      }
      return AnswerReport("renamed", new.name)
    }
  }
}

struct EQDeleteCommand: EQSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a saved preset; needs no headphone.",
    discussion: """
      EXAMPLES:
        earshot eq delete "late evening"
      """)

  @Argument(help: "Its name.")
  var name: PresetName

  @ParentCommand var parent: EQCommand
  @OptionGroup var common: CommonOptions

  @MainActor
  func run() async throws {
    try await change(name, by: .delete(name.name)) { AnswerReport("deleted", name.name) }
  }
}

struct EQImportCommand: EQSubcommand, SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import an AutoEq or EqualizerAPO curve.",
    discussion: """
      Takes lines such as "Preamp: -6.2 dB" and "Filter 1: ON PK Fc 105 Hz Gain -3.2 dB Q 0.70".
      What the bands cannot follow is told, in words and dB.

      EXAMPLES:
        earshot eq import "Sennheiser HD 600 ParametricEQ.txt"
        earshot eq import ParametricEQ.txt --dry-run --json
      """)

  @Argument(help: "The file, as AutoEq's ParametricEQ.txt.", completion: .file())
  var file: String

  @Flag(help: "Show what would be set without setting it.")
  var dryRun = false

  @ParentCommand var parent: EQCommand
  @OptionGroup var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    let path = self.path(file)
    // A text that makes no sense needs no headphone.
    let curve = try ParametricEQFile.read(path)
    var fit: EQFit?
    try await withHeadphone(in: context) { headphone throws(CommandError) in
      try headphone.requireBands()
      guard let bands = headphone.headphone?.capabilities.flatMap({ EQBands($0) }) else { return }
      let made = EQFit(curve, to: bands)
      fit = made
      if !dryRun { try await headphone.perform(.setCustomEQ(made.gains)) }
    } report: { _, _ in
      EQImportReport(fit)
    }
  }
}
