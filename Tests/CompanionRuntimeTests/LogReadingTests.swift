import Companion
import CompanionRuntime
import Glibc
import Testing

@Suite struct LogReadingTests {
  private let folder = TemporaryFolder()

  private func append(_ text: String) throws {
    let file = try #require(fopen(folder.state.file("log").path, "a"))
    fputs(text, file)
    fclose(file)
  }

  @Test func `each line is reported once, when it is whole`() throws {
    let file = folder.state.file("log")
    var tail = LogTail(file)
    #expect(try tail.newLines() == [])
    try file.replace(with: Array("one\ntwo\nthr".utf8))
    #expect(try tail.newLines() == ["one", "two"])
    try append("ee\n")
    #expect(try tail.newLines() == ["three"])
    #expect(try tail.newLines() == [])
  }

  @Test func `a log that is begun again is read from its start`() throws {
    let file = folder.state.file("log")
    try file.replace(with: Array("a long first line\n".utf8))
    var tail = LogTail(file)
    #expect(try tail.newLines().count == 1)
    try file.replace(with: Array("another long line\nb\n".utf8))
    #expect(try tail.newLines() == ["another long line", "b"])
  }

  @Test func `a line of the log has time, level, origin and displayText`() throws {
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
