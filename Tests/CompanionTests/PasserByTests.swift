import Testing

@testable import Companion

/// The headphone list is limited.
@Suite struct PasserByTests {
  private func id(_ number: Int) -> HeadphoneID { HeadphoneID(rawValue: "h\(number)") }

  private func received(_ number: Int) -> Action {
    .discovered(
      peripheral(id(number), name: "H", address: "40:00:00:00:\(number / 100):\(number % 100)"))
  }

  /// Returns headphones of which the first is selected.
  private func crowd(_ count: Int) -> Scenario {
    var scenario = Scenario.withAdapter()
    for number in 0..<count {
      scenario.now = Timestamp(milliseconds: Int64(number))
      scenario.given(received(number))
    }
    return scenario
  }

  @Test func `above the limit the one that was silent longest goes`() {
    var scenario = crowd(State.unmatchedKept + 1)
    scenario.given(received(1))
    let effects = scenario.effects(of: received(1000))
    #expect(effects.contains(.discard(id(2))))
    #expect(scenario.state.headphones.count == State.unmatchedKept + 1)
    #expect(scenario.state.headphones[id(2)] == nil)
    #expect(scenario.state.headphones[id(1)] != nil)
    #expect(scenario.state.headphones.selected?.id == id(0))
  }

  @Test func `who is received no more goes when another one comes`() {
    var scenario = crowd(3)
    scenario.now = Timestamp(milliseconds: State.passerByKept + 2)
    let effects = scenario.effects(of: received(3))
    #expect(effects.contains(.discard(id(1))) && !effects.contains(.discard(id(2))))
    #expect(scenario.state.headphones.map(\.id) == [id(0), id(2), id(3)])
  }

  @Test func `one that somebody has to do with stays`() {
    var scenario = Scenario.withAdapter()
    scenario.given(
      received(0), received(1), .pressed(.nextHeadphone), .pressed(.connectOrDisconnect))
    scenario.given(.pressed(.nextHeadphone))
    for number in 2..<(State.unmatchedKept * 2) { scenario.given(received(number)) }
    #expect(scenario.state.headphones[id(1)]?.link.isWanted == true)
    #expect(scenario.state.headphones.count == State.unmatchedKept + 2)
  }
}
