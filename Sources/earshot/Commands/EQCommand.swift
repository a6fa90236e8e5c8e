import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols
import Sharing

/// The group of commands for the equaliser: `earshot eq`.
///
/// Without the name of a subcommand, ``EQChangeCommand`` runs: `earshot eq bass-boost` is `earshot
/// eq use bass-boost`.
struct EQCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "eq",
    abstract: "Show or set the equaliser.",
    discussion: """
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
      EQListCommand.self, EQSetCommand.self, EQSaveCommand.self, EQRenameCommand.self,
      EQDeleteCommand.self, EQImportCommand.self, EQChangeCommand.self,
    ], defaultSubcommand: EQChangeCommand.self)

  @ParentCommand var root: Earshot
}

/// The command that runs for `earshot eq` without a subcommand.
///
/// It is a command of its own, because a parser with an argument would not recognise subcommands.
///
/// Without an argument it shows what is set. Prints the preset, and the gains of the custom one; JSON: `eq` with
/// `preset` and `bands` (dB), and `presets`. Returns when the headphone has confirmed a change.
/// Exit status: 1 without an equaliser, 2 for gains that it does not have, 5, 6.
///
/// ```
/// $ earshot eq
/// custom: +3, +2, 0, 0, 0, 0, 0, 0 dB
/// $ earshot eq --json
/// {"schema":1,"eq":{"preset":"custom","bands":[3.0,…]},"presets":["balanced","bass-boost",…]}
/// ```
struct EQChangeCommand: EQSubcommand, SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Show or set the preset or the gains (the default).",
    discussion: """
      EXAMPLES:
        earshot eq use bass-boost
      """)

  @Argument(help: "What to change to.")
  var change: EQArgument?

  @Option(
    help: .init(
      "Custom gains from low to high: dB, -12 to 12 in steps of 0.5.", valueName: "dB,dB,…"))
  var bands: BandsArgument?

  @ParentCommand var parent: EQCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var hasStep: Bool { change?.isStep == true }

  /// - Throws: `ValidationError` if both a preset and gains are given.
  func validate() throws {
    if change != nil, bands != nil {
      throw ValidationError("Give a preset or --bands, not both.")
    }
  }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    try await withHeadphone(in: context, isReading: change == nil && bands == nil) {
      headphone throws(CommandError) in
      try headphone.require({ !$0.eqPresets.isEmpty || $0.eqBands > 0 }, "equaliser")
      if let bands { try await headphone.perform(.setCustomEQ(bands.gains)) }
      switch change?.resolved(in: context) {
      case .preset(let preset): try await headphone.perform(.setEQ(preset))
      case .next:
        try await headphone.until { $0.eq.confirmed != nil }
        try await headphone.press(.nextEQ)
      case nil: break
      }
      return headphone.headphone.map(EQReport.init)
    }
  }

  /// `next` becomes a preset's name, by the same rule as the key.
  @MainActor
  func resolveStep(of headphone: CommandTarget) async throws(CommandError) -> String? {
    try headphone.require({ !$0.eqPresets.isEmpty }, "equaliser")
    try await headphone.until { $0.eq.confirmed != nil }
    guard case .setEQ(let preset)? = try await headphone.resolve(.nextEQ) else { return nil }
    return preset.name
  }
}
