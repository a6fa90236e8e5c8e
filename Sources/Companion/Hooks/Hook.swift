/// An event on which the owner of the link runs a command of the user's: a line of `[hooks]`.
public enum Hook: String, Hashable, Sendable, CaseIterable {
  /// The controls of a headphone are connected.
  case connected
  /// The controls of a headphone are disconnected, whatever the reason.
  case disconnected
  /// A bud was put into an ear, or the headphone on the head.
  case worn
  /// Both buds were taken out.
  case takenOff = "taken-off"
  /// A gesture on a bud was reported.
  case touch
  /// The wearer began to speak.
  case speaking
  /// The wearer no longer speaks.
  case silent
  /// A battery is low or critical; once per discharge for each.
  case lowBattery = "low-battery"
}

/// The command of a hook.
public enum HookCommand: Hashable, Sendable {
  /// A line for `sh -c`, with pipes, variables and quotes.
  case shell(String)
  /// A program and its arguments, run without a shell.
  case program([String])

  /// The program and its arguments.
  public var arguments: [String] {
    switch self {
    case .shell(let line): ["/bin/sh", "-c", line]
    case .program(let words): words
    }
  }
}

/// What a desktop notification is shown for: table `[notifications]`.
public struct NotificationRules: Hashable, Sendable {
  /// A battery is low or critical.
  public var lowBattery = true
  /// The controls of a headphone are connected.
  public var connected = false
  /// The controls of a headphone are disconnected.
  public var disconnected = false

  public init() {}
}

/// A run of a hook's command, as data.
public struct HookRun: Hashable, Sendable {
  public var hook: Hook
  public var command: HookCommand
  public var headphone: HeadphoneID
  /// The variables that are added to the environment of the command: `EARSHOT_…`.
  public var variables: [String: String]

  public init(
    _ hook: Hook, _ command: HookCommand, headphone: HeadphoneID, variables: [String: String]
  ) {
    self.hook = hook
    self.command = command
    self.headphone = headphone
    self.variables = variables
  }
}
