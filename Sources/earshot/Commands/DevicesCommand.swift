import ArgumentParser
import CompanionRuntime
import Persistence

struct DevicesCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List known headphones.",
    discussion: """
      Needs no radio; the one used last comes first.

      EXAMPLES:
        earshot devices
        earshot devices --json
      """)

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @MainActor
  func run() async throws {
    try await wired { wiring throws(CommandError) in
      do throws(FileError) {
        let report = HeadphonesReport(known: try wiring.world.known.all())
        if options.json || !report.text.isEmpty { Output.data(report, asJSON: options.json) }
      } catch {
        throw .file(error)
      }
    }
  }
}
