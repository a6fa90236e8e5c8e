import BluetoothRadio
import Companion
import CompanionRuntime
import JSON
import Testing

@Suite struct SecurityReportTests {
  private var facts: SecurityFacts {
    var headphone = HeadphoneSecurityFacts(name: "Aurora \u{1B}[31m")
    headphone.links = [
      LinkSecurityFacts(
        isLowEnergy: true, isControl: true, protection: LinkProtection(level: .medium, keySize: 7))
    ]
    var computer = ComputerSecurityFacts()
    computer.hasDaemon = false
    return SecurityFacts(headphone: headphone, computer: computer)
  }

  @Test func `the text has a part for each of the three, with advice and source below a finding`() {
    let lines = SecurityReport(facts).text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "Headphone: Aurora \u{FFFD}[31m")
    #expect(lines.contains("Link") && lines.contains("Computer"))
    let place = lines.firstIndex { $0.hasPrefix("act        key-size        7 bytes on") }
    let found = place.map { lines[$0...].prefix(3).map { $0.drop { $0 == " " } } } ?? []
    #expect(found.count == 3 && found[1].hasPrefix("-> disconnect and connect again"))
    #expect(
      found.last
        == "CVE-2019-9506, CVE-2023-24023, since 2019-08-13, https://knobattack.com")
    #expect(lines.last?.hasPrefix("1 to act on, ") == true)
    #expect(!SecurityReport(facts).text.contains("\u{1B}"))
  }

  @Test func `a terminal gets marks and colours, as its style has them`() {
    let report = SecurityReport(facts)
    #expect(report.text(.color).contains("\u{1B}[31m✗ act      \u{1B}[0m  key-size"))
    #expect(report.text(.monochrome).contains("✗ act        key-size"))
    #expect(!report.text(.monochrome).contains("\u{1B}"))
    #expect(report.text(.plain).utf8.allSatisfy { $0 < 0x80 } || report.text.contains("\u{FFFD}"))
  }

  @Test func `the JSON has every finding with all its members`() throws {
    let report = SecurityReport(facts)
    let json = "\(report.json)"
    #expect(json.hasPrefix(#"{"schema":1,"headphone":"Aurora"#))
    #expect(
      json.contains(
        #"{"part":"link","check":"key-size","verdict":"act","what":"7 bytes on the controls' link (LE)"#
      ))
    #expect(
      json.contains(
        #""identifiers":["CVE-2019-9506","CVE-2023-24023"],"since":"2019-08-13","source":"https:"#)
        || json.contains(#""source":"https:\/\/knobattack.com""#))
    #expect(
      json.contains(#""identifiers":["bluetoothd"],"since":null,"source":null,"advice":null}"#))
    #expect(json.count(of: #""verdict":"#) == facts.findings.count)
    #expect(report.actions == 1)
  }

  @Test func `without a headphone its name is null`() {
    let report = SecurityReport(SecurityFacts(headphone: nil, computer: facts.computer))
    #expect("\(report.json)".hasPrefix(#"{"schema":1,"headphone":null,"#))
    #expect(report.text.hasPrefix("Headphone\n") && report.actions == 0)
  }
}

extension String {
  /// Returns the number of occurrences of a text.
  fileprivate func count(of text: String) -> Int {
    split(separator: text, omittingEmptySubsequences: false).count - 1
  }
}
