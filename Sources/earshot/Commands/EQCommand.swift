import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols

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

/// `eq` itself: a parser that reads a name of its own takes none for a subcommand.
struct EQChangeCommand: EQSubcommand, SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Show or set the preset or the gains (the default).",
    discussion: """
      EXAMPLES:
        earshot eq use bass-boost
      """)

  @Argument(help: "What to change to.")
  var change: EQArgument?

  @Option(help: .init("Gains of the custom equaliser in dB.", valueName: "dB,dB,…"))
  var bands: BandsArgument?

  @ParentCommand var parent: EQCommand
  @OptionGroup var common: CommonOptions

  var hasStep: Bool { change?.isStep == true }

  func validate() throws {
    if change != nil, bands != nil {
      throw ValidationError("Give a preset or --bands, not both.")
    }
  }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    try await withHeadphone(in: context, isReading: change == nil && bands == nil) {
      headphone throws(CommandError) in
      try headphone.require({ !$0.eqPresets.isEmpty }, "equaliser")
      if let bands { return try await headphone.perform(.setCustomEQ(bands.gains)) }
      switch change?.resolved(in: context) {
      case .preset(let preset): try await headphone.perform(.setEQ(preset))
      case .next:
        try await headphone.until { $0.eq.confirmed != nil }
        try await headphone.press(.nextEQ)
      case nil: break
      }
    } report: { headphone, _ in
      EQReport(headphone)
    }
  }

  @MainActor
  func resolveStep(in context: CommandContext) async throws(CommandError) -> String? {
    guard hasStep else { return nil }
    let target = target(in: context)
    var command: HeadphoneCommand?
    try await linked(target, selector(in: context)) { () throws(CommandError) in
      try target.require({ !$0.eqPresets.isEmpty }, "equaliser")
      try await target.until { $0.eq.confirmed != nil }
      command = try await target.resolve(.nextEQ)
    }
    guard case .setEQ(let preset)? = command else { return nil }
    return preset.name
  }
}
