import Companion
import Foundation
import TestSupport
import Testing

@testable import CompanionRuntime

@Suite struct ExaminationTests {
  private let terminal = TerminalFacts(type: nil, isKnown: false, colors: 0, size: nil)

  @Test func `an examination tells every check and changes nothing`() async {
    let folder = TemporaryFolder()
    let findings = await examine(
      adapter: nil, folder: folder.state, terminal: terminal, makeAudio: { SilentAudio() },
      clock: ManualClock())
    #expect(findings.map(\.check) == Check.allCases)
    #expect(
      findings.first { $0.check == .soundServer }?.what == "no sound server: sound is not shown")
    #expect(findings.first { $0.check == .stateFolder }?.state == .ok)
    #expect(!FileManager.default.fileExists(atPath: folder.state.path))
  }

  @Test func `a folder is seen with its mode`() throws {
    let folder = TemporaryFolder()
    #expect(FolderFacts(folder.state).condition == .canBeMade)
    try folder.state.file("known.json").replace(with: [])
    #expect(
      FolderFacts(folder.state).condition == .exists(mode: 0o700, isWritable: true, isOwn: true))
    let file = StateFolder(path: folder.state.path + "/known.json")
    #expect(FolderFacts(file).condition == .notAFolder)
    #expect(FolderFacts(StateFolder(path: "/proc/1/earshot")).condition == .cannotBeMade)
  }
}

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
