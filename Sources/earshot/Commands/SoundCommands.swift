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
