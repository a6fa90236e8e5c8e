import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct `The page of the scenes` {
  private func scenario() -> Scenario {
    var scenario = Scenario.withReady()
    scenario.given(
      .configured(
        \.scenes,
        [
          Scene(name: "desk", wishes: [.init(.noiseMode, "nc")]),
          Scene(name: "street", wishes: [.init(.noiseMode, "transparency")]),
        ]),
      .pressed(.scenes))
    return scenario
  }

  @Test func `applies the scene under the cursor, and says which is set already`() {
    var scenario = scenario()
    let scenes = scenario.state.preferences.scenes
    #expect(scenes.map(scenario.state.isActive) == [true, false])
    scenario.given(.pressed(.down))
    let effects = scenario.effects(of: .pressed(.accept))
    #expect(
      effects.contains {
        if case .perform(_, .setANC(.transparency), _) = $0 { true } else { false }
      })
    #expect(scenario.state.page == .scenes(line: 1))
  }

  @Test func `saves what is set now under a new name`() {
    var scenario = scenario()
    scenario.given(.pressed(.savePreset))
    for character in "desk" { scenario.given(.typed(.character(character))) }
    #expect(scenario.effects(of: .pressed(.accept)) == [])
    guard case .entry(let entry) = scenario.state.dialog else {
      Issue.record("no entry")
      return
    }
    #expect(entry.complaint == "a scene with this name already exists")
    scenario.given(.typed(.character("2")))
    let effect = scenario.effects(of: .pressed(.accept)).first
    guard case .changeConfiguration(.addScene(let scene))? = effect else {
      Issue.record("nothing is saved")
      return
    }
    #expect(scene.name == "desk2" && scene.wishes.contains(.init(.noiseMode, "noise-cancelling")))
    #expect(scenario.state.dialog == nil)
  }

  @Test(arguments: ["", "a b", "list", "ü", String(repeating: "x", count: 41)])
  func `refuses what is no name in the dialog`(name: String) {
    var scenario = scenario()
    scenario.given(.pressed(.savePreset))
    for character in name { scenario.given(.typed(.character(character))) }
    #expect(scenario.effects(of: .pressed(.accept)) == [])
    guard case .entry(let entry) = scenario.state.dialog else {
      Issue.record("no entry")
      return
    }
    #expect(entry.complaint == "a name has 1 to 40 letters, digits, - or _")
  }

  @Test func `renames, and deletes after a question whose answer is No`() {
    var scenario = scenario()
    scenario.given(.pressed(.rename), .typed(.character("s")))
    #expect(
      scenario.effects(of: .pressed(.accept))
        == [.changeConfiguration(.renameScene("desk", to: "desks"))])
    scenario.given(.pressed(.forget))
    #expect(scenario.state.dialog == .question(Question(.deleteScene(name: "desk"))))
    #expect(scenario.effects(of: .pressed(.accept)) == [])
    scenario.given(.pressed(.forget), .pressed(.right))
    #expect(
      scenario.effects(of: .pressed(.accept)) == [.changeConfiguration(.deleteScene("desk"))])
  }

  @Test func `keeps its cursor on a scene while the file changes`() {
    var scenario = scenario()
    scenario.given(.pressed(.bottom), .configured(\.scenes, [Scene(name: "one")]))
    #expect(scenario.state.page == .scenes(line: 0))
    scenario.given(.configured(\.scenes, []))
    #expect(scenario.effects(of: .pressed(.accept)) == [])
  }
}
