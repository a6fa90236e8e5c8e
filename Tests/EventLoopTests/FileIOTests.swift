import Dispatch
import EventLoop
import Locking
import Testing

@Suite struct FileIOTests {
  private let io = FileIO(threadName: "test")
  /// A gate that blocks like a stalled disk.
  private let gate = DispatchSemaphore(value: 0)

  @Test func `what a disk answers in time is returned`() async {
    #expect(await io.run(within: .seconds(240)) { 7 } == 7)
  }

  @Test func `a disk that stalls is waited for as long as its limit, and goes on`() async {
    let isWritten = Atomic(false)
    let answer = await io.run(within: .milliseconds(1)) { [gate] in
      gate.wait()
      isWritten.store(true, ordering: .relaxed)
      return true
    }
    let wasWritten = isWritten.load(ordering: .relaxed)
    #expect(answer == nil && !wasWritten)
    gate.signal()
    await io.run {}
    let isWrittenNow = isWritten.load(ordering: .relaxed)
    #expect(isWrittenNow)
  }

  @Test func `the last work of a process is done before it ends`() {
    let isWritten = Atomic(false)
    FileIO.runLast(within: .seconds(240)) { isWritten.store(true, ordering: .relaxed) }
    let isDone = isWritten.load(ordering: .relaxed)
    #expect(isDone)
  }

  @Test func `a disk that stalls at the end of a process is left behind`() async {
    let (ends, end) = AsyncStream<Void>.makeStream()
    FileIO.runLast(within: .zero) { [gate] in
      gate.wait()
      end.yield()
    }
    gate.signal()
    #expect(await ends.first { true } != nil)
  }
}
