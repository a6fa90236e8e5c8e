public import CompanionRuntime

/// The handler of clients' command lines in an owner.
///
/// The program implements it with its argument parser. Calls come from clients of the same user,
/// but their arguments are untrusted.
public protocol RequestHandler: Sendable {
  /// Runs a client's command in this process, or resolves its step.
  ///
  /// - Returns: The exit status, or nil for an endless command, which the client continues
  ///   elsewhere when this process exits.
  @MainActor func run(_ client: ClientRequest) async -> ExitStatus?

  /// Returns whether a client's command runs until it is interrupted, and so moves to the next
  /// owner.
  @MainActor func isEndless(_ request: Request) -> Bool

  /// Returns the options of another screen.
  ///
  /// - Throws: The reason why no screen can be drawn with them.
  @MainActor
  func screenOptions(of request: Request) async throws(Request.Refusal) -> ScreenClientOptions
}
