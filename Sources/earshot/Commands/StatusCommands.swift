import ArgumentParser
import Companion
import CompanionRuntime

struct StatusCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show a headphone's status.",
    discussion: """
      Of a known headphone that cannot be reached it tells the sound, and ends as the link did.

      EXAMPLES:
        earshot status
        earshot status --device f0f1 --json
        earshot status --json | jq .battery.left
      """)

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    try await withHeadphone(in: context, showsUnlinked: true, isReading: true) {
      headphone throws(CommandError) in
      await headphone.measureLink()
      await headphone.observeAudio()
    } report: { headphone, state in
      StatusReport(headphone, in: state)
    }
  }
}

struct BatteryCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "battery",
    abstract: "Show battery levels.",
    discussion: """
      EXAMPLES:
        earshot battery
        earshot battery --json
      """)

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    try await withHeadphone(in: context, isReading: true) { headphone, _ in BatteryLevels(headphone)
    }
  }
}
