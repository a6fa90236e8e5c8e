public import CompanionRuntime

/// What an owner does with the command lines of its clients.
///
/// The program implements it with its argument parser; this target knows no command.
public protocol RequestHandler: Sendable {
  /// Runs a client's command in this process, or resolves the step in it.
  ///
  /// - Returns: its exit status; nil: it has no end of its own, and the client continues it
  ///   elsewhere when this process exits.
  @MainActor func run(_ client: ClientRequest) async -> ExitStatus?

  /// Reads the options with which a further screen was started.
  ///
  /// - Throws: why no screen can be drawn with them.
  func screenOptions(of request: Request) throws(Request.Refusal) -> ScreenClientOptions
}
