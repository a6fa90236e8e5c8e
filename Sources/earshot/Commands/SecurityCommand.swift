import ArgumentParser
import Companion
import CompanionRuntime
import Sharing

/// The command `earshot security`.
///
/// A headphone that cannot be reached is reported with what is known of it, and the computer is
/// checked without any. Exit status: 1 if there is something to act on; for a named headphone that
/// is not reached, that of the failed link: 5, or 3 or 4 without an adapter or headphone.
struct SecurityCommand: SharedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["audit", "vulnerabilities"]

  static let configuration = CommandConfiguration(
    commandName: "security",
    abstract: "Check the security of headphone, link and computer.",
    discussion: """
      It only looks: nothing is changed, no attack is tried and nothing is sent to the internet. \
      Each line is ok, maybe, act or not known, with what to do, since when the flaw is known, and \
      who says so. Ends with 1 if a line says act.

      EXAMPLES:
        earshot security
        earshot security aurora
        earshot security --json | jq '.findings[] | select(.verdict == "act")'
      """)

  @Argument(help: .headphone, completion: .headphones)
  var headphone: String?

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    let target = target(in: context)
    var report: SecurityReport?
    // What a headphone advertises is heard only before it has a link.
    _ = try? await target.scan(for: Self.listening) { _ in }
    do throws(CommandError) {
      try await linked(target, selector(in: context), on: context.console, isReading: true) {
        report = SecurityReport(await target.examineSecurity())
      }
    } catch {
      let report = SecurityReport(await target.examineSecurity())
      context.console.data(report, asJSON: options.json)
      guard headphone == nil, options.device == nil else { throw error }
      context.console.message("\(FailureReport(error).what): only what is known without it")
      return try end(report)
    }
    guard let report else { return }
    context.console.data(report, asJSON: options.json)
    try end(report)
  }

  /// The time of a scan: twice the longest usual advertising interval (1.28 s), rounded up.
  private static let listening: Duration = .seconds(3)

  /// Ends with exit status 1 if there is something to act on.
  private func end(_ report: SecurityReport) throws(CommandError) {
    guard report.actions > 0 else { return }
    throw .unavailable(
      "\(report.actions) to act on\nthe lines that say act are followed by what to do")
  }
}
