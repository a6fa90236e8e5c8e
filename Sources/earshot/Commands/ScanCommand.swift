import ArgumentParser
import BluetoothRadio
import Companion
import CompanionRuntime
import Sharing

/// The command `earshot scan`.
///
/// Prints a headphone as soon as it is found, and again when its name becomes known. With `--json`,
/// prints one object at the end; see ``/CompanionRuntime/HeadphonesReport``.
struct ScanCommand: SharedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["search", "discover", "nearby", "scan on"]

  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "List the headphones nearby.",
    discussion: """
      Lists each headphone as soon as it is found, for 20 s or --timeout. One that another earshot \
      is connected to does not advertise, but is listed as well.

      EXAMPLES:
        earshot scan
        earshot scan 5 --json
      """)

  @Argument(help: "Seconds; as --timeout.", transform: SecondsArgument.parse)
  var seconds: SecondsArgument?

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var lifetime: CommandLifetime { .stream }
  var needsLink: Bool { false }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    var shown: [HeadphoneID: String] = [:]
    var heading = options.json ? nil : HeadphonesReport.heading(context.console.style)
    let received = try await target(in: context).scan(
      for: seconds.map { .seconds($0.seconds) } ?? options.timeoutDuration
    ) { headphone in
      guard !options.json, shown[headphone.id] != headphone.name else { return }
      shown[headphone.id] = headphone.name
      if let text = heading { context.console.data(text) }
      heading = nil
      context.console.data(HeadphonesReport.line(headphone))
    }
    if options.json {
      context.console.data("\(HeadphonesReport(received).json)")
    } else if received.isEmpty {
      context.console.message(
        "no headphones nearby\ntake one out of its case, or put it in pairing mode")
    }
  }
}
