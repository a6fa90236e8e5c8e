import ArgumentParser
import Companion
import CompanionRuntime
import Persistence

struct ForgetCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Forget a headphone of earlier runs, and its keys.",
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

  var repetition: CommandRetryState.Repetition { .unknown }
  var needsLink: Bool { false }

  @MainActor
  func run() async throws {
    try await share { client throws(CommandError) in
      let forgotten = try await headphone(of: client).forget(id, isCertain: isCertain)
      Output.data(AnswerReport("forgotten", forgotten.rawValue), asJSON: options.json)
    } alone: { wiring throws(CommandError) in
      let known = wiring.world.known
      let peers = try known.addresses(matching: id)
      guard await isCertain() else { throw .unavailable("nothing is forgotten") }
      let forgotten = try known.forget(matching: id)
      for peer in peers {
        if let rest = await wiring.world.unpair(peer) { Output.message(rest) }
      }
      Output.data(AnswerReport("forgotten", forgotten.id.rawValue), asJSON: options.json)
    }
  }

  private func isCertain() async -> Bool {
    guard !yes, Terminal.isThere else { return true }
    return await Terminal.ask("forget \(id) and its keys? [y/N] ", orElse: "--yes")
  }
}
