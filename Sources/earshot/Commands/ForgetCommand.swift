import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols
import Persistence
import Sharing

/// The command `earshot forget`.
///
/// Disconnects the headphone and deletes everything saved about it, and its keys here, in the
/// kernel and in bluetoothd. Without a terminal it needs `--yes`. The command is not retried if its
/// owner exits.
struct ForgetCommand: ReportCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["unpair", "remove", "delete"]

  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Forget a known headphone and delete its pairing keys.",
    discussion: """
      It is no longer connected automatically, and its pairing keys are deleted, bluetoothd's as \
      well. It asks first; in a script it needs --yes.

      EXAMPLES:
        earshot forget f0f1
        earshot forget f0f1 --yes
        earshot forget --all
      """)

  @Argument(
    help: .init(ArgumentHelp.namedHeadphone.abstract, valueName: "headphone"),
    completion: .headphones)
  var headphone: String?

  @Flag(help: "Every known headphone.")
  var all = false

  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var isRepeatable: Bool { false }
  var needsLink: Bool { false }
  private var named: String? { headphone ?? (all ? nil : options.device) }

  func validate() throws {
    guard (named == nil) == all else {
      throw ValidationError(
        all
          ? "--all forgets every headphone\nname none with it"
          : "forget needs <headphone>\nfor example: earshot forget f0f1")
    }
  }

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    if let named {
      let console = context.console
      let (headphone, kept) = try await target(in: context).forget(named) { name in
        await self.isCertain(name, on: console)
      }
      try check(kept.map { (headphone.name, $0) }, on: console)
      return ForgetReport([(headphone.id, headphone.name)])
    }
    let known = try await target(in: context).known()
    let names = known.map { displayable($0.name) }
    guard !known.isEmpty else { throw .notKnown(selector: nil) }
    guard await isCertain(names.joined(separator: ", "), on: context.console) else {
      throw .unavailable("nothing is forgotten")
    }
    var kept: [(String, KeptKeys)] = []
    for headphone in known {
      let forgotten = try await target(in: context).forget(headphone.id.rawValue) { _ in true }
      kept += forgotten.kept.map { (headphone.name, $0) }
    }
    try check(kept, on: context.console)
    return ForgetReport(known.map { ($0.id, $0.name) })
  }

  /// Throws an error for the last headphone whose keys remain; reports the others on stderr.
  private func check(
    _ kept: [(name: String, keys: KeptKeys)], on console: any Console
  ) throws(CommandError) {
    guard let last = kept.last else { return }
    for (name, keys) in kept.dropLast() {
      console.message(CommandError.keysKept(keys, name: name).message)
    }
    throw .keysKept(last.keys, name: last.name)
  }

  private func isCertain(_ name: String, on console: any Console) async -> Bool {
    if yes { return true }
    return await console.ask("Forget \(displayable(name)), with all keys? [y/N] ", orElse: "--yes")
  }
}
