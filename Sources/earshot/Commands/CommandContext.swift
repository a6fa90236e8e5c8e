import Companion
import CompanionRuntime
import Sharing

/// The context of a command: the app that owns the link, and the console of its user.
@MainActor
struct CommandContext {
  let store: Store
  let effects: LiveEffectHandler
  let client: ClientRequest?
  var fallback = CommandTarget.Fallback.selected
  var selector: String?
  var step: String?

  var console: any Console { client ?? StandardConsole.shared }

  func path(_ named: String) -> String { client?.request.path(named) ?? named }
}
