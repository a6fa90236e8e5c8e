import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols

struct SettingCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "setting",
    abstract: "List, show or change the headphone's settings.",
    discussion: """
      Which settings there are depends on the headphone. A change returns when the headphone has
      confirmed it.

      EXAMPLES:
        earshot setting
        earshot setting wear-detection
        earshot setting wear-detection off
        earshot setting noise-mode transparency
      """)

  @Argument(help: "The setting's name.", completion: .list(SettingID.known.map(\.rawValue)))
  var name: String?

  @Argument(help: "What it is to be.")
  var value: String?

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    try await withHeadphone(in: context, isReading: value == nil) {
      headphone throws(CommandError) in
      if headphone.headphone?.capabilities?.hasTouchActions == true,
        name?.hasPrefix("touch-") != false
      {
        try await headphone.perform(.readTouchActions)
      }
      guard let name else { return }
      if let value { return try await headphone.set(name, to: value) }
      try headphone.require(
        { $0.declaration(of: SettingID(rawValue: name)) != nil }, "setting \"\(name)\"")
    } report: { headphone, _ in
      SettingsReport(headphone, only: name)
    }
  }
}
