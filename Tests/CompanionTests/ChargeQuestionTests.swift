import HeadphoneProtocols
import Testing

@testable import Companion

/// The frequency of requests for a charge that is only reported on request.
@Suite struct ChargeQuestionTests {
  /// A headphone and a manual clock.
  private struct Life {
    var scenario = Scenario.withHeadphone()
    /// The end of the timer for the next request, or nil if none runs.
    var deadline: Timestamp?
    var questions = 0
    var answers = true

    init(isChargeAsked: Bool = true) {
      var description = description(of: allFeatures)
      description.isChargeAsked = isChargeAsked
      scenario.given(
        .pressed(.connectOrDisconnect), .link(ear, .connected),
        .link(ear, .ready(description, isEncrypted: false)),
        .headphone(ear, .batteryChanged([.left: Battery(level: 73)])))
    }

    var headphone: HeadphoneState? { scenario.state.headphones[ear] }

    mutating func send(_ action: Action) {
      for effect in scenario.allEffects(of: action) {
        switch effect {
        case .readCharge(ear):
          questions += 1
          send(.chargeRead(ear, isRead: answers))
        case .startTimer(.charge(ear), .exactly(let wait)):
          deadline = scenario.now
          deadline?.milliseconds += wait.components.seconds * 1000
        case .cancelTimer(.charge(ear)): deadline = nil
        default: break
        }
      }
    }

    mutating func pass(seconds: Int, charge: (Int) -> UInt8? = { _ in nil }) {
      for second in 1...seconds {
        scenario.now.milliseconds += 1000
        if let level = charge(second) {
          send(.headphone(ear, .batteryChanged([.left: Battery(level: level)])))
        }
        guard let end = deadline, scenario.now >= end else { continue }
        deadline = nil
        send(.timerFired(.charge(ear)))
      }
    }
  }

  @Test func `an hour on a screen takes a question each five minutes`() {
    var life = Life()
    life.send(.viewerOpened)
    life.pass(seconds: 3600)
    #expect(life.questions == 12)
    #expect(life.headphone?.chargeAge(at: life.scenario.now) == nil)
  }

  @Test func `an hour that nothing shows takes no question and no timer`() {
    var life = Life()
    life.pass(seconds: 1800)
    #expect(life.questions == 0 && life.deadline == nil)
    // A screen finds the charge old, and its end ends the questions.
    life.send(.viewerOpened)
    #expect(life.questions == 1 && life.deadline != nil)
    life.send(.viewerOpened)
    life.send(.viewerClosed)
    life.pass(seconds: 600)
    #expect(life.questions == 3)
    life.send(.viewerClosed)
    #expect(life.deadline == nil)
    life.pass(seconds: 1800)
    #expect(life.questions == 3)
  }

  @Test func `a headphone that reports its charge in time is not asked`() {
    var life = Life()
    life.send(.viewerOpened)
    life.pass(seconds: 3600) { $0.isMultiple(of: 240) ? UInt8(73 - $0 / 240) : nil }
    #expect(life.questions == 0)
    #expect(life.headphone?.battery?.value[.left]?.level == 58)
  }

  @Test func `a headphone that reports every change is not asked, however old its charge is`() {
    var life = Life(isChargeAsked: false)
    life.send(.viewerOpened)
    life.pass(seconds: 3600)
    #expect(life.questions == 0 && life.deadline == nil)
    #expect(life.headphone?.chargeAge(at: life.scenario.now) == nil)
  }

  @Test func `a headphone that does not answer is asked no more often, and its charge has an age`()
  {
    var life = Life()
    life.answers = false
    life.send(.viewerOpened)
    life.pass(seconds: 770)
    #expect(life.questions == 2)
    #expect(life.headphone?.isChargeOld == true)
    #expect(life.headphone?.chargeAge(at: life.scenario.now) == "12 min ago")
    life.answers = true
    life.pass(seconds: 300)
    #expect(life.headphone?.isChargeOld == false)
    #expect(life.headphone?.chargeAge(at: life.scenario.now) == nil)
  }

  @Test func `without a link nothing is asked, and the charge of the last one has an age`() {
    var life = Life()
    life.send(.viewerOpened)
    life.send(.link(ear, .ended(.user)))
    #expect(life.deadline == nil)
    life.pass(seconds: 2 * 3600)
    #expect(life.questions == 0)
    #expect(life.headphone?.chargeAge(at: life.scenario.now) == "2 h ago")
  }

  @Test func `a clock that is set back delays a question by five minutes at most`() {
    var life = Life()
    life.send(.viewerOpened)
    life.scenario.now.milliseconds -= 86_400_000
    life.deadline = nil
    life.send(.timerFired(.charge(ear)))
    #expect(life.questions == 0)
    let wait = life.deadline.map { $0.milliseconds - life.scenario.now.milliseconds }
    #expect(wait == 300_000)
    #expect(life.headphone?.isChargeDue(at: life.scenario.now) == true)
  }
}
