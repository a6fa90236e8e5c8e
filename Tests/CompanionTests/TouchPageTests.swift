import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct `The page of touch actions` {
  private let read = CommandToken(rawValue: 1)

  private func opened() -> Scenario {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.touchActions))
    scenario.given(
      .headphone(ear, .touchActionsChanged([.left: [.tap: .playPause, .hold: .volumeDown]])))
    return scenario
  }

  private func left(_ scenario: Scenario, _ gesture: TouchGesture) -> Setting<TouchAction>? {
    scenario.state.headphones[ear]?.settings[.touchAction(.left, gesture), as: TouchAction.self]
  }

  @Test func `opens with a question to the headphone, and closes with its key`() {
    var scenario = Scenario.withReady()
    #expect(
      scenario.effects(of: .pressed(.touchActions)) == [.perform(ear, .readTouchActions, read)])
    #expect(scenario.state.page == .touch(line: 0))
    #expect(scenario.effects(of: .pressed(.refresh)).count == 1)
    scenario.given(.pressed(.touchActions))
    #expect(scenario.state.page == .main)
  }

  @Test func `changes the action of the line, round the ends, and shows it as asked for`() {
    var scenario = opened()
    let effects = scenario.effects(of: .pressed(.right))
    #expect(
      effects == [.perform(ear, .setTouchAction(.left, .tap, .next), CommandToken(rawValue: 2))])
    #expect(left(scenario, .tap)?.pending == .next && left(scenario, .tap)?.confirmed == .playPause)
    scenario.given(.headphone(ear, .touchActionsChanged([.left: [.tap: .next]])))
    #expect(left(scenario, .tap)?.pending == nil && left(scenario, .tap)?.confirmed == .next)
    scenario.given(.pressed(.down), .pressed(.down), .pressed(.down), .pressed(.accept))
    #expect(left(scenario, .hold)?.pending == TouchAction.none)
  }

  @Test func `takes back what the headphone refuses, and what a lost link has lost`() {
    var scenario = opened()
    scenario.given(.pressed(.left))
    let command = HeadphoneCommand.setTouchAction(.left, .tap, .none)
    scenario.given(
      .commandEnded(ear, command, CommandToken(rawValue: 2), .failed(.noResponse)))
    #expect(left(scenario, .tap) == Setting(.playPause))
    scenario.given(.pressed(.left), .link(ear, .ended(.timeout)))
    #expect(left(scenario, .tap) == Setting(.playPause))
    #expect(scenario.effects(of: .pressed(.left)).allSatisfy { $0.isNoCommand })
  }

  @Test func `shows what another maker's headphone reports, and asks nothing`() {
    let choices = [
      SettingChoice("assistant", title: "Assistant"), SettingChoice("next", title: "Next"),
    ]
    var capabilities = allFeatures
    capabilities.hasTouchActions = false
    capabilities.settings = [
      .wearDetection,
      SettingDeclaration(
        "hold-left", .choice(choices), title: "Touch and hold left", label: "Hold L",
        group: .controls),
    ]
    var scenario = Scenario.withReady()
    scenario.given(
      .headphone(ear, .described(description(of: capabilities))),
      .headphone(ear, .settingChanged("hold-left", .choice("assistant"))))
    #expect(scenario.effects(of: .pressed(.touchActions)).isEmpty)
    #expect(scenario.state.page == .touch(line: 0))
    #expect(
      scenario.effects(of: .pressed(.right))
        == [.perform(ear, .set("hold-left", .choice("next")), read)])
    #expect(scenario.effects(of: .pressed(.refresh)).contains(.refresh(ear)))
    #expect(!scenario.state.controlRows.contains(.setting("hold-left")))
  }

  @Test func `goes to the same gesture on the other bud, and back`() {
    var scenario = opened()
    scenario.given(.pressed(.down))
    for line in [5, 1] {
      scenario.press(.otherPanel) { $0.page = .touch(line: line) }
    }
    scenario.press(.previousPanel) { $0.page = .touch(line: 5) }
  }

  @Test(
    arguments: [
      (["hold-right", "tap-left", "hold-left", "tap-right"], ["Tap", "Touch and hold"]),
      (["hold-right", "tap-left"], []), (["hold-left", "hold-right", "swipe"], []),
    ] as [([SettingID], [String])])
  func `has the gestures of one bud after those of the other where they are alike`(
    ids: [SettingID], shared: [String]
  ) {
    let touch = TouchLines(ids.map { SettingDeclaration($0) })
    #expect(touch.shared == shared)
    let sorted: [SettingID] = ["tap-left", "hold-left", "tap-right", "hold-right"]
    #expect(touch.gestures.map(\.id) == (shared.isEmpty ? ids : sorted))
  }

  @Test func `is not there without the feature`() {
    var capabilities = allFeatures
    capabilities.hasTouchActions = false
    var scenario = Scenario.withReady()
    scenario.given(.headphone(ear, .described(description(of: capabilities))))
    scenario.given(.pressed(.touchActions))
    #expect(scenario.state.page == .main)
    #expect(scenario.state.notice?.text == "this headphone has no touch actions")
  }
}

extension Effect {
  fileprivate var isNoCommand: Bool { if case .perform = self { false } else { true } }
}
