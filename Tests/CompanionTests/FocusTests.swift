import HeadphoneProtocols
import Testing

@testable import Companion

/// A terminal without the keyboard focus.
@Suite struct FocusTests {
  @Test func `the signal of the information page rests, and goes on`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.info))
    #expect(scenario.state.isMeasuring)
    scenario.send(.screenFocused(false), effects: [.cancelTimer(.measure)]) {
      $0.isUnfocused = true
      $0.isMeasuring = false
      $0.screens[.info] = nil
    }
    scenario.given(.pressed(.back), .pressed(.info))
    #expect(!scenario.state.isMeasuring)
    scenario.given(.screenFocused(true))
    #expect(scenario.state.isMeasuring && scenario.state.screens[.info] == 1)
    scenario.given(.pressed(.back))
    #expect(!scenario.state.isMeasuring && scenario.state.screens.isEmpty)
  }

  @Test func `the finder goes on, as it is read from afar`() {
    var scenario = Scenario.withFinder()
    let screens = scenario.state.screens
    scenario.given(.screenFocused(false))
    #expect(scenario.state.screens == screens && scenario.state.isMeasuring)
  }

  @Test func `each screen has its own focus`() {
    var state = Scenario.withReady().state
    _ = state.reduce(.screenFocused(false), at: noon)
    #expect(!state.seen(from: state.firstViewpoint).isUnfocused)
    var other = state.firstViewpoint
    swap(&other, &state.viewpoint)
    _ = state.reduce(.pressed(.info), at: noon)
    #expect(state.isMeasuring)
    swap(&other, &state.viewpoint)
    #expect(state.isUnfocused && state.isMeasuring)
  }
}
