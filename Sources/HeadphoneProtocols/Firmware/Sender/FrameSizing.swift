/// Finds the frame length that carries most, by measuring.
///
/// A frame that fills link-layer packets is faster than a longer one whose rest needs another
/// packet, and nobody tells how long those packets are. So runs of two lengths alternate from the
/// first flight on, until more knowledge could save less than it costs.
struct FrameSizing: Sendable {
  /// A frame takes the air no longer than this; s.
  private static let longestFlight = 0.5
  /// Bursts of acknowledgements that a run fills while lengths alternate, and its frames.
  private static let burstsOfARun = 4
  private static let framesOfARun = 12...28
  /// Frames of the first run, when nothing tells yet what a burst carries.
  private static let framesAtFirst = 16
  /// Bytes of a run, as far as its fewest frames let it: what may be wasted in the worst case.
  private static let bytesOfARun = 6000
  /// Frames that tell enough if all goes well: what a trial takes at least.
  private static let framesOfATrial = 9

  private let candidates: [Int]
  private let total: Int
  private let leastRate: Double
  private var belief = PacketBelief()
  /// Bytes of the frames that are sent now, with their offset.
  private var current: Int
  /// Whether they are there to learn from.
  private var isTrial = false
  /// Where the current run began; nil: with the next frame.
  private var runStart: Int?
  /// The first acknowledgement, and bytes a second since.
  private var first: (end: Int, timestamp: Duration)?
  private var rate: Double?
  /// The shortest data of a frame that was sent, but for the image's last; bytes.
  private(set) var shortestSent: Int?

  /// - Parameter total: bytes of the image.
  init(_ allowance: FirmwareSender.SendLimits, total: Int) {
    let longest = allowance.longestFrame
    candidates = allowance.isAnsweredEach ? [longest] : FrameLengths.upTo(longest)
    self.total = total
    leastRate = allowance.leastRate ?? 0
    current = longest
    current = leader
  }

  /// Bytes of the image in the next frame.
  var dataLength: Int { max(1, frameLength - FirmwareFrame.headerLength) }

  private var frameLength: Int {
    // The first exchange has shown a fraction of what the link carries.
    let longest = rate.map { $0 * Self.longestFlight } ?? leastRate
    guard longest > 0, Double(current) > longest else { return current }
    return min(current, FrameLengths.fittingShortest(Int(longest)))
  }

  mutating func sent(_ range: Range<Int>) {
    if range.upperBound < total { shortestSent = min(shortestSent ?? range.count, range.count) }
    belief.sent(range, length: range.count + FirmwareFrame.headerLength)
    let start = runStart ?? range.lowerBound
    runStart = start
    let bytes = bytesOfARun(frameOf: range.count)
    if range.upperBound - start >= bytes { turn(at: range.upperBound) }
  }

  /// How many bytes go in frames of one length before the other has its turn.
  private func bytesOfARun(frameOf data: Int) -> Int {
    let fewest = Self.framesOfARun.lowerBound * data
    let most = max(fewest, min(Self.framesOfARun.upperBound * data, Self.bytesOfARun))
    let wanted =
      belief.bytesOfABurst > 0
      ? Self.burstsOfARun * belief.bytesOfABurst : Self.framesAtFirst * data
    return min(max(fewest, wanted), most)
  }

  /// Measures by an acknowledgement.
  ///
  /// - Parameter end: the first byte that is missing after it.
  mutating func acknowledged(through end: Int, at now: Duration) {
    belief.acknowledged(through: end, at: now)
    if let first {
      let time = (now - first.timestamp).inSeconds
      if time > 0 { rate = Double(end - first.end) / time }
    } else {
      first = (end, now)
    }
    if !isTrial { current = leader }
  }

  // MARK: Choosing

  /// A run ends: now the other length, if that is worth it.
  private mutating func turn(at next: Int) {
    let leader = leader
    runStart = nil
    isTrial = false
    defer { current = isTrial ? current : leader }
    guard current == leader, let rival = rival(of: leader) else { return }
    let bytes = Double(Self.framesOfATrial * (rival - FirmwareFrame.headerLength))
    let saving = expect { packet in
      // What saves less than the trial takes is left, so that the worst case stays good.
      let saving = waste(of: leader, in: packet) * Double(total - next)
      return saving > bytes ? saving : 0
    }
    guard saving > (waste(of: rival) - waste(of: leader)) * bytes else { return }
    isTrial = true
    current = rival
  }

  /// The length that is likely to waste least.
  private var leader: Int { candidates.min { waste(of: $0) < waste(of: $1) } ?? current }

  /// The length that tells most for what it costs, about what could be better than the leader.
  private func rival(of leader: Int) -> Int? {
    let likely = zip(FrameLengths.packets, belief.likelihoods).max { $0.1 < $1.1 }
    guard let usual = likely?.0.length else { return nil }
    func worth(_ length: Int) -> Double {
      func cost(_ packet: Int) -> Double {
        FrameLengths.cost(of: length, in: packet) / FrameLengths.cost(of: leader, in: packet)
      }
      let difference = expect { packet in
        let apart = cost(packet) - cost(usual)
        return packet == usual ? 0 : waste(of: leader, in: packet) * apart * apart
      }
      // Even what costs nothing takes its place.
      let price = 0.02 + max(0, waste(of: length) - waste(of: leader))
      return difference / (price * price)
    }
    return candidates.filter { $0 != leader }.max { worth($0) < worth($1) }
  }

  /// The share of the time that a length wastes, by what is believed.
  private func waste(of length: Int) -> Double { expect { waste(of: length, in: $0) } }

  /// The share of the time that a length wastes in packets of so many bytes.
  private func waste(of length: Int, in packet: Int) -> Double {
    let least = candidates.map { FrameLengths.cost(of: $0, in: packet) }.min()
    return least.map { FrameLengths.cost(of: length, in: packet) / $0 - 1 } ?? 0
  }

  /// What is to be expected of a function of the link-layer packet's length.
  private func expect(_ value: (_ packet: Int) -> Double) -> Double {
    zip(FrameLengths.packets, belief.likelihoods).reduce(0) { $0 + $1.1 * value($1.0.length) }
  }
}
