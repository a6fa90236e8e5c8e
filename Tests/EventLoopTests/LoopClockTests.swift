import Testing

@testable import EventLoop

@Suite struct LoopClockTests {
  private let loop = PollLoop(name: "test")

  @Test func `a sleep ends at its deadline, not before`() async throws {
    let clock = LoopClock(loop)
    let deadline = clock.now + .milliseconds(1)
    try await clock.sleep(until: deadline, tolerance: nil)
    #expect(clock.now >= deadline)
    #expect(loop.timerCount == 0)
  }

  @Test func `a deadline that has passed ends at once`() async throws {
    let clock = LoopClock(loop)
    try await clock.sleep(until: clock.now - .seconds(1), tolerance: nil)
  }

  /// As in a program that waits for hours and is interrupted repeatedly.
  @Test func `cancelled sleeps leave nothing behind`() async {
    let clock: any Clock<Duration> = LoopClock(loop)
    for _ in 0..<100 {
      let task = Task { try await clock.sleep(for: .seconds(86_400)) }
      while loop.timerCount == 0 { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(loop.timerCount == 0)
    }
    let cancelled = Task { try await clock.sleep(for: .seconds(86_400)) }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(loop.timerCount == 0)
  }
}
