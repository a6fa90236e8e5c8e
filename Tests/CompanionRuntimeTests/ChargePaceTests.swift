import Testing

@testable import CompanionRuntime

@Suite struct ChargePaceTests {
  private let start = ContinuousClock.now

  @Test func `what a headphone reports at its start does not wait`() {
    var pace = ChargePace()
    for _ in 0..<64 { #expect(pace.delay(at: start) == nil) }
    #expect(pace.delay(at: start) == .milliseconds(4))
  }

  @Test func `a flood is read 250 times a second`() {
    var pace = ChargePace()
    var (now, reads) = (start, 0)
    while now < start.advanced(by: .seconds(4)) {
      reads += 1
      now = now.advanced(by: pace.delay(at: now) ?? .microseconds(50))
    }
    #expect((1000...1100).contains(reads))
    // After a pause all of it is there again.
    now = now.advanced(by: .seconds(1))
    for _ in 0..<64 { #expect(pace.delay(at: now) == nil) }
  }
}
