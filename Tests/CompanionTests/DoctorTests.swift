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
}
