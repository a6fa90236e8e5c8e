import Companion
import CompanionRuntime
import JSON
import Testing

@Suite struct DoctorReportTests {
  private let results = [
    DiagnosticResult(.kernel, .ok, "the kernel supports Bluetooth"),
    DiagnosticResult(.power, .problem, "hci0 is off", fix: "bluetoothctl power on"),
    DiagnosticResult(.soundServer, .unknown, "odd \u{1B}[31m"),
  ]

  @Test func `the text has aligned columns, and the remedy alone in its line`() {
    let expected = [
      "✓ ok       kernel          the kernel supports Bluetooth",
      "✗ problem  power           hci0 is off",
      "                           → bluetoothctl power on",
      "? unknown  sound-server    odd \u{FFFD}[31m", "", "1 problem",
    ].joined(separator: "\n")
    #expect(DoctorReport(results).text == expected)
  }

  @Test func `an ASCII terminal gets ASCII, and colours only where they are wanted`() {
    let plain = DoctorReport(results.dropLast(), look: .init(hasColors: false, isUnicode: false))
    #expect(plain.text.utf8.allSatisfy { $0 < 0x80 && $0 != 0x1B })
    let colored = DoctorReport(results.dropLast(), look: .init(hasColors: true, isUnicode: false))
    #expect(colored.text.contains("\u{1B}[31mx problem\u{1B}[0m  power"))
  }

  @Test func `the JSON has the same results`() {
    let expected = [
      #"{"schema":1,"findings":["#,
      #"{"check":"kernel","state":"ok","what":"the kernel supports Bluetooth","remedy":null},"#,
      #"{"check":"power","state":"problem","what":"hci0 is off","remedy":"bluetoothctl power on"}]}"#,
    ].joined()
    #expect("\(DoctorReport(results.dropLast()).json)" == expected)
  }

  @Test(
    arguments: [
      ([], .ok), ([DiagnosticResult(.locale, .warning, "")], .ok),
      ([DiagnosticResult(.locale, .problem, "")], .failed),
      (
        [DiagnosticResult(.locale, .problem, ""), DiagnosticResult(.netRaw, .problem, "")],
        .noAdapter
      ),
    ] as [([DiagnosticResult], CompanionRuntime.ExitStatus)])
  func `the exit status is the worst that can be reported`(
    results: [DiagnosticResult], status: CompanionRuntime.ExitStatus
  ) {
    #expect(DoctorReport(results).status == status)
  }
}
