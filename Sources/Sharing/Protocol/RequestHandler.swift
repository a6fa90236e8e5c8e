public import CompanionRuntime

/// The handler of clients' command lines in an owner.
///
/// The program implements it with its argument parser; this target knows no command.
///
/// Every call comes from a client of the same user, whose arguments are otherwise untrusted.
public protocol RequestHandler: Sendable {
  /// Runs a client's command in this process, or resolves the step in it.
  ///
  /// - Returns: its exit status; nil: it has no end of its own, and the client continues it
  ///   elsewhere when this process exits.
  @MainActor func run(_ client: ClientRequest) async -> ExitStatus?

  /// Whether a client's command runs until it is interrupted, and so moves on to the next owner.
  @MainActor func isEndless(_ request: Request) -> Bool

  /// Reads the options with which a further screen was started.
  ///
  /// - Throws: why no screen can be drawn with them.
  func screenOptions(of request: Request) throws(Request.Refusal) -> ScreenClientOptions
}
