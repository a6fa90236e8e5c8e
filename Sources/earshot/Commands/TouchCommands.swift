import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols

struct WearDetectionCommand: ConnectedCommand {
  static let configuration = CommandConfiguration(
    commandName: "wear-detection",
    abstract: "Show or set wear detection.",
    discussion: """
      EXAMPLES:
        earshot wear-detection
        earshot wear-detection on
        earshot wear-detection off
      """)

  @Argument(help: "on, off or toggle.")
  var setting: ToggleArgument?

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var isReading: Bool { setting == nil }
  var hasStep: Bool { setting?.isStep == true }

  @MainActor
  func report(
    of headphone: CommandTarget, in context: CommandContext
  ) async throws(CommandError) -> (any Report)? {
    try headphone.require(.toggleWearDetection)
    guard let setting = setting?.resolved(in: context) else {
      return ValueReport(.wearDetection, detectsWearing(headphone).map(OnOff.init))
    }
    let isOn = setting == .toggle ? detectsWearing(headphone) != true : setting == .on
    try await headphone.perform(.set(.wearDetection, .toggle(isOn)))
    return ValueReport(.wearDetection, OnOff(isOn))
  }

  @MainActor
  func resolveStep(of headphone: CommandTarget) async throws(CommandError) -> String? {
    try headphone.require(.toggleWearDetection)
    return (detectsWearing(headphone) == true ? ToggleArgument.off : .on).rawValue
  }

  @MainActor
  private func detectsWearing(_ headphone: CommandTarget) -> Bool? {
    guard case .toggle(let isOn)? = headphone.headphone?.setting(.wearDetection).confirmed else {
      return nil
    }
    return isOn
  }
}

/// The command `earshot touch`, which reads all actions again after a change.
struct TouchCommand: ConnectedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["gestures"]

  static let configuration = CommandConfiguration(
    commandName: "touch",
    abstract: "Show or set touch actions.",
    discussion: """
      Which actions there are depends on the headphone's maker, and some have more gestures: \
      `earshot setting` lists and sets all of them.

      EXAMPLES:
        earshot touch
        earshot touch left
        earshot touch left hold
        earshot touch left hold cycle-anc
        earshot touch right double-tap next
      """)

  @Argument(help: "The bud.")
  var side: SideArgument?

  @Argument(help: "The gesture.")
  var gesture: GestureArgument?

  @Argument(
    help: "What it does from now on.", completion: .list(TouchAction.allCases.map(\.name)))
  var action: String?

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var isReading: Bool { action == nil }

  @MainActor
  func report(
    of headphone: CommandTarget, in context: CommandContext
  ) async throws(CommandError) -> (any Report)? {
    try headphone.require(.touchActions)
    let able = headphone.headphone?.capabilities
    if let side, let gesture {
      guard let setting = able?.gesture(side.side, gesture.gesture) else {
        throw .unavailable(
          "this headphone does not report what \(gesture.name) on the \(side.rawValue) bud does\n"
            + "`earshot touch` lists what it reports")
      }
      if let action { try await headphone.set(setting.id.rawValue, to: action.withHyphen) }
    }
    if able?.hasTouchActions == true { try await headphone.perform(.readTouchActions) }
    return headphone.headphone.map {
      TouchReport($0, side: side?.side, gesture: gesture?.gesture)
    }
  }
}
