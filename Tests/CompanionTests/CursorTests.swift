import AudioRoute
import Companion
import HeadphoneProtocols
import Testing

/// The cursor of the main page, which is in the focused panel.
@Suite struct CursorTests {
  private let token = CommandToken(rawValue: 1)

  /// Returns two headphones, the first one ready, and an output.
  private func scenario(focus: Panel) -> Scenario {
    var scenario = Scenario.withReady()
    var other = peripheral(bud)
    other.name = "Bud"
    scenario.given(
      .discovered(other), sound(to: "bluez_output.ear", bluetoothSink(), speakers))
    while scenario.state.focus != focus { scenario.given(.pressed(.otherPanel)) }
    return scenario
  }

  @Test func `Tab goes round the panels`() {
    var scenario = scenario(focus: .control)
    scenario.press(.otherPanel) { $0.focusList() }
    scenario.press(.otherPanel) { $0.leaveList(for: .audio) }
    scenario.press(.otherPanel) { $0.focus = .control }
    scenario.press(.previousPanel) { $0.focus = .audio }
    scenario.press(.previousPanel) { $0.focusList() }
    scenario.press(.previousPanel) { $0.leaveList(for: .control) }
  }

  @Test func `an unknown level is set by the second press only`() {
    var scenario = scenario(focus: .control)
    scenario.given(.pressed(.down))
    scenario.press(.raise, effects: [.noticeTimer]) {
      $0.explains("Ambient level of Ear (a) is unknown; press again to set 5", ear)
    }
    scenario.press(
      .raise, effects: [.cancelTimer(.notice), .perform(ear, .setANCLevel(5), token)]
    ) {
      $0.notice = nil
      $0.headphones.update(ear) { _ = $0.ancLevel.want(5, token: token) }
      $0.countCommands(1)
    }
  }

  @Test func `a key that means nothing here says so`() {
    var scenario = scenario(focus: .control)
    scenario.send(.unknownKey("x"), effects: [.noticeTimer]) {
      $0.notice = Notice("\"x\" does nothing here", remedy: .help, isAnswer: true)
    }
  }

  @Test func `a search on the main page goes to a headphone, and n to the next one`() {
    var scenario = scenario(focus: .control)
    scenario.given(.pressed(.filter), .typed(.character("b")), .typed(.character("u")))
    scenario.press(.accept) { $0.dialog = nil }
    #expect(scenario.state.focus == .headphones)
    #expect(scenario.state.headphones.selected?.id == bud)
    #expect(scenario.state.footerHints.first?.commands == [.nextMatch, .previousMatch])
    // The only one: round the end.
    scenario.press(.nextMatch)
    scenario.press(.back) { $0.filter = "" }
  }

  @Test(arguments: [nil, UserCommand.log, .equaliser])
  func `a search without a match says so`(page: UserCommand?) {
    var scenario = Scenario.withReady(allFeatures)
    if let page { scenario.given(.pressed(page)) }
    scenario.given(.pressed(.filter), .typed(.character("§")))
    // The log shows that it is empty.
    let said = page == .log ? nil : "no match for \"§\""
    _ = scenario.effects(of: .pressed(.accept))
    #expect(scenario.state.notice?.text == said)
  }

  @Test func `Enter in the help runs the command of its line`() throws {
    var scenario = scenario(focus: .control)
    scenario.given(.pressed(.help))
    let line = try #require(scenario.state.helpLines.firstIndex { $0.command == .info })
    scenario.given(.pointed(.line(line)))
    scenario.given(.pressed(.accept))
    #expect(scenario.state.page == .info(line: 0))
  }

  @Test func `a page copies the line of its cursor`() {
    var scenario = scenario(focus: .control)
    scenario.given(.pressed(.info))
    #expect(scenario.effects(of: .pressed(.copy)).first == .copy("Ear (a)"))
    let address = "F0:F1:F2:F3:F4:F5 (random)"
    let line = scenario.state.infoLines.firstIndex { $0.value == address } ?? 0
    for _ in 0..<line { scenario.given(.pressed(.down)) }
    #expect(scenario.effects(of: .pressed(.copy)).first == .copy(address))
  }

  @Test(
    arguments: [Panel.audio, .control], [UserCommand.up, .down, .top, .bottom, .pageUp, .pageDown])
  func `arrows outside the list choose no headphone, nor do anything`(
    focus: Panel, command: UserCommand
  ) {
    var scenario = scenario(focus: focus)
    for _ in 1...9 {
      #expect(scenario.effects(of: .pressed(command)) == [])
      #expect(scenario.state.headphones.selected?.id == ear)
      #expect(scenario.state.focus == focus)
    }
  }

