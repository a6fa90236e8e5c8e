import Companion
import CompanionRuntime
import Sharing

/// The context of a command: the app that owns the link, and the console of its user.
///
/// Commands look up nothing globally: one that runs in an owner writes to its client's terminal.
@MainActor
struct CommandContext {
  let store: Store
  let effects: LiveEffectHandler
  /// The client that sent the command, or nil if it was started as this process.
  let client: ClientRequest?
  /// The headphone of a command without a selector.
  var fallback = CommandTarget.Fallback.selected
  var selector: String?
  /// The absolute value to which a step such as `next` was resolved, if any.
  var step: String?

  var console: any Console { client ?? StandardConsole.shared }

  /// Resolves a path against the working directory of the command's user.
  func path(_ named: String) -> String { client?.request.path(named) ?? named }
}
