import ArgumentParser
import Bluetooth
import Companion
import CompanionRuntime
import GATT
import Sharing

struct ScanCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "List the headphones nearby.",
    discussion: """
      Lists each headphone as soon as it is heard, for 20 s or --timeout. One that another earshot
      is linked with does not advertise, and is listed all the same.

      EXAMPLES:
        earshot scan
        earshot scan --timeout 5 --json
      """)

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  var lifetime: CommandLifetime { .stream }
  var needsLink: Bool { false }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    var shown: [HeadphoneID: String] = [:]
    let received = try await listen(
      with: context.store, context.effects, for: options.timeoutDuration
    ) { headphone in
      // Once a headphone's name is known its line is written again.
      guard !options.json, shown[headphone.id] != headphone.name else { return }
      shown[headphone.id] = headphone.name
      context.console.data(HeadphonesReport.line(headphone))
    }
    if options.json { context.console.data("\(HeadphonesReport(received).json)") }
  }
}
