import Testing

@testable import Companion

@Suite struct ConfigurationMistakeTests {
  @Test func `mistakes stay until the file is fixed`() {
    var scenario = Scenario()
    scenario.send(.configurationRead(mistakes: ["line 3: no", "line 5: neither"])) {
      $0.problem = Problem(
        "in line 3: no", advice: "`earshot config check` lists all 2 mistakes.",
        end: .configurationCorrected)
      $0.logs(.error, nil, "line 3: no")
      $0.logs(.error, nil, "line 5: neither")
    }
    scenario.given(.noted(.info, nil, "headphones come and go"))
    #expect(scenario.state.problem?.text == "in line 3: no")
    scenario.send(.configurationRead(mistakes: ["line 5: neither"])) {
      $0.problem = Problem("in line 5: neither", advice: "", end: .configurationCorrected)
      $0.logs(.error, nil, "line 5: neither")
    }
    scenario.send(.configurationRead(mistakes: [])) { $0.problem = nil }
  }

  @Test func `mistakes stay until the person has read them`() {
    var scenario = Scenario()
    scenario.given(.configurationRead(mistakes: ["line 3: no"]), .pressed(.back))
    #expect(scenario.state.problem == nil)
  }

  @Test func `a fixed file takes no other problem away`() {
    var scenario = Scenario()
    let problem = Problem("the adapter is off", advice: "Switch it on.")
    scenario.given(.configurationRead(mistakes: ["line 3: no"]))
    var state = scenario.state
    state.problem = problem
    scenario = Scenario(state)
    scenario.given(.configurationRead(mistakes: []))
    #expect(scenario.state.problem == problem)
  }
}
