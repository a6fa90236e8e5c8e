import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols
import Persistence
import Sharing

/// The end of a known headphone: `earshot forget`.
///
/// Disconnects it, deletes its keys here, in the kernel and in bluetoothd, and all that is saved of
/// it. In a terminal it asks first; `--yes` answers. Keys that could not be deleted are named on
/// stderr with the command that does it.
///
/// Prints its identity; JSON: `forgotten`. Exit status 4 if none or several match, 1 if the answer
/// was no. Not repeated if the owner ends meanwhile.
struct ForgetCommand: AnsweringCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["unpair", "remove", "delete"]

  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Forget a known headphone and delete its pairing keys.",
    discussion: """
      It is no longer connected automatically, and its pairing keys are deleted, bluetoothd's as \
      well. In a terminal it asks first.

      EXAMPLES:
        earshot forget f0f1
        earshot forget f0f1 --yes
        earshot forget --all
      """)

  @Argument(
    help: .init(ArgumentHelp.namedHeadphone.abstract, valueName: "headphone"),
    completion: .headphones)
  var id: String?

  @Flag(help: "Every known headphone.")
  var all = false

  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var isRepeatable: Bool { false }
  var needsLink: Bool { false }

  func validate() throws {
    guard (id == nil) == all else {
      throw ValidationError(
        all
          ? "--all forgets every headphone\nname none with it"
          : "forget needs <headphone>\nfor example: earshot forget f0f1")
    }
  }

  @MainActor
  func answer(in context: CommandContext) async throws(CommandError) -> any Report {
    if let id { return try await forget(id, in: context) }
    let known = try await target(in: context).known()
    let names = known.map { displayable($0.name) }
    guard !known.isEmpty else { throw .notKnown(selector: nil) }
    guard await isCertain(names.joined(separator: ", "), on: context.console) else {
      throw .unavailable("nothing is forgotten")
    }
    for headphone in known {
      _ = try await forget(headphone.id.rawValue, in: context, isCertain: true)
    }
    return AnswerReport(
      "forgotten", known.map(\.id.rawValue).joined(separator: " "),
      sentence: "Forgot \(names.joined(separator: ", "))")
  }

  @MainActor
  private func forget(
    _ id: String, in context: CommandContext, isCertain: Bool = false
  ) async throws(CommandError) -> AnswerReport {
    let console = context.console
    let forgotten = try await target(in: context).forget(id) { name in
      if isCertain { true } else { await self.isCertain(name, on: console) }
    }
    forgotten.rest.forEach(context.console.message)
    let (id, name) = (forgotten.headphone.id.rawValue, forgotten.headphone.name)
    return AnswerReport("forgotten", id, sentence: "Forgot \(name)")
  }

  /// Asks in a terminal; without one the command itself is the answer.
  private func isCertain(_ name: String, on console: any Console) async -> Bool {
    guard !yes, console.isInteractive else { return true }
    return await console.ask("Forget \(displayable(name)), with all keys? [y/N] ", orElse: "--yes")
  }
}
