import BluetoothCodec
import Companion
import Diagnostics
import Testing

@Suite struct TextRedactionTests {
  private static func redaction() -> TextRedaction {
    let known = KnownHeadphone(
      id: HeadphoneID(rawValue: "00005e005301"), name: "Anna's Buds",
      address: PeerAddress(BluetoothAddress(value: 0xC0DE_5E00_5301), .random),
      serial: SerialNumber(manufacturer: nil, model: nil, number: "AB-0001"))
    return TextRedaction(Pseudonyms(known: [known], others: ["lap"])) {
      $0 == "HOME" ? "/home/anna" : nil
    }
  }

  @Test(arguments: [
    ("C0:DE:5E:00:53:01 is near", "C0:00:00:00:00:01 is near"),
    ("sink virtual_output.00_00_5E_00_53_01!", "sink virtual_output.00_00_00_00_00_02!"),
    ("headphone=00005e005301: ready", "headphone=000000000002: ready"),
    ("Anna's Buds (AB-0001)", "name1...... (name2..)"),
    ("/home/anna/.config and /home/annabel", "~/.config and /home/annabel"),
    ("lap, overlap, laptop", "me3, overlap, laptop"),
    ("at 14:03:22.123, 3 of 12, deadbeef", "at 14:03:22.123, 3 of 12, deadbeef"),
    ("ABCDEFABCDEF is a word", "ABCDEFABCDEF is a word"),
    ("AB:CD:EF:FE:DC:BA, headphone=abcdeffedcba", "80:00:00:00:00:02, headphone=800000000002"),
    ("sent: 0B 41 6E 6E 61 27 73, 7 of it", "sent: (7 bytes), 7 of it"),
    ("a 01 02 03 04 05 06 word", "a (6 bytes) word"), ("1B 10 00 54", "1B 10 00 54"),
    ("Ben's is forgotten", "name4 is forgotten"),
    ("info earshot: Ben's is paired\nBen's", "info earshot: name4 is paired\nname4"),
    ("info earshot: hook taken-off: token SECRET\nx", "info earshot: hook taken-off: …\nx"),
    ("warning: hook worn ended with status 1", "warning: hook worn ended with status 1"),
    ("", ""),
  ])
  func `what tells whose it is goes, and nothing else`(text: String, expected: String) {
    var redaction = Self.redaction()
    #expect(redaction.redact(text) == expected)
  }

  @Test func `the same gets the same other one, in whatever form it is written`() {
    var redaction = Self.redaction()
    let text = redaction.redact(
      "C0:DE:5E:00:53:01 c0de5e005301 00:00:5E:00:53:02 C0-DE-5E-00-53-01")
    #expect(text == "C0:00:00:00:00:01 c00000000001 00:00:00:00:00:02 C0-00-00-00-00-01")
  }

  @Test func `a report tells what is in it, and which of it was replaced`() {
    let report = MachineReport([
      .init("headphones", "Anna's Buds\u{1B}[2J"), .init("log", ""),
    ])
    let redacted = report.text(redacting: Self.redaction())
    #expect(redacted.contains("== headphones\n\nname1......"))
    #expect(redacted.contains("== log\n\nnothing\n") && redacted.contains("are replaced"))
    #expect(!redacted.contains("\u{1B}") && !redacted.contains("Anna"))
    #expect(report.text(redacting: nil).contains("Anna's Buds"))
  }
}
