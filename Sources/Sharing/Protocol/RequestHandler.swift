package import CompanionRuntime

/// The handler of clients' command lines in an owner, whose arguments are untrusted.
package protocol RequestHandler: Sendable {
  /// Parses a client's command line, without any effect.
  @MainActor func prepare(_ request: Request) async -> PreparedCommand

  /// Returns the options of another screen, or throws why it cannot be drawn.
  @MainActor
  func screenOptions(of request: Request) async throws(Request.Refusal) -> ScreenClientOptions
}

package struct PreparedCommand: Sendable {
  package var traits: CommandTraits
  /// Whether an owner may run the command before the client has parsed it.
  package var canBeHandedOver: Bool
  /// Runs the command in this process, or resolves its step; says why if an owner cannot run it.
  ///
  /// The closure returns the exit status, or nil for an endless command, which the client continues
  /// elsewhere when this process exits.
  package var run: @MainActor @Sendable (ClientRequest) async -> ExitStatus?

  package init(
    _ traits: CommandTraits = CommandTraits(), canBeHandedOver: Bool,
    run: @escaping @MainActor @Sendable (ClientRequest) async -> ExitStatus?
  ) {
    self.traits = traits
    self.canBeHandedOver = canBeHandedOver
    self.run = run
  }
}
