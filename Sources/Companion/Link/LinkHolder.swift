package enum LinkHolder: Hashable, Sendable {
  /// A screen, or the rule for connecting: until the headphone is disconnected.
  case program
  case command(UInt64)
}

/// The commands that hold a link which neither a screen nor the rule for connecting wants.
struct LinkHold: Hashable, Sendable {
  /// The commands that want the link, or an empty set if the program wants it or nobody does.
  var commands: Set<LinkHolder> = []
  /// Whether a holder wants a failed link to be reconnected.
  var retries = false
  /// The reason why there was no link before the first of ``commands`` wanted it.
  var before = LinkEnd.idle

  /// Adds the holders of another link to the same headphone.
  mutating func join(_ other: LinkHold) {
    commands = commands.isEmpty || other.commands.isEmpty ? [] : commands.union(other.commands)
    retries = retries || other.retries
  }
}

extension HeadphoneState {
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

  /// Removes a command; returns the reason to end the link, or nil if another holder keeps it.
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
