import ArgumentParser
import CompanionRuntime
import Persistence
import Sharing

/// The command `earshot devices`, which reads a file and needs neither radio nor owner.
struct DevicesCommand: ReportingCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["list", "ls", "headphones"]

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
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func run() async throws {
    try await withDependencies { parts throws(CommandError) in
      do throws(FileError) {
        let report = HeadphonesReport(known: try parts.dependencies.known.all())
        if options.json || !report.text.isEmpty {
          StandardConsole.shared.data(report, asJSON: options.json)
        } else {
          StandardConsole.shared.message(
            "no headphones yet\nfind some: earshot scan")
        }
      } catch {
        throw .file(error)
      }
    }
  }
}
