import CustomDump
import Testing

@testable import Companion

/// Drives the app's state by hand; fails on any change or effect that the test does not name.
struct Scenario {
  private(set) var state: State
  /// When the next action happens.
  var now = Timestamp(milliseconds: 50_602_000)

  init(_ state: State = State()) { self.state = state }

  /// Sends an action.
  ///
  /// `change` must turn the old state into the new one, and `effects` must be all of them.
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

  /// Sends actions that the test is not about.
  mutating func given(_ actions: Action...) {
    for action in actions { _ = state.reduce(action, at: now) }
  }

  /// Sends an action whose change the test looks at itself.
  mutating func effects(of action: Action) -> [Effect] {
    allEffects(of: action).filter { !$0.isOfDesktop }
  }

  /// With those that give the desktop charges.
  mutating func allEffects(of action: Action) -> [Effect] { state.reduce(action, at: now) }
}

extension Effect {
  /// Whether it gives the desktop charges, or headphones a media player.
  var isOfDesktop: Bool {
    switch self {
    case .shareCharges, .offerPlayer: true
    default: false
    }
  }
}
