/// A value that lives on the headphone and that a person can change.
///
/// Only what the headphone confirmed is true. A change is shown as pending until the headphone
/// confirms it, and what falls back on failure is ``confirmed``. While one change is on the air,
/// further wishes are folded into one: the last one always arrives.
public struct Setting<Value: Hashable & Sendable>: Hashable, Sendable {
  /// As the headphone last said; nil: unknown.
  public private(set) var confirmed: Value?
  private var change: Change?

  private struct Change: Hashable, Sendable {
    var wanted: Value
    var sent: Value
    var token: CommandToken
    /// The headphone told another value since `sent` was sent.
    var heardOther = false
  }

  public init(_ confirmed: Value? = nil) { self.confirmed = confirmed }

  /// What was asked for and is not confirmed yet.
  public var pending: Value? { change?.wanted }

  /// What to show: the pending value, else the confirmed one.
  public var shown: Value? { pending ?? confirmed }

  /// Wants a value.
  ///
  /// - Returns: whether it is to be sent now, under `token`; else an earlier change is on the air,
  ///   and ``ended(_:succeeded:next:)`` says when to send.
  public mutating func want(_ value: Value, token: CommandToken) -> Bool {
    guard change == nil else {
      change?.wanted = value
      return false
    }
    change = Change(wanted: value, sent: value, token: token)
    return true
  }

  /// The headphone told its value.
  public mutating func heard(_ value: Value) {
    confirmed = value
    guard let change else { return }
    if change.sent != value {
      self.change?.heardOther = true
    } else if change.wanted == value {
      self.change = nil
    }
  }

  /// A change has ended.
  ///
  /// - Returns: the value to send next, under `next`, if another one is wanted by now.
  public mutating func ended(
    _ token: CommandToken, succeeded: Bool, next: CommandToken
  ) -> Value? {
    guard let change, change.token == token else { return nil }
    self.change = nil
    guard succeeded else { return nil }
    // The headphone has confirmed what was sent, unless it has told something newer since.
    if !change.heardOther { confirmed = change.sent }
    guard change.wanted != change.sent else { return nil }
    self.change = Change(wanted: change.wanted, sent: change.wanted, token: next)
    return change.wanted
  }

  /// Gives up what is pending: the link is gone.
  public mutating func giveUp() { change = nil }
}

/// Tells one command from an equal later one.
public struct CommandToken: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }
}
