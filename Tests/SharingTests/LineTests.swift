import Glibc
import Testing

@testable import Sharing

@MainActor @Suite struct LineTests {
  @Test(arguments: 1...9) func `lines are the same however the stream is cut`(size: Int) {
    var buffer = LineBuffer()
    var lines: [String] = []
    let bytes = Array("one\n\ntwo and\nthe rest".utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      buffer.append(bytes[start..<min(start + size, bytes.count)])
      while let line = buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }
    #expect(lines == ["one", "", "two and"])
    #expect(buffer.count == 8)
    #expect(buffer.rest() == Array("the rest".utf8) && buffer.count == 0)
  }

  @Test func `lines that were pasted together are read one by one`() async {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let text = Array("y\nmore\nlast".utf8)
    #expect(write(ends[1], text, text.count) == text.count)
    close(ends[1])
    let reader = LineReader(ends[0])
    #expect(await reader.next() == "y")
    #expect(await reader.next() == "more")
    #expect(await reader.next() == "last")
    #expect(await reader.next() == nil)
    close(ends[0])
  }
}
