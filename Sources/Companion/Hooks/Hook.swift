/// An event for which the owner of the link runs a command of `[hooks]`.
public enum Hook: String, Hashable, Sendable, CaseIterable {
  case connected
  case disconnected
  /// A bud was put into an ear, or the headphone was put on.
  case worn
  /// Both buds were taken out.
  case takenOff = "taken-off"
  case touch
  case speaking
  case silent
  /// A battery is low or critical, reported once each per discharge.
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

/// The events with a desktop notification, from the table `[notifications]`.
public struct NotificationRules: Hashable, Sendable {
  /// Whether a low or critical battery is notified.
  public var lowBattery = true
  /// Whether connected controls are notified.
  public var connected = false
  /// Whether disconnected controls are notified.
  public var disconnected = false

  public init() {}
}

/// A run of a hook's command.
public struct HookRun: Hashable, Sendable {
  public var hook: Hook
  public var command: HookCommand
  public var headphone: HeadphoneID
  /// The variables `EARSHOT_…` that are added to the command's environment.
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
