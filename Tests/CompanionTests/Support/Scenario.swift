import CustomDump
import Testing

@testable import Companion

/// A driver of the app's state that fails on any change or effect that the test does not name.
struct Scenario {
  private(set) var state: State
  /// The time of the next action.
  var now = Timestamp(milliseconds: 50_602_000)

  init(_ state: State = State()) { self.state = state }

  /// Sends an action.
  ///
  /// `change` must turn the old state into the new one, and `effects` must be all effects.
  mutating func send(
    _ action: Action, effects: [Effect] = [], sourceLocation: SourceLocation = #_sourceLocation,
    change: (inout State) -> Void = { _ in }
  ) {
    var expected = state
    change(&expected)
    expected.completeLog(since: state.log.total, action)
    // The desktop's charges and the headphones' player follow from all others; `OverallChargeTests`
    // and `HeadphoneButtonsTests` look at them.
    let actual = state.reduce(action, at: now).filter { !$0.isOfDesktop }
    expected.sharedCharges = state.sharedCharges
    expected.buttons.offer = state.buttons.offer
    if let difference = diff(expected, state) {
      Issue.record("state\n\(difference)", sourceLocation: sourceLocation)
    }
    if let difference = diff(effects, actual) {
      Issue.record("effects\n\(difference)", sourceLocation: sourceLocation)
    }
  }

  mutating func press(
    _ command: UserCommand, effects: [Effect] = [],
    sourceLocation: SourceLocation = #_sourceLocation, change: (inout State) -> Void = { _ in }
  ) {
    send(.pressed(command), effects: effects, sourceLocation: sourceLocation, change: change)
  }

  /// Sends actions whose outcome the test does not check.
  mutating func given(_ actions: Action...) {
    for action in actions { _ = state.reduce(action, at: now) }
  }

  /// Sends an action, and returns its effects; the test checks the state itself.
  mutating func effects(of action: Action) -> [Effect] {
    allEffects(of: action).filter { !$0.isOfDesktop }
  }

  /// Sends an action, and returns all effects, including charges for the desktop.
  mutating func allEffects(of action: Action) -> [Effect] { state.reduce(action, at: now) }
}

extension Action {
  /// Returns the action for a configuration with one value, and defaults for all others.
  static func configured<Value>(
    _ path: WritableKeyPath<Preferences, Value>, _ value: Value, isResident: Bool = true
  ) -> Action {
    var preferences = Preferences()
    preferences[keyPath: path] = value
    return .configured(preferences, isResident: isResident)
  }
}

extension Effect {
  /// Whether the effect shares charges with the desktop, or offers headphones a media player.
  var isOfDesktop: Bool {
    switch self {
    case .shareCharges, .offerPlayer: true
    default: false
    }
  }
}
