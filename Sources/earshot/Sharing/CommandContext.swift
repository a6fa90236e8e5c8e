import Companion
import CompanionRuntime

/// What a command works with: the program that has the link, and who asked for the command.
///
/// The program is the same whether it runs for this command only, or other processes share it.
@MainActor
struct CommandContext {
  let store: Store
  let effects: LiveEffectHandler
  /// The headphone of a command that names none.
  var fallback = CommandTarget.Fallback.selected
  /// The selector of the configuration, for a command that has none; nil: there is none either.
  var selector: String?
  /// The value that a step in the command line, such as `next`, was resolved to; nil: none was.
  var step: String?
}
