import Companion
import HeadphoneProtocols
import Testing

/// The adapter connects one headphone at a time, and has a limited number of links.
@Suite struct TurnTests {
  private func ids(_ count: Int) -> [HeadphoneID] {
    (1...count).map { HeadphoneID(rawValue: "h\($0)") }
  }

  /// Returns `count` headphones that are nearby and all wanted.
  private func crowd(_ count: Int) -> Scenario {
    var scenario = Scenario.withAdapter()
    for (number, id) in ids(count).enumerated() {
      scenario.given(
        .discovered(peripheral(id, name: "H\(number)", address: "C0:00:00:00:00:0\(number)")))
    }
    for _ in 0..<count {
      scenario.given(.pressed(.connectOrDisconnect), .pressed(.nextHeadphone))
    }
    return scenario
  }

  private func links(_ scenario: Scenario) -> [LinkState] { scenario.state.headphones.map(\.link) }

  @Test func `one is connected at a time, the others wait for their turn`() {
    let scenario = crowd(3)
    #expect(
      links(scenario) == [
        .pending(.connecting), .pending(.waitingForBluetooth(.turn)),
        .pending(.waitingForBluetooth(.turn)),
      ])
  }

  @Test func `the next one is connected as soon as the attempt before has ended`() {
    var scenario = crowd(3)
    // The person asked for the third after the second: a person's wish goes first.
    scenario.given(.link(ids(3)[0], .connected))
    #expect(
      links(scenario) == [
        .connected(.starting(.discoveringServices)), .pending(.waitingForBluetooth(.turn)),
        .pending(.connecting),
      ])
    scenario.given(.link(ids(3)[2], .ended(.connectTimeout)))
    #expect(scenario.state.headphones[ids(3)[1]]?.link.attempt == .connecting)
    #expect(scenario.state.headphones[ids(3)[2]]?.link.retryPolicy == .backoff(failures: 1))
  }

  @Test func `a retry comes after those who wait already`() {
    var scenario = crowd(3)
    let (first, second, third) = (ids(3)[0], ids(3)[1], ids(3)[2])
    scenario.given(.link(first, .ended(.connectTimeout)), .timerFired(.reconnect(first)))
    #expect(scenario.state.headphones[third]?.link.attempt == .connecting)
    scenario.given(.link(third, .connected))
    #expect(scenario.state.headphones[second]?.link.attempt == .connecting)
    scenario.given(.link(second, .connected))
    #expect(scenario.state.headphones[first]?.link.attempt == .connecting)
  }

  @Test func `cancelling the one that is connected gives the turn to the next at once`() {
    var scenario = crowd(2)
    #expect(scenario.state.headphones.selected?.id == ids(2)[0])
    let effects = scenario.effects(of: .pressed(.connectOrDisconnect))
    #expect(links(scenario) == [.unwanted(.userCancelled), .pending(.connecting)])
    #expect(effects.suffix(2) == [.disconnect(ids(2)[0]), .connect(ids(2)[1])])
  }

  @Test func `cancelling one that waits takes it out of the row`() {
    var scenario = crowd(2)
    scenario.given(.pressed(.nextHeadphone), .pressed(.back), .link(ids(2)[0], .connected))
    #expect(
      links(scenario) == [
        .connected(.starting(.discoveringServices)), .unwanted(.userCancelled),
      ])
  }

  @Test func `six links are up at once`() {
    var scenario = crowd(6)
    for _ in 0..<6 {
      guard let next = scenario.state.headphones.first(where: { $0.link.attempt == .connecting })
      else {
        break
      }
      scenario.given(
        .link(next.id, .connected), .link(next.id, .ready(description(), isEncrypted: false)))
    }
    #expect(links(scenario) == Array(repeating: .connected(.ready), count: 6))
  }

  @Test func `where the adapter has no room the headphone waits, and that is said`() {
    var scenario = crowd(3)
    let (first, second, third) = (ids(3)[0], ids(3)[1], ids(3)[2])
    scenario.given(
      .link(first, .connected), .link(third, .connected), .link(second, .noRoom))
    #expect(scenario.state.headphones[second]?.link.attempt == .waitingForBluetooth(.room))
    #expect(
      scenario.state.problem
        == Problem(
          "the adapter carries 2 links and is at its connection limit",
          advice: "disconnect one of them, and H1 connects"))
    let effects = scenario.effects(of: .link(third, .ended(.peer)))
    #expect(scenario.state.headphones[second]?.link.attempt == .connecting)
    #expect(effects.contains(.connect(second)))
  }

  @Test func `an adapter that is full of others' links is asked again later`() {
    var scenario = crowd(1)
    let effects = scenario.effects(of: .link(ids(1)[0], .noRoom))
    #expect(effects == [.startTimer(.reconnect(ids(1)[0]), .about(.seconds(1)))])
  }

  @Test func `an adapter that goes ends the attempt, and all wait for its return`() {
    var scenario = crowd(2)
    let effects = scenario.effects(of: .adapterChanged(.off(adapter: "hci0")))
    #expect(
      links(scenario) == [
        .pending(.waitingForBluetooth(.power)), .pending(.waitingForBluetooth(.power)),
      ])
    #expect(effects == [.disconnect(ids(2)[0])])
    scenario.given(.adapterChanged(hci0))
    #expect(links(scenario) == [.pending(.connecting), .pending(.waitingForBluetooth(.turn))])
  }

  @Test func `while the program ends nobody is connected any more`() {
    var scenario = crowd(2)
    let effects = scenario.effects(of: .pressed(.quit))
    #expect(effects == [.disconnect(ids(2)[0])])
  }
}
