import ArgumentParser
import Companion
import CompanionRuntime
import Headphones

struct ANCCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "anc",
    abstract: "Tell or change noise control.",
    discussion: """
      Returns when the headphone has confirmed the change.

      EXAMPLES:
        earshot anc
        earshot anc noise-cancelling
        earshot anc next
        earshot anc toggle        (transparency and back)
      """)

  @Argument(help: "What to change to.")
  var change: ANCArgument?

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @MainActor
  func run() async throws {
    try await withHeadphone { headphone throws(CommandError) in
      try headphone.require({ !$0.ancModes.isEmpty }, "noise control")
      try await headphone.until { $0.anc.confirmed != nil }
      if let change { try await headphone.press(change.command) }
    } report: { headphone, _ in
      ANCReport(headphone)
    }
  }
}

struct EQCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "eq",
    abstract: "Tell or change the equaliser.",
    discussion: """
      Bands are given from low to high in dB, in steps of 0.5, -12 to 12.

      EXAMPLES:
        earshot eq
        earshot eq bass-boost
        earshot eq next
        earshot eq --bands 3,2,0,-0.5,1
      """)

  @Argument(help: "What to change to.")
  var change: EQArgument?

  @Option(help: .init("Gains of the custom equaliser in dB.", valueName: "dB,dB,…"))
  var bands: BandsArgument?

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if change != nil, bands != nil {
      throw ValidationError("Give a preset or --bands, not both.")
    }
  }

  @MainActor
  func run() async throws {
    try await withHeadphone { headphone throws(CommandError) in
      try headphone.require({ !$0.eqPresets.isEmpty }, "equaliser")
      if let bands { return try await headphone.perform(.setCustomEQ(bands.gains)) }
      switch change {
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
}

struct FindCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Let buds sound loudly to find them.",
    discussion: """
      The headphone refuses for a bud that is in an ear. It sounds until `find stop`.

      EXAMPLES:
        earshot find
        earshot find left
        earshot find stop
      """)

  @Argument(help: "Which buds.")
  var buds = FindArgument.both

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @MainActor
  func run() async throws {
    try await withHeadphone { headphone throws(CommandError) in
      try await headphone.perform(buds.command)
    } report: { headphone, _ in
      AnswerReport("find", buds.rawValue)
    }
  }
}
