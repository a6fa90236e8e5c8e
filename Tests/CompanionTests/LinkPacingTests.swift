import BluetoothCodec
import BluetoothRadio
import Companion
import Testing

@Suite struct LinkPacingTests {
  /// An interval of 50 ms and a timeout of 420 ms.
  private let slow = LEConnectionTiming(interval: 40, latency: 4, supervisionTimeout: 42)
  /// An interval of 15 ms and a timeout of 4 s.
  private let quick = LEConnectionTiming(interval: 12, latency: 0, supervisionTimeout: 400)
  private let slowAgain = TimingRange(interval: 40...40, latency: 4, supervisionTimeout: 42)

  /// Returns the requested timings, in order.
  private func requests(_ steps: Step...) -> [TimingRange?] {
    var pacing = LinkPacing()
    return steps.compactMap { step -> TimingRange?? in
      switch step {
      case .used(let timing): return pacing.use() ? .some(pacing.quicken(from: timing)) : nil
      case .rests(let timing): return pacing.isToRest ? .some(pacing.rest(from: timing)) : nil
      case .updates(let timing):
        return pacing.beginUpdate() ? .some(pacing.quicken(from: timing)) : nil
      case .updated:
        pacing.endUpdate()
        return nil
      case .refused:
        pacing.refuse()
        return nil
      }
    }
  }

  private enum Step {
    /// A command is sent over a link with this timing.
    case used(LEConnectionTiming?)
    /// The link was unused for a while.
    case rests(LEConnectionTiming?)
    /// An update begins over a link with this timing.
    case updates(LEConnectionTiming?)
    case updated
    case refused
  }

  @Test func `the first command makes a link quick, and further ones ask for nothing`() {
    #expect(requests(.used(slow), .used(quick), .used(quick)) == [.quick])
  }

  @Test func `a link that rests gets the timing that it had, as often as it is used`() {
    #expect(
      requests(.used(slow), .rests(quick), .rests(slow), .used(slow), .rests(quick))
        == [.quick, slowAgain, .quick, slowAgain])
  }

  @Test func `a link of unknown timing becomes a relaxed one`() {
    #expect(requests(.used(nil), .rests(quick)) == [.quick, .relaxed])
  }

  @Test func `what the headphone asked for meanwhile stays`() {
    let own = LEConnectionTiming(interval: 24, latency: 0, supervisionTimeout: 600)
    #expect(requests(.used(slow), .rests(own)) == [.quick, nil])
  }

  @Test func `a link that is quick by itself is left alone`() {
    #expect(requests(.used(quick), .rests(quick)) == [nil, nil])
  }

  @Test func `an update keeps the link quick`() {
    #expect(
      requests(.updates(slow), .used(quick), .rests(quick), .updated, .rests(quick))
        == [.quick, slowAgain])
  }

  @Test func `an update on a link that is quick already changes nothing`() {
    #expect(
      requests(.used(slow), .updates(quick), .updated, .rests(quick)) == [.quick, nil, slowAgain])
    #expect(requests(.updates(quick), .updated, .rests(quick)) == [nil, nil])
  }

  @Test func `an update is quick, too, where the headphone asked for its own timing since`() {
    let own = LEConnectionTiming(interval: 24, latency: 0, supervisionTimeout: 600)
    let ownAgain = TimingRange(interval: 24...24, latency: 0, supervisionTimeout: 600)
    #expect(
      requests(.used(slow), .updates(own), .updated, .rests(quick)) == [.quick, .quick, ownAgain])
  }

  @Test func `an update asks in vain where that was refused`() {
    #expect(requests(.used(slow), .refused, .updates(slow), .updated, .rests(slow)) == [.quick])
  }

  @Test func `a link that nobody uses any more rests, though it is only about to be quick`() {
    var pacing = LinkPacing()
    let isToQuicken = pacing.use()
    #expect(isToQuicken && pacing.isToRest)
    let asked = pacing.quicken(from: slow)
    let given = pacing.rest(from: quick)
    #expect(asked == .quick && given == slowAgain)
    #expect(!pacing.isToRest)
  }

  @Test func `who was refused once does not ask again`() {
    #expect(requests(.used(slow), .refused, .used(slow), .rests(slow)) == [.quick])
  }
}

@Suite struct SignalTrendTests {
  private func trend(_ strengths: [Int8]) -> SignalTrend {
    var trend = SignalTrend()
    for strength in strengths { trend.add(strength) }
    return trend
  }

  @Test(
    arguments: [
      ([-60, -60, -60, -60, -60], nil),
      ([-60, -60, -60, -60, -61, -60], .steady),
      ([-60, -61, -60, -66, -65, -66], .falling),
      ([-90, -60, -60, -60, -52, -55, -54], .rising),
      ([Int8.min, .min, .min, .max, .max, .max], .rising),
    ] as [([Int8], SignalTrend.Direction?)])
  func `several values against several report the trend`(
    strengths: [Int8], direction: SignalTrend.Direction?
  ) {
    #expect(trend(strengths).direction == direction)
  }

  @Test func `the oldest go`() {
    let trend = trend((0..<30).map { -Int8($0) })
    #expect(trend.strengths.count == 24)
    #expect(trend.strengths.first == -6)
  }
}
