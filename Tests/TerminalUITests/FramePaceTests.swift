import Testing

@testable import TerminalUI

@Suite struct FramePaceTests {
  private let start = ContinuousClock.Instant.now

  /// Draws as soon as the pace permits, `gap` after the previous frame; returns the frames' times.
  private func frames(_ count: Int, gap: Duration) -> [Duration] {
    var pace = FramePace()
    var now = start
    return (0..<count).map { _ in
      if let delay = pace.delay(at: now) { now += delay }
      defer { now += gap }
      return start.duration(to: now)
    }
  }

  @Test func `the first few are drawn at once`() {
    let moments = frames(5, gap: .milliseconds(1))
    #expect(Array(moments[..<4]) == [0, 1, 2, 3].map { .milliseconds($0) })
    #expect(moments[4] > .milliseconds(16))
  }

  @Test(arguments: [0, 1, 5, 17])
  func `no second has more than sixty`(gap: Int) {
    let moments = frames(300, gap: .milliseconds(gap))
    for (index, timestamp) in moments.enumerated() {
      let within = moments[index...].prefix(while: { $0 < timestamp + .seconds(1) })
      #expect(within.count <= 60)
    }
  }

  @Test func `after a rest the next few are drawn at once again`() {
    var pace = FramePace()
    for _ in 1...100 { _ = pace.delay(at: start) }
    let later = start + .seconds(10)
    #expect((1...4).map { _ in pace.delay(at: later) } == [nil, nil, nil, nil])
    #expect(pace.delay(at: later) != nil)
  }
}
