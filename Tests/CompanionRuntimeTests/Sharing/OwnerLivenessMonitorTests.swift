import CompanionRuntime
import Testing

/// How long a visitor waits for an owner that says nothing.
@Suite struct OwnerPatienceTests {
  /// What is done at the looks until the owner is given up, or `until`, with the time of each.
  private func deeds(
    _ patience: inout OwnerLivenessMonitor, until end: Duration = .seconds(60),
    isStopped: Bool = false,
    answering answer: Answer? = nil
  ) -> [(at: Duration, deed: OwnerLivenessMonitor.Deed)] {
    var deeds: [(Duration, OwnerLivenessMonitor.Deed)] = []
    var time = Duration.zero
    while time < end {
      time += patience.pause
      let deed = patience.look(at: 7, isStopped: isStopped)
      if deed == .ask, let answer { patience.receive(answer) }
      guard deed != .nothing else { continue }
      deeds.append((time, deed))
      if case .giveUp = deed { break }
    }
    return deeds
  }

  @Test(arguments: [nil, Duration.seconds(20)])
  func `one that does not begin is given up after five seconds`(limit: Duration?) {
    for isStopped in [false, true] {
      var patience = OwnerLivenessMonitor(limit: limit)
      let deeds = deeds(&patience, isStopped: isStopped)
      #expect(deeds.map(\.deed) == [.giveUp(isStopped ? .stopped(7) : .silent(7))])
      #expect(deeds.map(\.at) == [.seconds(5)])
    }
  }

  @Test func `one that hangs is asked, told, and given up`() {
    var patience = OwnerLivenessMonitor(limit: .seconds(20))
    patience.receive(.begun)
    let deeds = deeds(&patience)
    #expect(deeds.map(\.deed) == [.ask, .report(.silent(7)), .giveUp(.silent(7))])
    #expect(deeds.map(\.at) == [1, 6, 26].map(Duration.seconds))
  }

  @Test func `one that hangs is waited for where there is no limit, and told once`() {
    var patience = OwnerLivenessMonitor(limit: nil)
    patience.receive(.begun)
    #expect(deeds(&patience).map(\.deed) == [.ask, .report(.silent(7))])
    patience.receive(.output("it goes on"))
    // What it has to say from now on is no news, and what it does not say again is.
    #expect(deeds(&patience).map(\.deed) == [.ask, .report(.silent(7))])
  }

  @Test func `one that is awake is asked ever less often, for as long as the command takes`() {
    var patience = OwnerLivenessMonitor(limit: nil)
    patience.receive(.begun)
    let times = deeds(&patience, until: .seconds(3600), answering: .alive).map { $0.at }
    #expect(times.count < 15)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > .seconds(5) })
  }

  @Test func `where there is a limit, a hang is noticed within about as long`() {
    var patience = OwnerLivenessMonitor(limit: .seconds(20))
    patience.receive(.begun)
    _ = deeds(&patience, until: .seconds(3600), answering: .alive)
    #expect(deeds(&patience).last?.deed == .giveUp(.silent(7)))
    #expect(patience.pause <= .seconds(20))
  }

  @Test func `one that was stopped is told at once, and given up at the limit`() {
    var patience = OwnerLivenessMonitor(limit: .seconds(20))
    patience.receive(.begun)
    let deeds = deeds(&patience, isStopped: true)
    #expect(deeds.map(\.deed) == [.report(.stopped(7)), .giveUp(.stopped(7))])
    #expect(deeds.map(\.at) == [1, 21].map(Duration.seconds))
  }

  @Test func `one that does a command of its own is waited for up to the limit`() {
    var patience = OwnerLivenessMonitor(limit: .seconds(20))
    patience.receive(.busy)
    let deeds = deeds(&patience)
    #expect(deeds.map(\.deed) == [.report(.busy(7)), .giveUp(.busy(7))])
    #expect(deeds.map(\.at) == [1, 21].map(Duration.seconds))
  }
}
