import BluetoothRadio
import HeadphoneProtocols
import TestSupport
import Testing

@testable import Companion

/// The holders of a link, and how long they keep it.
@Suite struct LinkHolderTests {
  private static let one = LinkHolder.command(1)
  private static let two = LinkHolder.command(2)

  private func link(_ scenario: Scenario) -> LinkState? { scenario.state.headphones[ear]?.link }

  @Test func `a link that two commands want ends with the second of them`() {
    for order in [[Self.one, Self.two], [Self.two, Self.one]] {
      var scenario = Scenario.withHeadphone()
      for holder in order { scenario.given(.linkWanted(ear, by: holder, retries: true)) }
      #expect(scenario.effects(of: .linksReleased(by: Self.one)).isEmpty)
      #expect(link(scenario)?.isWanted == true)
      #expect(scenario.effects(of: .linksReleased(by: Self.two)).contains(.disconnect(ear)))
      #expect(link(scenario) == .unwanted(.idle))
    }
  }

  @Test func `a link that a screen wants, too, stays when the command ends`() {
    var scenario = Scenario.withReady()
    scenario.given(.linkWanted(ear, by: Self.one, retries: false), .linksReleased(by: Self.one))
    #expect(link(scenario)?.isReady == true)
    scenario = Scenario.withHeadphone()
    scenario.given(
      .linkWanted(ear, by: Self.one, retries: false),
      .linkWanted(ear, by: .program, retries: true), .linksReleased(by: Self.one))
    #expect(link(scenario) == .pending(.connecting))
  }

  @Test func `a headphone that a person has disconnected is so again after two commands at once`() {
    var scenario = Scenario.withReady()
    scenario.given(
      .pressed(.dropControlLink), .linkWanted(ear, by: Self.one, retries: false),
      .linkWanted(ear, by: Self.two, retries: false), .linksReleased(by: Self.one),
      .linksReleased(by: Self.two))
    #expect(link(scenario) == .unwanted(.disconnected(.user)))
  }

  @Test func `a person overrules the commands, and connects for longer than they last`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(
      .linkWanted(ear, by: Self.one, retries: true), .pressed(.connectOrDisconnect),
      .pressed(.connectOrDisconnect), .linksReleased(by: Self.one))
    #expect(link(scenario)?.isWanted == true)
  }

  @Test func `a link that a watch wants is connected again, whatever else wants it`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(
      .linkWanted(ear, by: Self.one, retries: false),
      .linkWanted(ear, by: Self.two, retries: true), .link(ear, .ended(.timeout)))
    #expect(link(scenario) == .reconnecting(Retry(attempt: 1, after: .timeout)))
  }

  /// A model of what users and commands of a walk want, independent of the reducer.
  private struct Wishes {
    var isProgram = false
    var commands: [LinkHolder: Bool] = [:]
    var wasDropped = false

    var isAnyone: Bool { isProgram || !commands.isEmpty }
    var retries: Bool { isProgram || commands.values.contains(true) }

    mutating func clear() {
      isProgram = false
      commands = [:]
    }
  }

  @Test func `in any order of beginnings and ends, a link lasts as long as somebody wants it`()
    throws
  {
    for seed in 0..<UInt64(Thoroughness.rounds(200, thorough: 20_000)) {
      var random = SeededGenerator(seed: seed)
      var scenario = Scenario.withHeadphone()
      var wishes = Wishes()
      // A link that failed is not there, although a command wanted it.
      var hasFailed = false
      for step in 0..<100 {
        let before = try #require(link(scenario))
        let holder = LinkHolder.command(UInt64(random.below(4)))
        var effects: [Effect] = []
        switch random.below(9) {
        case 0, 1:
          let retries = random.below(2) == 0
          effects = scenario.effects(of: .linkWanted(ear, by: holder, retries: retries))
          if !wishes.isAnyone {
            wishes.wasDropped =
              before == .unwanted(.disconnected(.user)) || before == .unwanted(.userCancelled)
          }
          if !wishes.isProgram { wishes.commands[holder] = retries || wishes.retries }
          hasFailed = false
        case 2, 3:
          effects = scenario.effects(of: .linksReleased(by: holder))
          let wasWanted = wishes.isAnyone
          wishes.commands[holder] = nil
          if wasWanted, !wishes.isAnyone, before.isWanted {
            #expect(effects.contains(.disconnect(ear)), "seed \(seed), step \(step)")
            if wishes.wasDropped {
              #expect(
                [.disconnected(.user), .userCancelled].contains {
                  link(scenario) == .unwanted($0)
                }, "seed \(seed), step \(step)")
            }
          }
        case 4:
          let isToEnd = before.isBusy || before.isConnected
          effects = scenario.effects(of: .pressed(.connectOrDisconnect))
          wishes.clear()
          wishes.isProgram = !isToEnd
          if !isToEnd { hasFailed = false }
        case 5:
          effects = scenario.effects(of: .pressed(.dropControlLink))
          if before.isWanted { wishes.clear() }
        case 6: scenario.given(.link(ear, .connected))
        case 7: scenario.given(.link(ear, .ready(description(), isEncrypted: false)))
        default:
          let reason = [DisconnectReason.timeout, .peer, .micFailure].randomElement(using: &random)
          scenario.given(.link(ear, .ended(reason ?? .timeout)), .timerFired(.reconnect(ear)))
          if reason != .micFailure, wishes.retries, !hasFailed {
            #expect(link(scenario)?.isWanted == true, "seed \(seed), step \(step)")
          }
          if link(scenario)?.isWanted == false {
            hasFailed = true
            wishes.isProgram = false
          }
        }
        #expect(
          link(scenario)?.isWanted == (wishes.isAnyone && !hasFailed),
          "seed \(seed), step \(step)")
      }
    }
  }
}
