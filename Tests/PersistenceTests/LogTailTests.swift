import Glibc
import Persistence
import TestSupport
import Testing

@Suite struct LogTailTests {
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

  @Test func `what was written just before a rotation is not lost`() throws {
    let file = folder.state.file("log")
    try file.replace(with: Array("one\n".utf8))
    var tail = LogTail(file)
    #expect(try tail.newLines() == ["one"])
    try append("two\n")
    #expect(rename(file.path, "\(file.path).1") == 0)
    try append("three\n")
    #expect(try tail.newLines() == ["two", "three"])
  }

  @Test func `the first lines are those before the last rotation`() throws {
    let file = folder.state.file("log")
    try file.replace(with: Array("one\ntwo\n".utf8))
    #expect(rename(file.path, "\(file.path).1") == 0)
    try append("three\n")
    var tail = LogTail(file)
    #expect(try tail.newLines() == ["one", "two", "three"])
    try append("four\n")
    #expect(try tail.newLines() == ["four"])
  }

  @Test func `a log that is begun again is read from its start`() throws {
    let file = folder.state.file("log")
    try file.replace(with: Array("a long first line\n".utf8))
    var tail = LogTail(file)
    #expect(try tail.newLines().count == 1)
    try file.replace(with: Array("another long line\nb\n".utf8))
    #expect(try tail.newLines() == ["another long line", "b"])
  }
}
