import Sharing
import Testing

@Suite struct JoinBackOffTests {
  @Test func `an owner that serves nobody is asked at growing intervals and given up`() {
    var backOff = JoinBackOff(limit: .seconds(5))
    var pauses: [Duration] = []
    while let pause = backOff.pause(hasResponded: false) { pauses.append(pause) }
    #expect(pauses.first == .milliseconds(20) && pauses.last == .seconds(1))
    #expect(pauses.reduce(.zero, +) >= .seconds(5) && pauses.count < 20)
  }

  @Test func `an owner that has answered resets the back-off`() {
    var backOff = JoinBackOff(limit: .seconds(5))
    while backOff.pause(hasResponded: false) != nil {}
    #expect(backOff.pause(hasResponded: true) == .milliseconds(20))
    #expect(backOff.pause(hasResponded: false) == .milliseconds(40))
  }
}
