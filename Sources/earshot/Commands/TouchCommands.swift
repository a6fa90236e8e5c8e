import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols

struct WearDetectionCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "wear-detection",
    abstract: "Switch wear detection on or off.",
    discussion: """
      EXAMPLES:
        earshot wear-detection on
        earshot wear-detection off
      """)

  @Argument(help: "on or off.")
  var setting: Switch

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    try await withHeadphone(in: context) { headphone throws(CommandError) in
      try await headphone.perform(.set(.wearDetection, .toggle(setting == .on)))
    } report: { _, _ in
      AnswerReport("wearDetection", setting.rawValue)
    }
  }
}

struct TouchCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "touch",
    abstract: "Show or set touch actions.",
    discussion: """
      EXAMPLES:
        earshot touch
        earshot touch left hold cycle-anc
        earshot touch right double-tap next
      """)

  @Argument(help: "The bud.")
  var side: SideArgument?

  @Argument(help: "The gesture.")
  var gesture: GestureArgument?

  @Argument(help: "What it does from now on.")
  var action: TouchActionArgument?

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if side != nil, gesture == nil || action == nil {
      throw ValidationError("A change needs bud, gesture and action.")
    }
  }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    try await withHeadphone(in: context, isReading: action == nil) {
      headphone throws(CommandError) in
      if let side, let gesture, let action {
        try await headphone.perform(.setTouchAction(side.side, gesture.gesture, action.action))
      }
      try await headphone.perform(.readTouchActions)
    } report: { headphone, _ in
      TouchReport(headphone)
    }
  }
}
