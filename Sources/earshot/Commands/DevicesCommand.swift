import ArgumentParser
import CompanionRuntime
import Persistence
import Sharing

/// The known headphones, the last used first: `earshot devices`.
///
/// Reads a file; needs neither radio nor owner. Prints one a line: identity, "--", name. Exit
/// status 0, or 1 if the file cannot be read.
///
/// ```
/// $ earshot devices
/// 00005e005301        --  Aurora Buds
/// $ earshot devices --json
/// {"schema":1,"headphones":[{"id":"00005e005301","name":"Aurora Buds",
///  "address":"C0:DE:5E:00:53:01","addressType":"random","publicAddress":"00:00:5E:00:53:01",
///  "rssi":null,"battery":{"left":null,"right":null,"case":null,"charging":[]},
///  "lastUsed":1795371470}]}
/// ```
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
