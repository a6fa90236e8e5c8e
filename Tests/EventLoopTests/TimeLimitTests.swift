import BluetoothRadio
import EventLoop
import TestSupport
import Testing

@Suite struct TimeLimitTests {
  private let clock = ManualClock()

  @Test func `what ends in time is given back`() async {
    #expect(await within(.seconds(10), by: clock) { 42 } == 42)
  }

  @Test func `what takes longer is cancelled and nothing is given back`() async {
    async let answer = within(.seconds(10), by: clock) { [clock] in
      (try? await clock.sleep(for: .seconds(11))) != nil
    }
    await clock.sleepers(2)
    await clock.pass(.seconds(10))
    #expect(await answer == nil)
  }

  @Test func `a stopwatch counts from its making`() {
    // Nobody sleeps here.
    clock.jump(by: .seconds(5))
    let stopwatch = ElapsedClock(clock)
    #expect(stopwatch.elapsed == .zero)
    clock.jump(by: .milliseconds(1500))
    #expect(stopwatch.elapsed == .milliseconds(1500))
  }

  @Test func `a sleep until a time that passed before it began ends at once`() async throws {
    let stopwatch = ElapsedClock(clock)
    clock.jump(by: .seconds(1))
    try await stopwatch.sleep(until: .seconds(1))
    async let later: Void = stopwatch.sleep(until: .seconds(3))
    await clock.pass(.seconds(2))
    try await later
  }
}
