import BluetoothRadio
import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct NavigationTests {
  @Test func `Esc closes what lies on top, and never quits`() {
    var scenario = Scenario.withReady()
    scenario.given(
      .headphone(ear, .reportedError(.busy)),
      .commandEnded(ear, .restart, CommandToken(rawValue: 9), .failed(.noResponse)),
      .pressed(.help), .pressed(.otherPanel))
    scenario.press(.back) { $0.problem = nil }
    scenario.press(.back) { $0.page = .main }
    scenario.press(.back)
  }

  @Test func `Esc cancels an attempt that is under way`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(.pressed(.connectOrDisconnect), .pressed(.back))
    #expect(scenario.state.headphones[ear]?.link == .unwanted(.userCancelled))
  }

  @Test func `a page's key opens and closes it`() {
    var scenario = Scenario.withReady()
    scenario.press(.log) { $0.page = .log(line: 0) }
    scenario.press(.help) { $0.page = .help(over: .log(line: 0), line: 0) }
    scenario.press(.help) { $0.page = .log(line: 0) }
    scenario.press(.log) { $0.page = .main }
  }

  @Test(arguments: PageKind.allCases.filter { $0 != .help })
  func `the help has the keys of its page first, and each command once`(kind: PageKind) {
    var state = Scenario.withReady().state
    state.page =
      [.main, .firmware].contains(kind)
      ? .help(over: .plain(kind), line: 0)
      : .help(over: .list(kind, line: 0), line: 0)
    let (sections, lines) = (state.helpSections, state.helpLines)
    #expect(Set(lines.map(\.command)) == Set(UserCommand.allCases))
    #expect(lines.count == UserCommand.allCases.count)
    #expect(sections.last?.title == "Elsewhere")
    #expect(sections.last?.lines.contains { $0.command.isOn(kind) } == false)
    #expect(sections.dropLast().flatMap(\.lines).allSatisfy { $0.command.isOn(kind) })
    for line in lines where line.command.isOn(kind) {
      #expect(line.summary == line.command.summary(on: kind, in: state))
    }
  }

  @Test func `the help says of hearing aids that the keys of noise control choose presets`() {
    func words(_ state: State) -> [String] {
      let commands: [UserCommand] =
        [.nextANC, .previousANC] + [.off, .noiseCancelling, .adaptive].map(UserCommand.setANC)
      return commands.compactMap { command in
        state.helpLines.first { $0.command == command }?.summary
      }
    }
    var aids = Capabilities()
    aids.settings = [.preset(.preset, [("home", "Home"), ("cinema", "At the cinema")])]
    #expect(
      words(Scenario.withReady(aids).state) == [
        "next preset", "previous preset", "preset 1: Home", "preset 2: At the cinema", "preset 4",
      ])
    #expect(
      words(Scenario.withReady(allFeatures).state) == [
        "next noise control mode", "previous noise control mode", "noise control: off",
        "noise control: noise cancelling", "noise control: adaptive",
      ])
    #expect(
      UserCommand.setANC(.off).summary(on: .main) == "noise control: off; on hearing aids, preset 1"
    )
  }

  @Test func `a command that neither page nor main page has says where it is`() throws {
    var scenario = Scenario.withReady(allFeatures)
    scenario.given(.pressed(.help))
    let redo = try #require(scenario.state.helpLines.firstIndex { $0.command == .redo })
    scenario.given(.pointed(.line(redo)))
    scenario.press(.accept, effects: [.noticeTimer]) {
      $0.explains("only on the page Equaliser", ear)
    }
    // Over its page it runs, and the page is still there.
    scenario.given(.pressed(.back), .pressed(.equaliser), .pressed(.help))
    let there = try #require(scenario.state.helpLines.firstIndex { $0.command == .redo })
    scenario.given(.pointed(.line(there)), .pressed(.accept))
    #expect(
      scenario.state.page.kind == .equaliser && scenario.state.notice?.text == "nothing to redo")
  }

  @Test func `the footer has first what is needed now`() {
    var scenario = Scenario()
    scenario.given(.adapterChanged(.absent))
    #expect(scenario.state.footerHints.first?.commands == [.doctor])
    #expect(Scenario.withAdapter().state.footerHints.first?.commands == [.scan])
    #expect(Scenario.withHeadphone().state.footerHints.first?.commands == [.connectOrDisconnect])
    let unpaired = Scenario.withReady(allFeatures).state
    #expect(unpaired.footerHints.prefix(2).map(\.commands) == [[.pair], [.nextANC]])
    var paired = unpaired
    paired.headphones.update(ear) { $0.isEncrypted = true }
    #expect(paired.footerHints.first?.commands == [.nextANC])
    // A sound that can be stopped comes before everything else.
    paired.headphones.update(ear) { $0.find = Setting(.both) }
    #expect(paired.footerHints.first?.label == "Stop")
  }

  @Test func `the cursor stays on the page's lines`() {
    var scenario = Scenario.withReady()
    let last = UserCommand.allCases.count - 1
    scenario.given(.pressed(.help))
    scenario.press(.up)
    scenario.press(.pageDown) { $0.page = .help(line: 10) }
    scenario.press(.bottom) { $0.page = .help(line: last) }
    scenario.press(.down)
    scenario.press(.top) { $0.page = .help(line: 0) }
  }

  @Test func `the log is narrowed while the filter is typed`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.log), .pressed(.filter), .typed(.character("M")))
    scenario.send(.typed(.character("T"))) {
      $0.dialog = .entry(TextEntry(.search(on: .log), text: "MT"))
      $0.filter = "MT"
    }
    #expect(scenario.state.logLines.map(\.text) == ["ready after 12 requests, MTU 185"])
    scenario.press(.accept) { $0.dialog = nil }
    scenario.press(.back) {
      $0.page = .main
      $0.filter = ""
    }
  }

  @Test func `arrows walk over the rows that the headphone has and turn them`() {
    var capabilities = allFeatures
    capabilities.hasANCLevel = false
    var scenario = Scenario.withReady(capabilities)
    scenario.press(.down) { $0.controlRow = .eq }
    let token = CommandToken(rawValue: 1)
    scenario.press(.left, effects: [.perform(ear, .setEQ(.custom), token)]) {
      $0.headphones.update(ear) { _ = $0.eq.want(.custom, token: token) }
      $0.countCommands(1)
    }
    scenario.press(.bottom) { $0.controlRow = .setting(.wearDetection) }
    scenario.press(.down)
  }

  @Test func `brackets choose the headphone round the ends`() {
    var scenario = Scenario.withHeadphone(peripheral(ear), peripheral(bud))
    scenario.press(.previousHeadphone) {
      $0.headphones.select(bud)
      $0.keepsSelection = true
    }
    scenario.press(.nextHeadphone) { $0.headphones.select(ear) }
  }

  @Test func `quitting ends the links`() {
    var scenario = Scenario.withReady()
    scenario.given(.scan(.started))
    scenario.press(.quit, effects: [.stopScan, .disconnect(ear)]) {
      $0.isQuitting = true
      $0.isEnding = true
    }
  }

  @Test func `a label tells what its key would do`() {
    var scenario = Scenario.withHeadphone()
    #expect(UserCommand.connectOrDisconnect.label(in: scenario.state) == "Connect")
    scenario.given(.pressed(.connectOrDisconnect))
    #expect(UserCommand.connectOrDisconnect.label(in: scenario.state) == "Cancel")
    #expect(
      UserCommand.connectOrDisconnect.label(in: Scenario.withReady().state) == "Disconnect")
  }

  @Test func `every command has a name of its own`() {
    let names = UserCommand.allCases.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test func `a notice goes after its time, a problem stays`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(
      .scan(.failed(.controller(status: 0x0C, during: "scanning"))), .pressed(.nextANC))
    scenario.send(.timerFired(.notice)) { $0.notice = nil }
    #expect(scenario.state.problem != nil)
  }
}
