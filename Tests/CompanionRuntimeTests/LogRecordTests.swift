import Companion
import CompanionRuntime
import JSON
import Testing

@Suite struct LogRecordTests {
  @Test func `a line of the log has time, level, origin and words`() throws {
    let line =
      "2026-11-21 14:03:22.123 warning earshot headphone=f0f1: is lost: it is: away\u{1B}[31m"
    let record = try #require(LogRecord(line: line))
    #expect(record.time == "2026-11-21 14:03:22.123")
    #expect(record.level == .warning)
    #expect(record.origin == "earshot headphone=f0f1")
    #expect(record.displayText.hasPrefix("is lost: it is: away"))
    #expect(!record.text.contains("\u{1B}"))
    #expect(record.json["level"] == "warning")
  }

  @Test(arguments: ["", "words", "2026-11-21 14:03:22.123 loud earshot: x", "a b info earshot"])
  func `what is no line of the log is none`(line: String) {
    #expect(LogRecord(line: line) == nil)
  }
}
