internal import Glibc

/// How likely each of the usual link-layer packets is, by when the bytes of frames of several lengths
/// have arrived.
///
/// A link carries its packets at a steady pace, but for noise. So the packets that have gone by at each
/// moment lie on a line, if they are counted in the length that the link really uses; counted in
/// another one, frames of one length seem to travel faster than those of another.
struct PacketBelief: Sendable {
  /// The first byte that is missing from a moment on.
  private struct Mark: Sendable {
    var end: Int
    var moment: Duration
  }

  /// What one burst of acknowledgements has told.
  private struct Burst: Sendable {
    var end: Int
    /// Since the burst before, in parts of the usual pause.
    var pause: Double
  }

  /// A shorter pause than this part of the longest does not divide bursts.
  private static let division = 0.25
  /// A longer one, in parts of the usual, is a stall, which tells nothing of the pace.
  private static let longestPause = 4.0
  /// Variance of a burst's moment, as it tells of whole frames and events only.
  private static let grain = 0.03
  /// Variance that each usual pause adds, as packets are sent again.
  private static let drift = 0.03
  /// How much of what is off the line is taken for noise; low: few points convince.
  private static let doubt = 7.0
  /// The exponent's freedom: outliers count less than squares would have them.
  private static let freedom = 9.0
  /// Fewer tell nothing: any two lie on a line.
  private static let fewestBursts = 4
  /// More acknowledgements tell nothing new.
  private static let mostMarks = 160

  /// Where frames of another length begin.
  private var runs: [(start: Int, length: Int)] = []
  private var marks: [Mark] = []
  /// How likely each of ``FrameLengths/packets`` is; 1 in all.
  private(set) var likelihoods = FrameLengths.packets.map(\.share)
  /// Bytes of the image that a burst acknowledges; 0: not known.
  private(set) var bytesOfABurst = 0

  mutating func sent(_ range: Range<Int>, length: Int) {
    if runs.last?.length != length { runs.append((range.lowerBound, length)) }
  }

  /// Notes an acknowledgement.
  ///
  /// - Parameter end: the first byte that is missing after it.
  mutating func acknowledged(through end: Int, at now: Duration) {
    guard marks.count < Self.mostMarks else { return }
    marks.append(Mark(end: end, moment: now))
    let bursts = bursts()
    guard let first = bursts.first, let last = bursts.last, bursts.count > 1 else { return }
    bytesOfABurst = (last.end - first.end) / (bursts.count - 1)
    guard bursts.count >= Self.fewestBursts else { return }
    let weights = FrameLengths.packets.map { $0.share * plausibility(of: $0.length, bursts) }
    let sum = weights.reduce(0, +)
    if sum > 0 { likelihoods = weights.map { $0 / sum } }
  }

  /// Acknowledgements come in bursts, one at each connection event: what each has told in all, and
  /// when it began.
  private func bursts() -> [Burst] {
    let pauses = zip(marks.dropFirst(), marks).map { ($0.moment - $1.moment).inSeconds }
    let sorted = pauses.sorted()
    guard let first = marks.first, let longest = sorted.last else { return [] }
    // One stall among many pauses is not the measure of them.
    let long = sorted.count < 10 ? longest : sorted[sorted.count * 9 / 10]
    var bursts = [Burst(end: first.end, pause: 0)]
    var passed = 0.0
    for (mark, pause) in zip(marks.dropFirst(), pauses) {
      passed += pause
      if pause > long * Self.division {
        bursts.append(Burst(end: mark.end, pause: passed))
        passed = 0
      } else {
        bursts[bursts.count - 1].end = mark.end
      }
    }
    let usual = bursts.dropFirst().map(\.pause).sorted()
    guard !usual.isEmpty else { return bursts }
    let middle = usual[usual.count / 2]
    return bursts.map { Burst(end: $0.end, pause: $0.pause / middle) }
  }

  /// How well a line fits through the packets of a length that have gone by at each moment.
  ///
  /// By generalised least squares: neighbours share the grain of the moment between them, so the
  /// steps are made independent of each other first (Cholesky).
  private func plausibility(of packet: Int, _ bursts: [Burst]) -> Double {
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    let nothing = (packets: 0.0, pause: 0.0, scale: Double.infinity)
    var before = nothing
    for (burst, packets) in zip(bursts.dropFirst(), packetsOfSteps(between: bursts, packet)) {
      guard burst.pause <= Self.longestPause else {
        before = nothing
        continue
      }
      let shared = -Self.grain / before.scale
      let scale = (Self.drift * burst.pause + 2 * Self.grain - shared * shared).squareRoot()
      let step = (
        packets: (packets - shared * before.packets) / scale,
        pause: (burst.pause - shared * before.pause) / scale, scale: scale
      )
      xx += step.packets * step.packets
      xy += step.packets * step.pause
      yy += step.pause * step.pause
      before = step
    }
    guard xx > 0 else { return 1 }
    let squares = max(0, yy - xy * xy / xx)
    return pow(1 + squares / Self.doubt, -(Double(bursts.count - 1) + Self.freedom) / 2)
  }

  /// Link-layer packets of a length between each burst and the next.
  private func packetsOfSteps(between bursts: [Burst], _ packet: Int) -> [Double] {
    var run = 0
    return zip(bursts, bursts.dropFirst()).map { from, to in
      var place = from.end
      var packets = 0.0
      while place < to.end, run < runs.count {
        let next = run + 1 < runs.count ? runs[run + 1].start : to.end
        let end = max(place, min(to.end, next))
        packets += Double(end - place) * FrameLengths.cost(of: runs[run].length, in: packet)
        place = end
        guard place >= next, run + 1 < runs.count else { break }
        run += 1
      }
      return packets
    }
  }
}
