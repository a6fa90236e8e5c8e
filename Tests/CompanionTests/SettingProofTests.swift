import HeadphoneProtocols
import Testing

@testable import Companion

/// The evidence that a setting can be set, and what this headphone adds.
@Suite struct SettingProofTests {
  private let token = CommandToken(rawValue: 0)

  /// Returns a headphone of a maker without recordings.
  private func ready(driver: String = "Technics") -> Scenario {
    var scenario = Scenario.withHeadphone()
    var described = description(of: allFeatures)
    described.driver = driver
    scenario.given(
      .pressed(.connectOrDisconnect), .link(ear, .connected),
      .link(ear, .ready(described, isEncrypted: false)), .headphone(ear, .ancChanged(.off)))
    return scenario
  }

  private func proof(_ scenario: Scenario, _ id: SettingID = .noiseMode) -> SettingProof? {
    scenario.state.headphones[ear].flatMap { headphone in
      headphone.capabilities?.declaration(of: id).flatMap(headphone.proof)
    }
  }

  @Test func `a setting is untried until this headphone reports what was set`() throws {
    var scenario = ready()
    #expect(proof(scenario)?.displayText == "untried, published layout")
    scenario.given(.headphone(ear, .ancChanged(.transparency)))
    let effects = scenario.effects(of: .commandEnded(ear, .setANC(.transparency), token, .done))
    #expect(proof(scenario)?.displayText == "confirmed here")
    #expect(proof(scenario)?.isUntried == false)
    #expect(proof(scenario, .wearDetection)?.isUntried == true)
    let headphone = try #require(scenario.state.headphones[ear])
    #expect(effects == [.keep(.confirmedSettings, of: KnownHeadphone(headphone))])
    // The next run has it, and is told nothing twice.
    #expect(HeadphoneState(KnownHeadphone(headphone)).confirmedSettings == [.noiseMode])
    #expect(scenario.effects(of: .commandEnded(ear, .setANC(.transparency), token, .done)) == [])
  }

  @Test func `an answer without the value proves nothing`() {
    var scenario = ready()
    #expect(scenario.effects(of: .commandEnded(ear, .setANC(.transparency), token, .done)) == [])
    #expect(proof(scenario)?.isUntried == true)
  }

  @Test(
    arguments: [
      (.unsupported("transparency"), true), (.noResponse, true), (.refused(.unspecified), true),
      (.refused(.batteryTooLow), false), (.badArgument("too loud"), false),
    ] as [(CommandFailure, Bool)])
  func `a failure of an untried command says how to report it`(
    failure: CommandFailure, isReported: Bool
  ) {
    var scenario = ready()
    let failed = Action.commandEnded(ear, .setANC(.transparency), token, .failed(failure))
    _ = scenario.effects(of: failed)
    let advice = scenario.state.problem?.advice
    #expect((advice == SettingProof.untriedAdvice) == isReported)
    // It was confirmed once: something else is in the way.
    scenario.given(.headphone(ear, .ancChanged(.transparency)))
    scenario.given(.commandEnded(ear, .setANC(.transparency), token, .done))
    _ = scenario.effects(of: failed)
    #expect(scenario.state.problem?.advice == failure.advice)
  }

  @Test func `recorded proofs are named with their models`() {
    func words(
      _ models: [Evidence.Proof: [String]], here: Bool = false, canBeSet: Bool = true
    ) -> String {
      SettingProof(Evidence(models), isConfirmedHere: here, canBeSet: canBeSet).displayText
    }
    #expect(words([.set: ["A"], .confirmed: ["A", "B"]]) == "confirmed on A, B")
    #expect(words([.set: ["A"], .confirmed: ["A"]], here: true) == "confirmed on A")
    #expect(words([.set: ["A"]]) == "recorded on A, not confirmed yet")
    #expect(words([.set: ["A"]], here: true) == "confirmed here")
    #expect(words([.read: []]) == "untried, read")
    #expect(words([.read: ["A"]], canBeSet: false) == "read from A")
  }

  @Test(arguments: ["Earshot protocol", "standard services"])
  func `of what is no maker's protocol nothing is said`(driver: String) {
    #expect(proof(ready(driver: driver)) == nil)
  }

  @Test func `every family with a protocol is found by its name`() {
    for family in HeadphoneFamily.allCases {
      guard let name = family.protocolName else { continue }
      #expect(HeadphoneFamily(protocolName: name) == family)
    }
  }
}
