/// Finds the frame length that carries most, by measuring.
///
/// A frame that fills link-layer packets is faster than a longer one whose rest needs another packet,
/// and nobody tells how long those packets are. So lengths that fit the usual ones are tried, each in
/// a short run whose acknowledgements are measured, as long as the bytes that are left make the trial
/// worth it; one that was measured briefly may be better than it has shown (upper confidence bound;
/// Auer, Cesa-Bianchi, Fischer, 2002).
struct FrameSizing: Sendable {
  /// A frame takes the air no longer than this; s.
  private static let longestFlight = 0.5
  /// Connection events that a trial fills.
  private static let eventsOfATrial = 2
  /// Acknowledgements that are waited for.
  private static let stepsOfATrial = 3
  /// How much more a length may carry than one measured gap has shown.
  private static let doubt = 0.3

  private struct Candidate: Sendable {
    /// Bytes of a frame with its offset.
    let length: Int
    /// What was measured: bytes of the image, s, and gaps between bursts of acknowledgements.
    var bytes = 0
    var time = 0.0
    var gaps = 0

    /// Bytes a second.
    var rate: Double { time > 0 ? Double(bytes) / time : 0 }
  }

  /// Bytes of the image that were sent in one length, and how they arrived.
  private struct Run: Sendable {
    var candidate: Int
    var range: Range<Int>
    var trail = ArrivalTrail()
  }

  private var candidates: [Candidate]
  private var runs: [Run] = []
  /// The run that tries a length ends here; nil: no trial.
  private var trialEnd: Int?
  /// The acknowledgement before, and the most bytes between two.
  private var last: (start: Int, moment: Duration)?
  private var longestStep = 0
  private let total: Int
  private let leastRate: Double
  /// The shortest data of a frame that was sent, but for the image's last; bytes.
  private(set) var shortestSent: Int?

  /// - Parameters:
  ///   - total: bytes of the image.
  ///   - leastRate: bytes a second that the link carries at least.
  init(longestFrame: Int, total: Int, leastRate: Double?) {
    self.leastRate = leastRate ?? 0
    candidates = FrameLengths.upTo(longestFrame).map { Candidate(length: $0) }
    self.total = total
  }

  /// Bytes of the image in the next frame.
  var dataLength: Int { max(1, frameLength - FirmwareFrame.headerLength) }

  private var current: Int { runs.last?.candidate ?? 0 }

  /// The length that has carried most.
  private var best: Int {
    candidates.indices.max { candidates[$0].rate < candidates[$1].rate } ?? 0
  }

  private var frameLength: Int {
    let wanted = candidates[current].length
    let measured = candidates[best].rate
    // The first exchange has shown a fraction of what the link carries.
    let longest = measured > 0 ? measured * Self.longestFlight : leastRate
    guard longest > 0, Double(wanted) > longest else { return wanted }
    return min(wanted, FrameLengths.fittingShortest(Int(longest)))
  }

  mutating func sent(_ range: Range<Int>) {
    if range.upperBound < total { shortestSent = min(shortestSent ?? range.count, range.count) }
    if let last = runs.last, last.range.upperBound == range.lowerBound {
      runs[runs.count - 1].range = last.range.lowerBound..<range.upperBound
    } else {
      runs.append(Run(candidate: current, range: range))
    }
    guard let end = trialEnd, range.upperBound >= end else { return }
    trialEnd = nil
    open(best, at: range.upperBound)
  }

  private mutating func open(_ candidate: Int, at start: Int) {
    runs.append(Run(candidate: candidate, range: start..<start))
  }

  /// Measures by what one event has acknowledged.
  ///
  /// - Parameters:
  ///   - start: the first byte that was missing before it.
  ///   - next: the first byte not yet sent.
  mutating func acknowledged(from start: Int, next: Int, at now: Duration) {
    for index in runs.indices where runs[index].range.lowerBound <= start {
      guard let last, start <= runs[index].range.upperBound else { continue }
      runs[index].trail.add(start, at: now, after: now - last.moment)
    }
    longestStep = max(longestStep, start - (last?.start ?? start))
    last = (start, now)
    if let run = runs.first, runs.count > 1, run.range.upperBound <= start {
      learnFromFirstRun()
      runs.removeFirst()
    } else if runs.count == 1, runs[0].trail.isLong {
      learnFromFirstRun()
    }
    // One trial at a time.
    if trialEnd == nil, runs.count == 1 { tryAnother(next: next) }
  }

  private mutating func learnFromFirstRun() {
    let candidate = runs[0].candidate
    guard let measure = runs[0].trail.takeMeasure() else { return }
    candidates[candidate].bytes += measure.bytes
    candidates[candidate].time += measure.time.inSeconds
    candidates[candidate].gaps += measure.gaps
  }

  private mutating func tryAnother(next: Int) {
    if current != best { open(best, at: next) }
    let leader = candidates[best]
    guard leader.gaps >= 2 else { return }
    let bytesOfAnEvent = leader.bytes / leader.gaps
    let eventsLeft = Double(total - next) / Double(max(1, bytesOfAnEvent))
    let measured = candidates.filter { $0.gaps > 0 && $0.length != leader.length }
    let likely = FrameLengths.likelihoods(
      of: measured.map { (length: $0.length, ratio: $0.rate / leader.rate) },
      against: leader.length)
    let hopes = candidates.indices.filter { $0 != best }.map {
      (index: $0, gain: gain(of: $0, over: leader, events: eventsLeft, likely))
    }
    guard let hope = hopes.max(by: { $0.gain < $1.gain }), hope.gain > 0 else { return }
    open(hope.index, at: next)
    let length = candidates[hope.index].length
    // So long that one event lies wholly in it, even if this length carries the most it can.
    let most = FrameLengths.highestRatio(length, to: leader.length)
    let bytes = max(Self.eventsOfATrial * bytesOfAnEvent, Self.stepsOfATrial * longestStep)
    trialEnd = next + length + Int(Double(bytes) * max(1, most))
  }

  /// The events that trying a length would save, less those that it would cost.
  private func gain(
    of index: Int, over leader: Candidate, events: Double, _ likely: [Double]
  ) -> Double {
    let candidate = candidates[index]
    let cost = Double(Self.eventsOfATrial)
    guard candidate.gaps > 0 else {
      return FrameLengths.expect(candidate.length, against: leader.length, likely) { ratio in
        ratio > 1 ? (1 - 1 / ratio) * events : (1 - 1 / ratio) * cost
      }
    }
    let hope = candidate.rate * (1 + Self.doubt / Double(candidate.gaps).squareRoot())
    return (hope / leader.rate - 1) * events - (leader.rate / candidate.rate - 1) * cost
  }
}
