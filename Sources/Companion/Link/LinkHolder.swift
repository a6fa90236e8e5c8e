/// Who wants a link.
package enum LinkHolder: Hashable, Sendable {
  /// A screen, or the rule for connecting: until somebody disconnects the headphone.
  case program
  /// A command, until it ends.
  case command(UInt64)
}

/// The commands that keep up a link which neither a screen nor the rule for connecting wants.
struct LinkHold: Hashable, Sendable {
  /// Empty: the program wants the link, or nobody does.
  var commands: Set<LinkHolder> = []
  /// Whether one of them wants a link that fails to be connected again.
  var retries = false
  /// Why there was no link before the first of them.
  var before = LinkEnd.idle

  /// Adds those that want another link of the same headphone.
  mutating func join(_ other: LinkHold) {
    commands = commands.isEmpty || other.commands.isEmpty ? [] : commands.union(other.commands)
    retries = retries || other.retries
  }
}

extension HeadphoneState {
  /// Adds a holder of the link.
  mutating func hold(for holder: LinkHolder, retries: Bool) {
    if holder == .program {
      hold = LinkHold()
    } else if !hold.commands.isEmpty || !link.isWanted {
      if hold.commands.isEmpty, case .unwanted(let end) = link { hold.before = end }
      hold.commands.insert(holder)
      hold.retries = hold.retries || retries
    }
    if retries || hold.retries { link.addRetries() }
  }

  /// Removes a command from the holders of the link.
  ///
  /// - Returns: The reason to end the link, or nil if another holder keeps it or there is none.
  mutating func release(_ holder: LinkHolder) -> LinkEnd? {
    guard hold.commands.remove(holder) != nil, hold.commands.isEmpty else { return nil }
    let before = hold.before
    hold = LinkHold()
    return switch (before, link) {
    case (_, .unwanted): nil
    case (.disconnected(.user), _), (.userCancelled, _): before
    case (_, .reconnecting(let retry)): .disconnected(retry.after)
    default: .idle
    }
  }
}
