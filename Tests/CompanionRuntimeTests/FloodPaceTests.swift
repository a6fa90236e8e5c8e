import Testing

@testable import CompanionRuntime

@Suite struct FloodPaceTests {
  @Test func `what a headphone reports at its start does not wait`() {
    var pace = FloodPace()
    for _ in 0..<64 { #expect(pace.delay(at: .zero) == nil) }
    #expect(pace.delay(at: .zero) == .milliseconds(16))
  }

  @Test func `a flood is read as often as a frame is drawn`() {
    var pace = FloodPace()
    var (now, reads) = (Duration.zero, 0)
    while now < .seconds(4) {
      reads += 1
      now += pace.delay(at: now) ?? .microseconds(50)
    }
    #expect((250...320).contains(reads))
    // After a pause all of it is there again.
    now += .seconds(2)
    for _ in 0..<64 { #expect(pace.delay(at: now) == nil) }
  }
}
