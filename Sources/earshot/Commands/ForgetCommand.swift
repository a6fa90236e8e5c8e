import ArgumentParser
import Companion
import CompanionRuntime

struct ForgetCommand: ReportingCommand {
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

  @MainActor
  func run() async throws {
    try await wired { wiring throws(CommandError) in
      let known = wiring.world.known
      let peer = try known.address(matching: id)
      let isCertain = yes || !Terminal.isThere
      guard
        isCertain ? true : await Terminal.ask("forget \(id) and its keys? [y/N] ", orElse: "--yes")
      else { throw .unavailable("nothing is forgotten") }
      let forgotten = try known.forget(matching: id)
      if let peer, let rest = await wiring.world.unpair(peer) { Output.message(rest) }
      Output.data(AnswerReport("forgotten", forgotten.id.rawValue), asJSON: options.json)
    }
  }
}
