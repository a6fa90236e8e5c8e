import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols
import Sharing

struct RenameCommand: ConnectedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["name"]

  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Rename the headphone.",
    discussion: """
      The name is kept in the headphone, so that other devices see it, too.

      EXAMPLES:
        earshot rename "Kitchen Buds"
        earshot rename Kitchen --device aurora
      """)

  @Argument(help: "The new name: up to 32 characters, fewer with accents.")
  var name: String

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func validate() throws {
    guard (1...32).contains(name.trimmed.utf8.count), displayable(name) == name else {
      throw ValidationError(
        "the headphone cannot take this name\nit takes up to 32 characters, fewer with accents")
    }
  }

  @MainActor
  func report(
    of headphone: CommandTarget, in context: CommandContext
  ) async throws(CommandError) -> (any Report)? {
    try headphone.require(.rename)
    try await headphone.perform(.rename(name.trimmed))
    return ValueReport(.renaming, name.trimmed)
  }
}

/// The command `earshot reset`, which is not retried if its owner exits.
///
/// Deletes the headphone's settings and all its pairings, including those of other devices. Without
/// a terminal it needs `--yes`.
struct ResetCommand: ConnectedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["factory-reset"]

  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Reset the headphone to its factory state.",
    discussion: """
      Deletes its settings and all its pairings, also those with other devices. Asks first. \
      `earshot setting save FILE` keeps the settings, and `earshot setting restore FILE` sets them \
      again.

      EXAMPLES:
        earshot reset --device aurora
        earshot reset --device aurora --yes
      """)

  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var isRepeatable: Bool { false }

  @MainActor
  func report(
    of headphone: CommandTarget, in context: CommandContext
  ) async throws(CommandError) -> (any Report)? {
    let name = displayable(headphone.headphone?.name ?? "")
    try await headphone.reset {
      if yes { return true }
      return await context.console.ask(
        "delete all settings and pairings of \(name)? [y/N] ", orElse: "--yes")
    }
    return ValueReport(.reset, name)
  }
}
