import Companion
import CompanionRuntime
import Sharing

/// The context of a command: the app that owns the link, and the console of its user.
///
/// The app is the same whether it runs for this command only, or other processes share it.
///
/// ```swift
/// func run(in context: CommandContext) async throws(CommandError) {
///   let target = target(in: context)
///   try await target.run(selector(in: context)) { () throws(CommandError) in … }
///   context.console.data(AnswerReport("done", "yes"), asJSON: options.json)
/// }
/// ```
///
/// Nothing of it is looked up globally: a command that runs in an owner writes to its client's
/// terminal.
@MainActor
struct CommandContext {
  let store: Store
  let effects: LiveEffectHandler
  /// The client that sent the command; nil: it was typed for this process.
  let client: ClientRequest?
  /// The headphone of a command that names none.
  var fallback = CommandTarget.Fallback.selected
  /// The selector of the configuration, for a command that has none; nil: there is none either.
  var selector: String?
  /// The absolute value that a step such as `next` was resolved to; nil: none was.
  var step: String?

  /// Receives the command's output, and answers its questions.
  var console: any Console { client ?? StandardConsole.shared }

  /// Resolves a path on the command line against the working directory of its user.
  ///
  /// - Parameter named: A path as typed; relative ones are relative to the client's folder.
  func path(_ named: String) -> String { client?.request.path(named) ?? named }
}
