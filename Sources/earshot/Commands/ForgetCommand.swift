import ArgumentParser
import Companion
import CompanionRuntime

struct ForgetCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Forget a headphone of earlier runs.",
    discussion: """
      This machine no longer connects to it by itself; what it learnt about it is lost.

      EXAMPLES:
        earshot forget f0f1
      """)

  @Argument(help: "The beginning of its identity, address or name.")
  var id: String

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @MainActor
  func run() async throws {
    try await wired { wiring throws(CommandError) in
      let forgotten = try wiring.world.known.forget(matching: id)
      Output.data(AnswerReport("forgotten", forgotten.id.rawValue), asJSON: options.json)
    }
  }
}
