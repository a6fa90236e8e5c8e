import EventLoop
import Glibc
import Testing

/// Writes to a reader that may read nothing, during which the program does not block.
@Suite final class NonBlockingWriterTests {
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

  private func emitter(limit: Int = 1 << 16) -> NonBlockingWriter {
    NonBlockingWriter(writer, limit: limit) { "(\($0) messages were lost: nobody read them)\n" }
  }

  /// Returns the output up to the point at which `isEnough` holds.
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
    emitter().send("one\n".utf8)
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(Glibc.read(reader, &buffer, 16) == 4)
  }

  @Test func `a pipe gets a page at once, and then no more`() {
    let page = [UInt8](repeating: 0x78, count: 5000)[...]
    #expect(writeWhatFits(page, to: writer) == .done(4096))
    #expect(writeWhatFits(page, to: writer) == .wouldBlock)
  }

  @Test func `a full pipe holds up nobody, and gets all later in order`() async throws {
    let emitter = emitter()
    let lines = (0..<1000).map { "line \($0)\n" }
    for line in lines { emitter.send(line.utf8) }
    #expect(fcntl(writer, F_GETFL) & O_NONBLOCK == 0, "the modes of the file are others' too")
    let text = try await read { $0.hasSuffix("line 999\n") }
    #expect(text == lines.joined())
  }

  @Test func `what is too much is lost and counted`() async throws {
    let emitter = emitter()
    let line = String(repeating: "x", count: 1023) + "\n"
    for _ in 0..<200 { emitter.send(line.utf8) }
    let text = try await read { $0.hasSuffix("nobody read them)\n") }
    let lines = text.split(separator: "\n")
    let lost = try #require(lines.last?.dropFirst().prefix { $0.isNumber }).description
    #expect(lines.count - 1 + (Int(lost) ?? 0) == 200)
    #expect(lines.dropLast().allSatisfy { $0.count == 1023 })
    emitter.send("again\n".utf8)
    #expect(try await read { $0.hasSuffix("again\n") } == "again\n")
  }

  @Test func `the end of waiting is reported`() async throws {
    let emitter = emitter()
    let (drained, drain) = AsyncStream<Void>.makeStream()
    emitter.onDrained { drain.yield() }
    emitter.send([UInt8](repeating: 0x78, count: 10_000))
    #expect(emitter.isBusy)
    _ = try await read { $0.count == 10_000 }
    #expect(await drained.first { _ in true } != nil)
    #expect(!emitter.isBusy)
  }

  @Test func `what is cleared never goes out`() async throws {
    let emitter = emitter()
    emitter.send([UInt8](repeating: 0x78, count: 10_000))
    emitter.clear()
    #expect(!emitter.isBusy)
    emitter.send("end".utf8)
    let text = try await read { $0.hasSuffix("end") }
    #expect(text.count < 10_000)
  }

  @Test func `flushing gives up on a reader that takes nothing`() {
    let emitter = emitter()
    emitter.send([UInt8](repeating: 0x78, count: 10_000))
    #expect(!emitter.flush(within: .milliseconds(1)))
    emitter.clear()
    #expect(emitter.flush(within: .zero))
  }

  @Test func `a closed writer drops what waits and takes nothing more`() {
    let emitter = NonBlockingWriter(dup(writer))
    emitter.send([UInt8](repeating: 0x78, count: 10_000))
    emitter.close()
    emitter.close()
    #expect(!emitter.isBusy)
  }
}
