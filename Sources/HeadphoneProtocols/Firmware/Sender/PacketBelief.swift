internal import Glibc

/// How likely each of the usual link-layer packets is, by when the bytes of frames of several
/// lengths have arrived.
///
/// A link carries its packets at a steady pace, but for noise. So the packets that have gone by at
/// each moment lie on a line, if they are counted in the length that the link really uses; counted
/// in another one, frames of one length seem to travel faster than those of another.
struct PacketBelief: Sendable {
  typealias Burst = AcknowledgementBursts.Burst

  /// A step between two bursts in which nothing stalled.
  private struct Step {
    var packets: Double
    /// In parts of the usual pause.
    var pause: Double
    /// Packets of the burst's last acknowledgement.
    var acknowledged: Double
    /// Whether it follows upon another one that counts.
    var isJoined: Bool
  }

  /// A longer pause, in parts of the usual, is a stall, which tells nothing of the pace.
  private static let longestPause = 4.0
  /// Variance of a burst's moment for whatever reason; what is due to acknowledging several frames
  /// at a time is added.
  private static let grain = 0.01
  /// Variance that each usual pause adds for whatever reason.
  private static let drift = 0.01
  /// Variance that a pause of one packet adds, as some are sent again, either way.
  ///
  /// Of many packets in a pause a smaller part is unlucky.
  private static let sentAgain = 0.15
  /// How much of what is off the line is taken for noise; low: few points convince.
  private static let doubt = 7.0
  /// The exponent's freedom: outliers count less than squares would have them.
  private static let freedom = 9.0
  /// Fewer tell nothing: any two lie on a line.
  private static let fewestBursts = 4

  /// Where frames of another length begin.
  private var runs: [(start: Int, length: Int)] = []
  private var acknowledgements = AcknowledgementBursts()
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
    guard !acknowledgements.isFull else { return }
    acknowledgements.acknowledged(through: end, at: now)
    let bursts = acknowledgements.divided()
    guard let first = bursts.first, let last = bursts.last, bursts.count > 1 else { return }
    bytesOfABurst = (last.end - first.end) / (bursts.count - 1)
    guard bursts.count >= Self.fewestBursts else { return }
    let weights = FrameLengths.packets.map { $0.share * plausibility(of: $0.length, bursts) }
    let sum = weights.reduce(0, +)
    if sum > 0 { likelihoods = weights.map { $0 / sum } }
  }

  /// How well a line fits through the packets of a length that have gone by at each moment.
  ///
  /// By generalised least squares: neighbours share the grain of the moment between them, so the
  /// steps are made independent of each other first (Cholesky). The noise is what packets of this
  /// length would make, so a link that is too uneven for short ones speaks for long ones.
  private func plausibility(of packet: Int, _ bursts: [Burst]) -> Double {
    let steps = steps(between: bursts, packet)
    let packets = steps.reduce(0) { $0 + $1.packets }
    guard packets > 0 else { return 1 }
    let pace = packets / steps.reduce(0) { $0 + $1.pause }
    let drift = Self.drift + Self.sentAgain / pace
    var (xx, xy, yy, scales) = (0.0, 0.0, 0.0, 1.0)
    var before = (packets: 0.0, pause: 0.0, scale: Double.infinity, grain: Self.grain)
    for step in steps {
      if !step.isJoined { before = (0, 0, .infinity, Self.grain) }
      let shared = -before.grain / before.scale
      let grain = Self.grain(acknowledging: step.acknowledged, pace: pace)
      let variance = drift * step.pause + before.grain + grain
      let scale = (variance - shared * shared).squareRoot()
      before = (
        (step.packets - shared * before.packets) / scale,
        (step.pause - shared * before.pause) / scale, scale, grain
      )
      xx += before.packets * before.packets
      xy += before.packets * before.pause
      yy += before.pause * before.pause
      scales *= scale
    }
    guard xy > 0 else { return 1 }
    let squares = max(0, yy - xy * xy / xx)
    let likelihood = pow(1 + squares / Self.doubt, -(Double(bursts.count - 1) + Self.freedom) / 2)
    // Of the unknown pace every order of magnitude is as likely.
    return likelihood * xx.squareRoot() / (scales * xy)
  }

  /// Anything up to one acknowledgement less a packet may have arrived beyond a burst's end, but no
  /// more than a pause carries.
  private static func grain(acknowledging packets: Double, pace: Double) -> Double {
    grain + min(1, max(0, packets * packets - 1) / (pace * pace)) / 12
  }

  private func steps(between bursts: [Burst], _ packet: Int) -> [Step] {
    var steps: [Step] = []
    var isJoined = false
    let counts = packetsOfSteps(between: bursts, packet)
    for (pair, packets) in zip(zip(bursts, bursts.dropFirst()), counts) {
      let (from, to) = pair
      guard to.pause <= Self.longestPause else {
        isJoined = false
        continue
      }
      let part = Double(to.step) / Double(max(1, to.end - from.end))
      steps.append(
        Step(
          packets: packets, pause: to.pause, acknowledged: packets * part, isJoined: isJoined))
      isJoined = true
    }
    return steps
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
