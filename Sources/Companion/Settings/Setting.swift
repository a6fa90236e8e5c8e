package import HeadphoneProtocols

/// A value that is stored on the headphone and can be changed.
///
/// A change is pending until the headphone confirms it, and ``confirmed`` is restored if it fails.
/// While a command is in flight, only the last of further changes is sent.
///
/// ```swift
/// var anc = Setting<ANCMode>(.off)
/// if anc.want(.noiseCancelling, token: token) { send(.setANC(.noiseCancelling), token) }
/// anc.shown                                 // .noiseCancelling, drawn as pending
/// anc.ended(token, succeeded: false)
/// anc.shown                                 // .off: what the headphone last confirmed
/// ```
package struct Setting<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value that the headphone reported last; nil if unknown.
  package private(set) var confirmed: Value?
  private var change: Change?

  private struct Change: Hashable, Sendable {
    var wanted: Value
    var flight: Flight?
  }

  private struct Flight: Hashable, Sendable {
    var sent: Value
    var token: CommandToken
    var receivedOther = false
  }

  package init(_ confirmed: Value? = nil) { self.confirmed = confirmed }

  /// The requested value that is not confirmed yet.
  package var pending: Value? { change?.wanted }

  package var shown: Value? { pending ?? confirmed }

  package var isOnAir: Bool { change?.flight != nil }

  package var isWaiting: Bool { change.map { $0.flight?.sent != $0.wanted } ?? false }

  /// Requests a value; returns whether to send it now, or else ``ended(_:succeeded:next:)`` returns
  /// it.
  package mutating func want(_ value: Value, token: CommandToken) -> Bool {
    let isFirst = change == nil
    wait(with: value)
    return isFirst && send(under: token) != nil
  }

  /// Requests a value that ``send(under:)`` sends later.
  package mutating func wait(with value: Value) {
    if change == nil {
      change = Change(wanted: value)
    } else {
      change?.wanted = value
    }
  }

  package mutating func dropWaiting() {
    guard let flight = change?.flight else { return change = nil }
    change?.wanted = flight.sent
  }

  /// Returns the waiting value to send, or nil if there is none or a command is in flight.
  package mutating func send(under token: CommandToken) -> Value? {
    guard let change, change.flight == nil else { return nil }
    self.change?.flight = Flight(sent: change.wanted, token: token)
    return change.wanted
  }

  package mutating func received(_ value: Value) {
    confirmed = value
    guard let change, let flight = change.flight else { return }
    if flight.sent != value {
      self.change?.flight?.receivedOther = true
    } else if change.wanted == value {
      self.change = nil
    }
  }

  /// Ends the change if `token` is that of the command in flight, and returns whether it is.
  @discardableResult
  package mutating func ended(_ token: CommandToken, succeeded: Bool) -> Bool {
    guard let change, let flight = change.flight, flight.token == token else { return false }
    self.change = nil
    // The headphone may have reported a newer value since.
    if succeeded, !flight.receivedOther { confirmed = flight.sent }
    if change.wanted != flight.sent { self.change = Change(wanted: change.wanted) }
    return true
  }

  /// Ends the change with `token`; returns the value to send next under `next`, or nil.
  package mutating func ended(
    _ token: CommandToken, succeeded: Bool, next: CommandToken
  ) -> Value? {
    ended(token, succeeded: succeeded) ? send(under: next) : nil
  }

  package mutating func giveUp() { change = nil }

  /// Returns the setting with transformed values, without those that become nil.
  package func map<Other>(_ transform: (Value) -> Other?) -> Setting<Other> {
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

  package func combined<Other, Both>(
    with other: Setting<Other>, _ combine: (Value, Other?) -> Both
  ) -> Setting<Both> {
    var both = Setting<Both>(confirmed.map { combine($0, other.confirmed) })
    if pending != nil || other.pending != nil {
      both.change = shown.map { .init(wanted: combine($0, other.shown)) }
    }
    return both
  }
}

/// The identity of one command among equal ones.
package struct CommandToken: RawRepresentable, Hashable, Sendable {
  package var rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

extension Part {
  /// "left", "right" or "case".
  package var name: String {
    switch self {
    case .left: "left"
    case .right: "right"
    case .case: "case"
    }
  }
}

extension PairedDevice {
  /// The reported state as text: "playing, this computer".
  package var stateText: String {
    [
      isPlaying == true ? "playing" : isConnected ? "connected" : "not connected",
      isPreferred == true ? "preferred" : nil, isThisComputer == true ? "this computer" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }
}
