import TestSupport
import Testing
import VirtualHeadphones

@Suite struct ScaledClockTests {
  @Test func `an hour passes in a minute`() async throws {
    let base = ManualClock()
    let clock = ScaledClock(base, factor: 60)
    let start = clock.now
    let sleep = Task { try await clock.sleep(for: .seconds(3600)) }
    await base.sleepers(1)
    base.advance(by: .seconds(60))
    try await sleep.value
    #expect(start.duration(to: clock.now) == .seconds(3600))
  }
}
