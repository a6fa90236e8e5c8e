/// An event for which the owner of the link runs a command of `[hooks]`.
package enum Hook: String, Hashable, Sendable, CaseIterable {
  case connected
  case disconnected
  /// A bud was put into an ear, or the headphone was put on.
  case worn
  case takenOff = "taken-off"
  case touch
  case speaking
  case silent
  /// A battery is low or critical, reported once each per discharge.
  case lowBattery = "low-battery"
}

package enum HookCommand: Hashable, Sendable {
  /// A line for `sh -c`, with pipes, variables and quotes.
  case shell(String)
  /// A program and its arguments, run without a shell.
  case program([String])

  package var arguments: [String] {
    switch self {
    case .shell(let line): ["/bin/sh", "-c", line]
    case .program(let words): words
    }
  }
}

/// The events with a desktop notification, from the table `[notifications]`.
package struct NotificationRules: Hashable, Sendable {
  package var lowBattery = true
  package var connected = false
  package var disconnected = false
  /// The sequence by which screens over ssh show them as well.
  package var terminal = TerminalNotification.off

  package init() {}
}

/// The sequence for notifications, whose support terminals do not report.
package enum TerminalNotification: String, CaseIterable, Hashable, Sendable {
  case off
  /// iTerm2's, also of ghostty, kitty and WezTerm.
  case osc9
  /// rxvt-unicode's, also of foot, ghostty and VTE.
  case osc777
  /// kitty's, also of foot.
  case osc99
}

package struct HookRun: Hashable, Sendable {
  package var hook: Hook
  package var command: HookCommand
  package var headphone: HeadphoneID
  /// The variables `EARSHOT_…` that are added to the command's environment.
  package var variables: [String: String]

  package init(
    _ hook: Hook, _ command: HookCommand, headphone: HeadphoneID, variables: [String: String]
  ) {
    self.hook = hook
    self.command = command
    self.headphone = headphone
    self.variables = variables
  }
}
