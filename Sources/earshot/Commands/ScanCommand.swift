import ArgumentParser
import Companion
import CompanionRuntime
import GATT

struct ScanCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "List the headphones nearby.",
    discussion: """
      Lists each headphone as soon as it is heard, for 20 s or --timeout.

      EXAMPLES:
        earshot scan
        earshot scan --timeout 5 --json
      """)

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @MainActor
  func run() async throws {
    try await wired { wiring throws(CommandError) in
      let isJSON = options.json
      var shown: [HeadphoneID: String] = [:]
      let heard = try await listen(in: wiring.world, for: options.patience) { headphone in
        // A headphone without a name yet is worth a second line once it has one.
        guard !isJSON, shown[headphone.id] != headphone.name else { return }
        shown[headphone.id] = headphone.name
        Output.data(HeadphonesReport.line(headphone))
      }
      if isJSON { Output.data("\(HeadphonesReport(heard).json)") }
    }
  }
}
