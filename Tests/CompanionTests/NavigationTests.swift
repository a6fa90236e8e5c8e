import Bluetooth
import Companion
import HeadphoneProtocols
import Testing

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
    scenario.press(.help) { $0.page = .help(line: 0) }
    scenario.press(.help) { $0.page = .main }
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
      $0.dialog = .entry(TextEntry(.filter, text: "MT"))
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
    scenario.press(.quit, effects: [.stopScan, .disconnect(ear)]) { $0.isQuitting = true }
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
    scenario.given(.scan(.failed(.controller(status: 0x0C, during: "scanning"))), .pressed(.nextANC))
    scenario.send(.timerFired(.notice)) { $0.notice = nil }
    #expect(scenario.state.problem != nil)
  }
}
