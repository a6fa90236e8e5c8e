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

  @Test func `on a terminal it is the line of the log's page`() throws {
    let line =
      "2026-11-21 14:03:22.123 error earshot headphone=f0f1 link=idle part=link: away\u{1B}"
    var record = try #require(LogRecord(line: line))
    #expect(record.headphone == "f0f1")
    #expect(record.text(.monochrome).hasPrefix("2026-11-21 14:03:22 ✗ link      f0f1: away"))
    record.headphoneName = "Aurora"
    #expect(record.text(.monochrome).hasPrefix("2026-11-21 14:03:22 ✗ link      Aurora: away"))
    #expect(
      !record.text(.monochrome).contains("\u{1B}") && record.text(.color).contains("\u{1B}[31m"))
    #expect(record.text(.plain).contains("headphone=f0f1"))
  }

  @Test(arguments: ["", "words", "2026-11-21 14:03:22.123 loud earshot: x", "a b info earshot"])
  func `what is no line of the log is none`(line: String) {
    #expect(LogRecord(line: line) == nil)
  }
}
