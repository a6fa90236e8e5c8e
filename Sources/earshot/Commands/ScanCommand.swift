import ArgumentParser
import Bluetooth
import Companion
import CompanionRuntime
import GATT

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

  var course: CommandLifetime { .stream }
  var needsLink: Bool { false }

  @MainActor
  func run() async throws {
    try await share { client throws(CommandError) in
      try await show { received throws(CommandError) in
        try await listen(
          with: client.store, client.effects, for: options.timeLimit, received: received)
      }
    } alone: { wiring throws(CommandError) in
      try await show { received throws(CommandError) in
        try await listen(in: wiring.world, for: options.timeLimit, received: received)
      }
    }
  }

  @MainActor
  private func show(
    _ listening:
      @MainActor (@MainActor (HeadphoneState) -> Void) async throws(CommandError)
      -> HeadphoneList
  ) async throws(CommandError) {
    let isJSON = options.json
    var shown: [HeadphoneID: String] = [:]
    let received = try await listening { headphone in
      // A headphone without a name yet is worth a second line once it has one.
      guard !isJSON, shown[headphone.id] != headphone.name else { return }
      shown[headphone.id] = headphone.name
      Output.data(HeadphonesReport.line(headphone))
    }
    if isJSON { Output.data("\(HeadphonesReport(received).json)") }
  }
}
