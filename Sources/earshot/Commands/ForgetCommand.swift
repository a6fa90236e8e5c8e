import ArgumentParser
import Companion
import CompanionRuntime
import Persistence

struct ForgetCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Forget a known headphone and delete its pairing keys.",
    discussion: """
      This machine no longer connects to it by itself; its keys and what was learnt about it are \
      lost. In a terminal it asks first.

      EXAMPLES:
        earshot forget f0f1
        earshot forget f0f1 --yes
      """)

  @Argument(help: "The beginning of its identity, address or name.")
  var id: String

  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  var isRepeatable: Bool { false }
  var needsLink: Bool { false }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    let forgotten = try await target(in: context).forget(id, isCertain: isCertain)
    forgotten.rest.forEach(Output.message)
    Output.data(AnswerReport("forgotten", forgotten.id.rawValue), asJSON: options.json)
  }

  private func isCertain() async -> Bool {
    guard !yes, Terminal.isThere else { return true }
    return await Terminal.ask("forget \(id) and its keys? [y/N] ", orElse: "--yes")
  }
}
