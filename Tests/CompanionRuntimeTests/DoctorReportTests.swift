import Companion
import CompanionRuntime
import JSON
import Testing

@Suite struct DoctorReportTests {
  private let findings = [
    Finding(.kernel, .ok, "Linux has Bluetooth"),
    Finding(.power, .problem, "hci0 is off", remedy: "bluetoothctl power on"),
    Finding(.soundServer, .unknown, "odd \u{1B}[31m"),
  ]

  @Test func `the text has aligned columns, and the remedy alone in its line`() {
    let expected = [
      "✓ ok       kernel          Linux has Bluetooth",
      "✗ problem  power           hci0 is off",
      "                           → bluetoothctl power on",
      "? unknown  sound-server    odd \u{FFFD}[31m", "", "1 problem",
    ].joined(separator: "\n")
    #expect(DoctorReport(findings).text == expected)
  }

  @Test func `an ASCII terminal gets ASCII, and colours only where they are wanted`() {
    let plain = DoctorReport(findings.dropLast(), look: .init(hasColors: false, isUnicode: false))
    #expect(plain.text.utf8.allSatisfy { $0 < 0x80 && $0 != 0x1B })
    let colored = DoctorReport(findings.dropLast(), look: .init(hasColors: true, isUnicode: false))
    #expect(colored.text.contains("\u{1B}[31mx problem\u{1B}[0m  power"))
  }

  @Test func `the JSON has the same findings`() {
    let expected = [
      #"{"schema":1,"findings":["#,
      #"{"check":"kernel","state":"ok","what":"Linux has Bluetooth","remedy":null},"#,
      #"{"check":"power","state":"problem","what":"hci0 is off","remedy":"bluetoothctl power on"}]}"#,
    ].joined()
    #expect("\(DoctorReport(findings.dropLast()).json)" == expected)
  }

  @Test(
    arguments: [
      ([], .ok), ([Finding(.locale, .warning, "")], .ok),
      ([Finding(.locale, .problem, "")], .failed),
      ([Finding(.locale, .problem, ""), Finding(.netRaw, .problem, "")], .noAdapter),
    ] as [([Finding], CompanionRuntime.ExitStatus)])
  func `the exit status is the worst that can be reported`(
    findings: [Finding], status: CompanionRuntime.ExitStatus
  ) {
    #expect(DoctorReport(findings).status == status)
  }
}
