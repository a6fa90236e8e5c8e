import CompanionRuntime
import Testing

/// How long a visitor waits for an owner that says nothing.
@Suite struct OwnerLivenessMonitorTests {
  /// What is done at the looks until the owner is given up, or `until`, with the time of each.
  private func deeds(
    _ timeout: inout OwnerLivenessMonitor, until end: Duration = .seconds(60),
    isStopped: Bool = false,
    answering answer: OwnerMessage? = nil
  ) -> [(at: Duration, deed: OwnerLivenessMonitor.Deed)] {
    var deeds: [(Duration, OwnerLivenessMonitor.Deed)] = []
    var time = Duration.zero
    while time < end {
      time += timeout.pause
      let deed = timeout.look(at: 7, isStopped: isStopped)
      if deed == .ask, let answer { timeout.receive(answer) }
      guard deed != .nothing else { continue }
      deeds.append((time, deed))
      if case .giveUp = deed { break }
    }
    return deeds
  }

  @Test(arguments: [nil, Duration.seconds(20)])
  func `one that does not begin is given up after five seconds`(limit: Duration?) {
    for isStopped in [false, true] {
      var timeout = OwnerLivenessMonitor(limit: limit)
      let deeds = deeds(&timeout, isStopped: isStopped)
      #expect(deeds.map(\.deed) == [.giveUp(isStopped ? .stopped(7) : .silent(7))])
      #expect(deeds.map(\.at) == [.seconds(5)])
    }
  }

  @Test func `one that hangs is asked, reported, and given up`() {
    var timeout = OwnerLivenessMonitor(limit: .seconds(20))
    timeout.receive(.begun)
    let deeds = deeds(&timeout)
    #expect(deeds.map(\.deed) == [.ask, .report(.silent(7)), .giveUp(.silent(7))])
    #expect(deeds.map(\.at) == [1, 6, 26].map(Duration.seconds))
  }

  @Test func `one that hangs is waited for where there is no limit, and reported once`() {
    var timeout = OwnerLivenessMonitor(limit: nil)
    timeout.receive(.begun)
    #expect(deeds(&timeout).map(\.deed) == [.ask, .report(.silent(7))])
    timeout.receive(.output("it goes on"))
    // What it has to say from now on is no news, and what it does not say again is.
    #expect(deeds(&timeout).map(\.deed) == [.ask, .report(.silent(7))])
  }

  @Test func `one that is awake is asked ever less often, for as long as the command takes`() {
    var timeout = OwnerLivenessMonitor(limit: nil)
    timeout.receive(.begun)
    let times = deeds(&timeout, until: .seconds(3600), answering: .alive).map { $0.at }
    #expect(times.count < 15)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > .seconds(5) })
  }

  @Test func `where there is a limit, a hang is noticed within about as long`() {
    var timeout = OwnerLivenessMonitor(limit: .seconds(20))
    timeout.receive(.begun)
    _ = deeds(&timeout, until: .seconds(3600), answering: .alive)
    #expect(deeds(&timeout).last?.deed == .giveUp(.silent(7)))
    #expect(timeout.pause <= .seconds(20))
  }

  @Test func `one that was stopped is reported at once, and given up at the limit`() {
    var timeout = OwnerLivenessMonitor(limit: .seconds(20))
    timeout.receive(.begun)
    let deeds = deeds(&timeout, isStopped: true)
    #expect(deeds.map(\.deed) == [.report(.stopped(7)), .giveUp(.stopped(7))])
    #expect(deeds.map(\.at) == [1, 21].map(Duration.seconds))
  }

  @Test func `one that does a command of its own is waited for up to the limit`() {
    var timeout = OwnerLivenessMonitor(limit: .seconds(20))
    timeout.receive(.busy)
    let deeds = deeds(&timeout)
    #expect(deeds.map(\.deed) == [.report(.busy(7)), .giveUp(.busy(7))])
    #expect(deeds.map(\.at) == [1, 21].map(Duration.seconds))
  }
}
