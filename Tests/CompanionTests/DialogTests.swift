import BluetoothCodec
import Companion
import HeadphoneProtocols
import Testing

@Suite struct DialogTests {
  private let find = Dialog.question(Question(.find(ear)))

  @Test func `find asks first, and Enter means No`() {
    var scenario = Scenario.withFinder()
    scenario.press(.find) { $0.dialog = find }
    scenario.press(.accept) { $0.dialog = nil }
  }

  @Test func `find sounds after Yes, in the buds that are not worn`() {
    var scenario = Scenario.withFinder()
    scenario.given(.headphone(ear, .wearingChanged(Wearing(left: true, right: false))))
    scenario.given(.pressed(.find), .pressed(.right))
    let token = CommandToken(rawValue: 1)
    scenario.press(
      .accept, effects: [.perform(ear, .find(.right, isOn: true), token)]
    ) {
      $0.dialog = nil
      $0.headphones.update(ear) { _ = $0.find.want(.right, token: token) }
      $0.countCommands(1)
    }
  }

  @Test func `the arrows choose one bud where neither is worn`() {
    var scenario = Scenario.withFinder()
    scenario.given(.pressed(.find), .pressed(.down))
    #expect(scenario.state.dialog == .question(Question(.find(ear, .left))))
    scenario.given(.pressed(.up), .pressed(.up))
    #expect(scenario.state.dialog == .question(Question(.find(ear, .right))))
    scenario.given(.pressed(.right))
    let token = CommandToken(rawValue: 1)
    scenario.press(.accept, effects: [.perform(ear, .find(.right, isOn: true), token)]) {
      $0.dialog = nil
      $0.headphones.update(ear) { _ = $0.find.want(.right, token: token) }
      $0.countCommands(1)
    }
  }

  @Test func `a click chooses a bud where neither is worn`() {
    var scenario = Scenario.withFinder()
    scenario.given(.pressed(.find))
    for (line, sides) in [(2, Sides.right), (1, .left), (0, nil)] as [(Int, Sides?)] {
      scenario.given(.pointed(.line(line)))
      #expect(scenario.state.dialog == .question(Question(.find(ear, sides))))
    }
  }

  @Test func `a bud that was put in meanwhile does not ring`() {
    var scenario = Scenario.withFinder()
    scenario.given(
      .pressed(.find), .pressed(.down), .pressed(.right),
      .headphone(ear, .wearingChanged(Wearing(left: true, right: false))))
    scenario.press(.accept, effects: [.noticeTimer]) {
      $0.dialog = nil
      $0.explains("take a bud out of your ear first: this is loud", ear)
    }
  }

  @Test func `with one bud worn there is nothing to choose`() {
    var scenario = Scenario.withFinder()
    scenario.given(.headphone(ear, .wearingChanged(Wearing(left: true, right: false))))
    scenario.given(.pressed(.find), .pressed(.down))
    #expect(scenario.state.dialog == find)
  }

  @Test func `find stops without asking`() {
    var scenario = Scenario.withReady()
    scenario.given(.headphone(ear, .findChanged(.both)))
    let token = CommandToken(rawValue: 1)
    scenario.press(.find, effects: [.perform(ear, .find(.both, isOn: false), token)]) {
      $0.headphones.update(ear) { _ = $0.find.want([], token: token) }
      $0.countCommands(1)
    }
  }

  @Test func `nobody is deafened: with both buds worn find does not even ask`() {
    var scenario = Scenario.withFinder()
    scenario.given(.headphone(ear, .wearingChanged(Wearing(left: true, right: true))))
    scenario.press(.find, effects: [.noticeTimer]) {
      $0.explains("take a bud out of your ear first: this is loud", ear)
    }
  }

  @Test(arguments: [UserCommand.back, .accept, .quit])
  func `forget is not done unless Yes was chosen`(answer: UserCommand) {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.forget), .pressed(answer))
    #expect(scenario.state.headphones[ear] != nil)
  }

  @Test func `forget drops the link and all that is kept`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.forget), .pressed(.left))
    scenario.press(
      .accept,
      effects: [
        .cancelTimer(.reconnect(ear)), .cancelTimer(.steady(ear)), .disconnect(ear), .forget(ear),
        .noticeTimer,
      ]
    ) {
      $0.dialog = nil
      $0.headphones.remove(ear)
      $0.logs(.info, ear, "disconnected by you")
      $0.says("Ear (a) is forgotten")
    }
  }

  @Test func `other keys do nothing while a question is open`() {
    var scenario = Scenario.withFinder()
    scenario.given(.pressed(.find))
    scenario.press(.nextANC)
    scenario.press(.help)
  }

  @Test func `rename starts with the name and sends what was typed`() {
    var scenario = Scenario.withReady()
    scenario.press(.rename) { $0.dialog = .entry(TextEntry(.rename(ear), text: "Ear (a)")) }
    scenario.send(.typed(.clear)) { $0.dialog = .entry(TextEntry(.rename(ear))) }
    scenario.given(.typed(.character("耳")), .typed(.character("x")), .typed(.backspace))
    let token = CommandToken(rawValue: 1)
    scenario.press(.accept, effects: [.perform(ear, .rename("耳"), token)]) {
      $0.dialog = nil
      $0.countCommands(1)
    }
    scenario.send(
      .headphone(ear, .renamed("耳")),
      effects: [
        .remember(
          KnownHeadphone(
            id: ear, name: "耳",
            address: PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random),
            serial: earSerial, lastUsed: noon))
      ]
    ) {
      $0.headphones.update(ear) { $0.name = "耳" }
      $0.logs(.info, ear, "renamed from Ear (a)")
    }
  }

  @Test(arguments: [
    ("", "a name has at least one character"),
    ("12345678901234567890123456789012X", "1 character too long"),
    ("12345678901234567890123456789012XYZ", "3 characters too long"),
    ("1234567890123456789012345678901ä", "1 byte too long: accents and emoji take 2 to 4"),
    ("12345678901234567890123456789012耳", "3 bytes too long: accents and emoji take 2 to 4"),
  ])
  func `a name that does not fit is said in the dialog`(name: String, complaint: String) {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.rename), .typed(.clear))
    for character in name { scenario.given(.typed(.character(character))) }
    scenario.press(.accept) {
      var entry = TextEntry(.rename(ear), text: name)
      entry.complaint = complaint
      $0.dialog = .entry(entry)
    }
  }

  @Test func `text is edited at the cursor`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.rename), .typed(.clear))
    func text() -> String? {
      if case .entry(let entry) = scenario.state.dialog { entry.text } else { nil }
    }
    for key in [TextKey.character("a"), .character("b"), .left, .character("x")] {
      scenario.given(.typed(key))
    }
    #expect(text() == "axb")
    // A mark joins the letter before the cursor.
    scenario.given(.typed(.character("\u{301}")), .typed(.character("y")))
    #expect(text() == "ax\u{301}yb")
    scenario.given(.typed(.backspace), .typed(.delete), .typed(.delete), .typed(.start))
    #expect(text() == "ax\u{301}")
    scenario.given(.typed(.backspace), .typed(.left), .typed(.delete), .typed(.end))
    scenario.given(.typed(.right), .typed(.character("z")))
    #expect(text() == "x\u{301}z")
  }

  @Test func `control characters are not typed`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.rename), .typed(.clear))
    scenario.send(.typed(.character("\u{1B}")))
  }
}
