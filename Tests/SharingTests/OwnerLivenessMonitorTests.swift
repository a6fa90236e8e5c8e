import Testing

@testable import Sharing

/// How long a client waits for an owner that does not answer.
@Suite struct OwnerLivenessMonitorTests {
  /// Returns the steps with their times, until the owner is given up or `end`.
  private func steps(
    _ monitor: inout OwnerLivenessMonitor, until end: Duration = .seconds(60),
    isStopped: Bool = false,
    answering answer: OwnerMessage? = nil
  ) -> [(at: Duration, step: OwnerLivenessMonitor.Step)] {
    var steps: [(Duration, OwnerLivenessMonitor.Step)] = []
    var time = Duration.zero
    while time < end {
      time += monitor.pause
      let step = monitor.check(7, isStopped: isStopped)
      if step == .ping, let answer { monitor.receive(answer) }
      guard step != .wait else { continue }
      steps.append((time, step))
      if case .giveUp = step { break }
    }
    return steps
  }

  @Test(arguments: [nil, Duration.seconds(20)])
  func `one that does not begin is given up after five seconds`(limit: Duration?) {
    for isStopped in [false, true] {
      var monitor = OwnerLivenessMonitor(limit: limit)
      let steps = steps(&monitor, isStopped: isStopped)
      #expect(steps.map(\.step) == [.giveUp(isStopped ? .stopped(7) : .silent(7))])
      #expect(steps.map(\.at) == [.seconds(5)])
    }
  }

  @Test func `one that hangs is pinged, reported, and given up`() {
    var monitor = OwnerLivenessMonitor(limit: .seconds(20))
    monitor.receive(.begun)
    let steps = steps(&monitor)
    #expect(steps.map(\.step) == [.ping, .report(.silent(7)), .giveUp(.silent(7))])
    #expect(steps.map(\.at) == [1, 6, 26].map(Duration.seconds))
  }

  @Test func `one that hangs is waited for where there is no limit, and reported once`() {
    var monitor = OwnerLivenessMonitor(limit: nil)
    monitor.receive(.begun)
    #expect(steps(&monitor).map(\.step) == [.ping, .report(.silent(7))])
    monitor.receive(.output("it goes on"))
    // A second time of silence is reported again.
    #expect(steps(&monitor).map(\.step) == [.ping, .report(.silent(7))])
  }

  @Test func `one that answers is pinged ever less often, for as long as the command takes`() {
    var monitor = OwnerLivenessMonitor(limit: nil)
    monitor.receive(.begun)
    let times = steps(&monitor, until: .seconds(3600), answering: .alive).map { $0.at }
    #expect(times.count < 15)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .seconds(5) })
  }

  @Test func `where there is a limit, a hang is noticed within about as long`() {
    var monitor = OwnerLivenessMonitor(limit: .seconds(20))
    monitor.receive(.begun)
    _ = steps(&monitor, until: .seconds(3600), answering: .alive)
    #expect(steps(&monitor).last?.step == .giveUp(.silent(7)))
    #expect(monitor.pause <= .seconds(20))
  }

  @Test func `one that was stopped is reported at once, and given up at the limit`() {
    var monitor = OwnerLivenessMonitor(limit: .seconds(20))
    monitor.receive(.begun)
    let steps = steps(&monitor, isStopped: true)
    #expect(steps.map(\.step) == [.report(.stopped(7)), .giveUp(.stopped(7))])
    #expect(steps.map(\.at) == [1, 21].map(Duration.seconds))
  }

  @Test func `one that does a command of its own is waited for up to the limit`() {
    var monitor = OwnerLivenessMonitor(limit: .seconds(20))
    monitor.receive(.busy)
    let steps = steps(&monitor)
    #expect(steps.map(\.step) == [.report(.busy(7)), .giveUp(.busy(7))])
    #expect(steps.map(\.at) == [1, 21].map(Duration.seconds))
  }
}
