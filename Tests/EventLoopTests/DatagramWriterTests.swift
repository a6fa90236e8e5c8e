import EventLoop
import Glibc
import Testing

/// Words for a reader that may take none: they wait, their program does not.
@Suite(.timeLimit(.minutes(1))) final class MessageOutletTests {
  private let reader: Int32
  private let writer: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    (reader, writer) = (ends[0], ends[1])
    // F_SETPIPE_SZ: one page, which is full after a few lines.
    _ = fcntl(writer, 1031, 4096)
  }

  deinit {
    PollLoop.shared.close(reader)
    PollLoop.shared.close(writer)
  }

  /// What comes until `isEnough`.
  private func read(until isEnough: (String) -> Bool) async throws -> String {
    var text: [UInt8] = []
    while !isEnough(String(decoding: text, as: UTF8.self)) {
      try await PollLoop.shared.readable(reader)
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(reader, &buffer, buffer.count)
      try #require(count > 0)
      text += buffer[..<count]
    }
    return String(decoding: text, as: UTF8.self)
  }

  @Test func `what there is room for goes out at once`() {
    DatagramWriter(writer).send("one\n")
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(Glibc.read(reader, &buffer, 16) == 4)
  }

  @Test func `a full pipe holds up nobody, and gets all later in order`() async throws {
    let emitter = DatagramWriter(writer)
    let lines = (0..<1000).map { "line \($0)\n" }
    for line in lines { emitter.send(line) }
    #expect(fcntl(writer, F_GETFL) & O_NONBLOCK == 0, "the modes of the file are others' too")
    let text = try await read { $0.hasSuffix("line 999\n") }
    #expect(text == lines.joined())
  }

  @Test func `what is too much is lost and counted`() async throws {
    let emitter = DatagramWriter(writer)
    let line = String(repeating: "x", count: 1023) + "\n"
    for _ in 0..<200 { emitter.send(line) }
    let text = try await read { $0.hasSuffix("nobody read them)\n") }
    let lines = text.split(separator: "\n")
    let lost = try #require(lines.last?.dropFirst().prefix { $0.isNumber }).description
    #expect(lines.count - 1 + (Int(lost) ?? 0) == 200)
    #expect(lines.dropLast().allSatisfy { $0.count == 1023 })
    emitter.send("again\n")
    #expect(try await read { $0.hasSuffix("again\n") } == "again\n")
  }
}
