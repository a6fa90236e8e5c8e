import ArgumentParser
import Companion
import CompanionRuntime

/// The command `earshot fit`.
///
/// Exit status: 1 no such feature, 5 no result in time.
struct FitCommand: ConnectedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["fit-test"]

  static let configuration = CommandConfiguration(
    commandName: "fit",
    abstract: "Test how well the ear tips seal.",
    discussion: """
      Wear both buds in a quiet place: they play a sound for some seconds, and report a result for \
      each ear. Earbuds that have such a test are listed in docs/headphones.md.

      EXAMPLES:
        earshot fit
        earshot fit --device ear
      """)

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report(
    of headphone: CommandTarget, in context: CommandContext
  ) async throws(CommandError) -> (any Report)? { try await headphone.testFit() }
}
