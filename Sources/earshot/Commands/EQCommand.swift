import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols
import Sharing

/// The command group `earshot eq`; ``EQChangeCommand`` runs if no subcommand is named.
struct EQCommand: ParentOfCommands, SynonymousCommand {
  static let synonyms: [Synonym] = [
    "equalizer", "equaliser", "preset", "eq show", "eq get", .init("eq none", as: "balanced"),
    .init("eq default", as: "balanced"),
  ]

  static let configuration = CommandConfiguration(
    commandName: "eq",
    abstract: "Show or set the equaliser.",
    discussion: """
      Takes a preset, the headphone's or a saved one: `earshot eq list` has them all. \
      Bands are given from low to high in dB, in steps of 0.5, -12 to 12.

      EXAMPLES:
        earshot eq
        earshot eq bass-boost
        earshot eq next
        earshot eq --bands 3,2,0,-0.5,1
        earshot eq save "late evening"
        earshot eq import ParametricEQ.txt
      """,
    subcommands: [
      EQListCommand.self, EQSaveCommand.self, EQRenameCommand.self,
      EQDeleteCommand.self, EQImportCommand.self, EQChangeCommand.self,
    ], defaultSubcommand: EQChangeCommand.self)

  @ParentCommand var root: Earshot

  fileprivate static var names: [String] {
    configuration.subcommands.compactMap { $0.configuration.commandName }
  }
}

/// The command `earshot eq use`, which also runs for `earshot eq` without a subcommand.
///
/// It is a separate command because a parser with an argument would not recognise subcommands.
struct EQChangeCommand: EQSubcommand, ConnectedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["eq set"]

  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Show or set the preset or the gains.",
    discussion: """
      EXAMPLES:
        earshot eq use bass-boost
        earshot eq use "late evening"
      """)

  @Argument(
    help: .init(
      """
      A preset, the headphone's or a saved one (`earshot eq list`), or next; 1 is the headphone's first.
      """,
      valueName: "preset"), completion: .presets)
  var preset: String?

  @Option(
    help: .init(
      "Custom gains from low to high: dB, -12 to 12 in steps of 0.5.", valueName: "dB,dB,…"),
    transform: BandsArgument.parse)
  var bands: BandsArgument?

  @ParentCommand var parent: EQCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var hasStep: Bool { preset.map(["next", "cycle"].contains) == true }

  func validate() throws {
    if preset != nil, bands != nil {
      throw ValidationError("a preset and --bands exclude each other\ngive one of them")
    }
  }

  func check() throws {
    if preset == "help" { throw CleanExit.helpRequest(EQCommand.self) }
  }

  var isReading: Bool { preset == nil && bands == nil }

  @MainActor
  func report(
    of headphone: CommandTarget, in context: CommandContext
  ) async throws(CommandError) -> (any Report)? {
    try headphone.requireEqualiser()
    if let bands {
      try headphone.requireBands()
      try await headphone.perform(.setCustomEQ(bands.gains))
    }
    let isStep = hasStep && context.step == nil
    if isStep {
      try await headphone.until { $0.setting(.equaliserPreset).confirmed != nil }
      try await headphone.press(.nextEQ)
    } else if let name = hasStep ? context.step : preset {
      try await use(name, on: headphone)
    }
    return headphone.headphone.map(EQReport.init)
  }

  @MainActor
  private func use(_ word: String, on headphone: CommandTarget) async throws(CommandError) {
    let own = headphone.headphone?.presets ?? []
    let saved = try await presets()
    let names = own + saved.map(\.name).filter { !own.contains($0) }
    let flat = ["flat", "reset", "off"].contains(word.lowercased())
    let usual = flat ? ["balanced", "normal", "off", "standard"].first(where: own.contains) : nil
    let numbered = Int(word).flatMap { own.indices.contains($0 - 1) ? own[$0 - 1] : nil }
    guard let name = names.meant(by: word) ?? usual ?? numbered else {
      let several = names.begun(by: word)
      let guess =
        (names + EQCommand.names).nearest(to: word)
        .map { "; did you mean \"\(displayable($0))\"?" } ?? ""
      throw .usage(
        (several.count > 1
          ? "\"\(displayable(word))\" can mean \(several.map(displayable).joined(separator: " or "))"
          : "eq takes no \"\(displayable(word))\"\(guess)")
          + "\nit takes \(names.map(displayable).joined(separator: ", "))")
    }
    if own.contains(name) {
      try await headphone.set(SettingID.equaliserPreset.rawValue, to: name)
    } else if let preset = saved.first(where: { $0.name == name }) {
      try headphone.requireBands()
      let gains = headphone.bands?.gains(nearest: preset.gains) ?? preset.gains
      try await headphone.perform(.setCustomEQ(gains))
    }
  }

  /// Resolves `next` to the name of a preset, in the order that the key uses.
  @MainActor
  func resolveStep(of headphone: CommandTarget) async throws(CommandError) -> String? {
    try headphone.requireEqualiser()
    try await headphone.until { $0.setting(.equaliserPreset).confirmed != nil }
    switch try await headphone.resolve(.nextEQ) {
    case .setEQ(let preset)?: return preset.name
    case .set(.equaliserPreset, .choice(let name))?: return name
    default: return nil
    }
  }
}