  @Test func `arrows stay in a panel without rows`() {
    var scenario = Scenario.withHeadphone(peripheral(ear), peripheral(bud))
    for _ in 1...3 { scenario.press(.down) }
    #expect(scenario.state.headphones.selected?.id == ear)
  }

  @Test(arguments: [UserCommand.accept, .routeSound])
  func `the sound is sent to the output under the cursor`(command: UserCommand) {
    var scenario = scenario(focus: .audio)
    scenario.press(.down) { $0.audioRow = .output("alsa_output.pci") }
    scenario.press(.down)
    scenario.press(
      .right, effects: [.audio(.setVolume(sink: "alsa_output.pci", percent: 45))])
    scenario.press(
      .raise, effects: [.audio(.setVolume(sink: "alsa_output.pci", percent: 45))])
    scenario.press(command, effects: [.audio(.route(sink: "alsa_output.pci"))])
    // The cursor stays on it, and the headphone's key or its row routes back.
    scenario.given(sound(to: "alsa_output.pci", bluetoothSink(), speakers))
    #expect(scenario.state.audioCursor == .output("alsa_output.pci"))
    scenario.press(.routeSound, effects: [.audio(.route(sink: "bluez_output.ear"))])
    // Enter on what plays already changes nothing.
    #expect(
      !scenario.effects(of: .pressed(.accept)).contains(.audio(.route(sink: "alsa_output.pci"))))
    scenario.given(.pressed(.up))
    #expect(
      scenario.effects(of: .pressed(command)).contains(.audio(.route(sink: "bluez_output.ear"))))
  }

  @Test func `Enter in the list connects the headphone under the cursor, and ends no link`() {
    var scenario = scenario(focus: .headphones)
    scenario.press(.down) {
      $0.headphones.select(bud)
      $0.keepsSelection = true
    }
    #expect(scenario.effects(of: .pressed(.accept)).contains(.connect(bud)))
    scenario.given(.pressed(.up))
    #expect(scenario.effects(of: .pressed(.accept)) == [])
    #expect(scenario.state.headphones.selected?.id == ear)
    #expect(scenario.state.headphones[ear]?.link.use == .ready)
  }

  @Test func `Enter on a control without a link connects`() {
    var scenario = scenario(focus: .control)
    scenario.given(.pressed(.nextHeadphone))
    #expect(scenario.state.headphones.selected?.id == bud)
    #expect(scenario.effects(of: .pressed(.accept)).contains(.connect(bud)))
    // Then it takes its time.
    #expect(!scenario.effects(of: .pressed(.accept)).contains(.connect(bud)))
    #expect(scenario.state.headphones[bud]?.link.isBusy == true)
  }

  /// Ways to move the cursor from the first headphone to the second.
  static let moves: [[Action]] = [
    [.pressed(.down)], [.pressed(.bottom)], [.pressed(.pageDown)],
    [.pressed(.nextHeadphone)], [.pressed(.previousHeadphone)],
    [.pressed(.filter), .typed(.character("b")), .typed(.character("u")), .pressed(.accept)],
    [.pointed(.panel(.headphones)), .pressed(.down)],  // the wheel
    [.pointed(.headphone(bud))],
  ]

  @Test(arguments: moves)
  func `what is shown is what keys act on, however the cursor got there`(move: [Action]) {
    var scenario = scenario(focus: .headphones)
    for action in move { scenario.given(action) }
    #expect(scenario.state.headphones.selected?.id == bud)
    // Whichever panel has the focus.
    scenario.given(.pressed(.otherPanel))
    var acting = scenario
    acting.press(.setANC(.off), effects: [.noticeTimer]) {
      $0.explains("not connected", bud, remedy: .connectOrDisconnect)
    }
    acting = scenario
    #expect(acting.effects(of: .pressed(.connectOrDisconnect)).contains(.connect(bud)))
    acting = scenario
    acting.given(.pressed(.forget))
    #expect(acting.state.dialog == .question(Question(.forget(bud))))
  }

  @Test(arguments: moves)
  func `an automatic connection leaves a selection made by hand`(move: [Action]) {
    var scenario = scenario(focus: .headphones)
    let late = HeadphoneID(rawValue: "late")
    var other = peripheral(late)
    other.name = "Late"
    scenario.given(.launched([], autoConnect: .matching("late")))
    for action in move { scenario.given(action) }
    #expect(scenario.effects(of: .discovered(other)).contains(.connect(late)))
    #expect(scenario.state.headphones.selected?.id == bud)
  }

  @Test func `a click on a headphone that is gone selects no other`() {
    var scenario = scenario(focus: .headphones)
    scenario.send(.pointed(.headphone(HeadphoneID(rawValue: "gone"))))
  }

  @Test func `Enter on a slider changes nothing`() {
    var scenario = scenario(focus: .control)
    scenario.press(.down) { $0.controlRow = .ancLevel }
    scenario.press(.accept)
  }

  @Test func `a click moves focus and cursor`() {
    var scenario = scenario(focus: .control)
    scenario.send(.pointed(.audio(.output("alsa_output.pci")))) {
      $0.focus = .audio
      $0.audioRow = .output("alsa_output.pci")
    }
    scenario.send(.pointed(.control(.eq))) {
      $0.focus = .control
      $0.controlRow = .eq
    }
    scenario.send(.pointed(.headphone(bud))) {
      $0.focusList()
      $0.headphones.select(bud)
      $0.keepsSelection = true
    }
    scenario.send(.pointed(.panel(.audio))) { $0.leaveList(for: .audio) }
    scenario.given(.pressed(.forget))
    scenario.send(.pointed(.panel(.control)))
  }

  @Test func `a click on a bar sets its value`() {
    var scenario = scenario(focus: .control)
    scenario.send(
      .barSet(.soundVolume, percent: 30),
      effects: [.audio(.setVolume(sink: "bluez_output.ear", percent: 30))])
    scenario.send(
      .barSet(.ancLevel, percent: 1000), effects: [.perform(ear, .setANCLevel(10), token)]
    ) {
      $0.headphones.update(ear) { _ = $0.ancLevel.want(10, token: token) }
      $0.countCommands(1)
    }
    let second = CommandToken(rawValue: 2)
    scenario.send(
      .choiceMade(.equaliserPreset, "vocal"), effects: [.perform(ear, .setEQ(.vocal), second)]
    ) {
      $0.headphones.update(ear) { _ = $0.eq.want(.vocal, token: second) }
      $0.countCommands(1)
    }
  }

  // MARK: Notices

  @Test(arguments: [UserCommand.back, .nextHeadphone, .info])
  func `a notice goes with what it is about`(command: UserCommand) {
    var scenario = scenario(focus: .control)
    scenario.given(.pressed(.routeSound))
    #expect(scenario.state.notice != nil)
    scenario.given(.pressed(.down))
    #expect(scenario.state.notice != nil)
    scenario.given(.pressed(command))
    #expect(scenario.state.notice == nil)
  }

  // MARK: Search

  @Test func `a search goes to the line with the text, and on to the next`() throws {
    var scenario = scenario(focus: .control)
    scenario.given(.pressed(.help), .pressed(.filter))
    for character in "gatt insp" { scenario.given(.typed(.character(character))) }
    let lines = scenario.state.helpLines
    #expect(
      scenario.state.page.line.map { lines[$0].summary.lowercased().contains("gatt") } == true)
    scenario.given(.pressed(.accept))
    // The only one: round the end.
    scenario.press(.nextMatch)
    scenario.given(.pressed(.filter), .typed(.clear), .typed(.character("?")), .pressed(.accept))
    scenario.press(.nextMatch, effects: [.noticeTimer]) { $0.explains("no match for \"?\"") }
    scenario.given(.pressed(.filter), .typed(.clear))
    for character in "asks" { scenario.given(.typed(.character(character))) }
    scenario.given(.pressed(.accept))
    let asking = lines.indices.filter { lines[$0].summary.contains("asks") }
    var seen: [Int] = []
    for command in [UserCommand.nextMatch, .nextMatch, .previousMatch] {
      scenario.given(.pressed(command))
      if let line = scenario.state.page.line { seen.append(line) }
    }
    #expect(seen.allSatisfy(asking.contains) && Set(seen).count == 2 && seen[0] == seen[2])
    scenario.press(.back) {
      $0.page = .main
      $0.filter = ""
    }
  }

  @Test func `a notice ends with the next key, unless that only moves the cursor`() {
    var scenario = Scenario.withReady()
    scenario.press(.pairedDevices, effects: [.noticeTimer]) {
      $0.explains("this headphone does not say which devices it is paired with", ear)
    }
    scenario.given(.pressed(.down), .pressed(.otherPanel))
    #expect(scenario.state.notice != nil)
    scenario.press(.pairedDevices, effects: [.noticeTimer]) {
      $0.explains("this headphone does not say which devices it is paired with", ear)
    }
    #expect(scenario.effects(of: .pressed(.setANC(.off))).contains(.cancelTimer(.notice)))
    #expect(scenario.state.notice == nil)
  }
}
