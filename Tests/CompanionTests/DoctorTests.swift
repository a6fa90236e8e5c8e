import Companion
import Testing

@Suite struct DoctorTests {
  private let results = [
    DiagnosticResult(.adapter, .ok, "hci0 is there"),
    DiagnosticResult(.power, .problem, "hci0 is off", fix: "bluetoothctl power on"),
  ]

  @Test func `the doctor looks again each time that its page opens, and on request`() {
    var scenario = Scenario.withAdapter()
    scenario.press(.doctor, effects: [.examine]) { $0.page = .doctor(line: 0) }
    scenario.send(.examined(results)) { $0.diagnosis = results }
    scenario.press(.bottom) { $0.page = .doctor(line: 1) }
    scenario.press(.refresh, effects: [.examine])
    scenario.press(.doctor) { $0.page = .main }
    scenario.press(.doctor, effects: [.examine]) {
      $0.page = .doctor(line: 0)
      $0.diagnosis = nil
    }
    scenario.press(.back) { $0.page = .main }
  }

  @Test func `a fix is run after a question, and everything is checked again`() {
    let fix = Fix.command("bluetoothctl", "power", "on")
    var scenario = Scenario.withAdapter()
    scenario.press(.doctor, effects: [.examine]) { $0.page = .doctor(line: 0) }
    let results = results + [DiagnosticResult(.power, .problem, "hci1 is off", fix: fix)]
    scenario.send(.examined(results)) { $0.diagnosis = results }
    for words in ["nothing to fix", "only you can do this: bluetoothctl"] {
      _ = scenario.effects(of: .pressed(.accept))
      #expect(scenario.state.notice?.text.hasPrefix(words) == true)
      #expect(scenario.state.dialog == nil)
      _ = scenario.effects(of: .pressed(.down))
    }
    scenario.press(.accept, effects: [.cancelTimer(.notice)]) {
      $0.dialog = .question(Question(.runFix(fix)))
      $0.notice = nil
    }
    scenario.press(.accept) { $0.dialog = nil }
    _ = scenario.effects(of: .pressed(.accept))
    _ = scenario.effects(of: .pressed(.right))
    scenario.press(.accept, effects: [.runFix(fix)]) { $0.dialog = nil }
    #expect(scenario.effects(of: .fixEnded(status: 1)).last == .examine)
    #expect(scenario.state.notice?.text == "the fix failed with status 1")
  }
}
