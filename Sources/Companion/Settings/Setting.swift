public import HeadphoneProtocols

/// A value that is kept on the headphone and can be changed.
///
/// Only what the headphone confirmed is true. A change is shown as pending until the headphone
/// confirms it, and what falls back on failure is ``confirmed``. While one change is on the air,
/// further wishes are folded into one: the last one always arrives.
///
/// ```swift
/// var anc = Setting<ANCMode>(.off)
/// if anc.want(.noiseCancelling, token: token) { send(.setANC(.noiseCancelling), token) }
/// anc.shown                                 // .noiseCancelling, drawn as pending
/// anc.ended(token, succeeded: false)
/// anc.shown                                 // .off: what the headphone last confirmed
/// ```
public struct Setting<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value that the headphone reported last; nil: unknown.
  public private(set) var confirmed: Value?
  private var change: Change?

  private struct Change: Hashable, Sendable {
    var wanted: Value
    /// Nil: it waits for something else to end.
    var flight: Flight?
  }

  /// A command that is on the air.
  private struct Flight: Hashable, Sendable {
    var sent: Value
    var token: CommandToken
    /// The headphone reported another value since it was sent.
    var receivedOther = false
  }

  public init(_ confirmed: Value? = nil) { self.confirmed = confirmed }

  /// The value that was asked for and is not confirmed yet.
  public var pending: Value? { change?.wanted }

  /// The value to show: the pending one, else the confirmed one.
  public var shown: Value? { pending ?? confirmed }

  /// A command for it is on the air.
  public var isOnAir: Bool { change?.flight != nil }

  /// A value waits to be sent.
  public var isWaiting: Bool { change.map { $0.flight?.sent != $0.wanted } ?? false }

  /// Wants a value.
  ///
  /// - Returns: whether it is to be sent now, under `token`; else an earlier change is on the air,
  ///   and ``ended(_:succeeded:next:)`` says when to send.
  public mutating func want(_ value: Value, token: CommandToken) -> Bool {
    let isFirst = change == nil
    wait(with: value)
    return isFirst && send(under: token) != nil
  }

  /// Wants a value that is not sent before ``send(under:)``.
  public mutating func wait(with value: Value) {
    if change == nil {
      change = Change(wanted: value)
    } else {
      change?.wanted = value
    }
  }

  /// Wants no more than what is on the air.
  public mutating func dropWaiting() {
    guard let flight = change?.flight else { return change = nil }
    change?.wanted = flight.sent
  }

  /// Sends what waits.
  ///
  /// - Returns: the value; nil: nothing waits, or an earlier one is on the air.
  public mutating func send(under token: CommandToken) -> Value? {
    guard let change, change.flight == nil else { return nil }
    self.change?.flight = Flight(sent: change.wanted, token: token)
    return change.wanted
  }

  /// The headphone reported its value.
  public mutating func received(_ value: Value) {
    confirmed = value
    guard let change, let flight = change.flight else { return }
    if flight.sent != value {
      self.change?.flight?.receivedOther = true
    } else if change.wanted == value {
      self.change = nil
    }
  }

  /// A change has ended; what is wanted since then waits.
  ///
  /// - Returns: whether it was the one on the air.
  @discardableResult
  public mutating func ended(_ token: CommandToken, succeeded: Bool) -> Bool {
    guard let change, let flight = change.flight, flight.token == token else { return false }
    self.change = nil
    // The headphone has confirmed what was sent, unless it has reported something newer since.
    if succeeded, !flight.receivedOther { confirmed = flight.sent }
    if change.wanted != flight.sent { self.change = Change(wanted: change.wanted) }
    return true
  }

  /// A change has ended.
  ///
  /// - Returns: the value to send next, under `next`, if another one is wanted by now.
  public mutating func ended(
    _ token: CommandToken, succeeded: Bool, next: CommandToken
  ) -> Value? {
    ended(token, succeeded: succeeded) ? send(under: next) : nil
  }

  /// Gives up what is pending: the link is gone.
  public mutating func giveUp() { change = nil }

  /// The same setting with its values in another form, without those that have none; what is on the
  /// air stays on the air.
  public func map<Other>(_ transform: (Value) -> Other?) -> Setting<Other> {
    var other = Setting<Other>(confirmed.flatMap(transform))
    other.change = change.flatMap { change in
      transform(change.wanted).map { wanted in
        .init(
          wanted: wanted,
          flight: change.flight.flatMap { flight in
            transform(flight.sent).map {
              .init(sent: $0, token: flight.token, receivedOther: flight.receivedOther)
            }
          })
      }
    }
    return other
  }

  /// This setting together with another one.
  public func combined<Other, Both>(
    with other: Setting<Other>, _ combine: (Value, Other?) -> Both
  ) -> Setting<Both> {
    var both = Setting<Both>(confirmed.map { combine($0, other.confirmed) })
    if pending != nil || other.pending != nil {
      both.change = shown.map { .init(wanted: combine($0, other.shown)) }
    }
    return both
  }
}

/// Tells one command from an equal later one.
public struct CommandToken: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

extension Part {
  /// "left", "right", "case".
  public var name: String {
    switch self {
    case .left: "left"
    case .right: "right"
    case .case: "case"
    }
  }
}

extension TouchGesture {
  /// The gesture in words: "double tap".
  public var title: String {
    switch self {
    case .tap: "tap"
    case .doubleTap: "double tap"
    case .tripleTap: "triple tap"
    case .hold: "hold"
    }
  }
}

extension TouchAction {
  /// The action in words: "Play or pause".
  public var title: String {
    switch self {
    case .none: "Nothing"
    case .playPause: "Play or pause"
    case .next: "Next track"
    case .previous: "Previous track"
    case .cycleANC: "Next noise control mode"
    case .assistant: "Assistant"
    case .volumeUp: "Volume up"
    case .volumeDown: "Volume down"
    }
  }
}

extension PairedDevice {
  /// What the headphone reports of it, for example "playing, this computer".
  public var stateText: String {
    [
      isPlaying == true ? "playing" : isConnected ? "connected" : "not connected",
      isPreferred == true ? "preferred" : nil, isThisComputer == true ? "this computer" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }
}
