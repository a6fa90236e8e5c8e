/// The length of the frames that carry an image.
///
/// A frame that fills link-layer packets is faster than a longer one whose rest needs a packet of
/// its own. Where the controller has reported the packet length (LE Data Length Change), frames
/// fill that. Elsewhere an A/B trial sends a run of frames for packets of 251 bytes, then one for
/// packets of 185, and the length that was acknowledged faster carries the rest.
struct FrameSizing: Sendable {
  /// One length's part of the trial.
  private struct Run: Sendable {
    let length: Int
    /// Offset of the run's first byte in the image.
    let start: Int
    /// Offset behind the run; nil while it is being sent.
    var end: Int?
    private var first: Point?
    private var last: Point?
    private var longestPause: Duration = .zero
    private var secondPause: Duration = .zero

    private struct Point: Sendable {
      var end: Int
      var timestamp: Duration
    }

    init(length: Int, start: Int) {
      self.length = length
      self.start = start
    }

    /// Whether the whole run has been acknowledged.
    var isComplete: Bool { end.flatMap { end in last.map { $0.end >= end } } ?? false }

    mutating func acknowledged(through end: Int, at now: Duration) {
      guard end >= start, !isComplete else { return }
      if let last {
        let pause = now - last.timestamp
        secondPause = max(secondPause, min(pause, longestPause))
        longestPause = max(longestPause, pause)
      }
      last = Point(end: end, timestamp: now)
      first = first ?? last
    }

    /// Bytes a second; nil if the run was acknowledged at one moment.
    var rate: Double? {
      guard let first, let last else { return nil }
      // A headphone that stalled says nothing about the length of the frames.
      let stall =
        longestPause > secondPause * FrameSizing.stallFactor ? longestPause - secondPause : .zero
      let time = (last.timestamp - first.timestamp - stall).inSeconds
      return time > 0 ? Double(last.end - first.end) / time : nil
    }
  }

  /// The packet lengths that are tried, in bytes.
  ///
  /// What data length extension allows at most, and what is common below it. Frames that fill
  /// either suit packets of 27, too (Core 5.4, Vol 6, Part B, 4.5.10).
  private static let usualPackets = [251, 185]
  /// Bytes of a link-layer packet without data length extension.
  private static let shortestPacket = 27
  /// Bytes of L2CAP's and ATT's headers in front of a frame.
  private static let headers = 7
  /// Seconds that one frame may take the air.
  private static let longestFlight = 0.5
  /// Frames sent before the trial, while the number of frames on the way still grows.
  private static let framesBeforeTrial = 16
  /// Frames of a run at least, and the part of the image that one takes.
  private static let fewestFrames = 12
  private static let partOfImage = 10
  /// Bytes of a run at most, unless its fewest frames are more.
  private static let mostBytes = 12_000
  /// A pause this many times as long as the next longest one is a stall.
  private static let stallFactor = 4
  /// The shorter length must have been this many times as fast to be preferred: a run is few
  /// connection events on a fast link, and 251 is the usual length.
  private static let margin = 1.15
  /// A length that wastes at most this part of the time in packets of 251 bytes goes first.
  private static let littleWaste = 0.1

  private let start: Int
  private let total: Int
  private let leastRate: Double
  /// Bytes of a link-layer packet, where it is known.
  private let packetLength: Int?
  /// Lengths that the trial compares; empty when there is nothing to find out, or no longer.
  private var candidates: [Int]
  private var runs: [Run] = []
  /// Bytes of the frames that are sent now, with their offset.
  private var current: Int
  /// The first acknowledgement, and bytes a second since.
  private var first: (end: Int, timestamp: Duration)?
  private var rate: Double?
  /// Bytes of data in the shortest frame that was sent, other than the image's last.
  private(set) var shortestSent: Int?

  /// - Parameters:
  ///   - limits: what the headphone and the link allow.
  ///   - start: offset of the first byte that is to be sent.
  ///   - total: bytes of the image.
  init(_ limits: FirmwareSender.SendLimits, from start: Int, total: Int) {
    self.start = start
    self.total = total
    leastRate = limits.leastRate ?? 0
    packetLength = limits.packetLength
    let longest = limits.longestFrame
    if limits.isAnsweredEach {
      candidates = [longest]
    } else if let packetLength {
      candidates = [Self.filling(packetLength, to: longest)]
    } else {
      candidates = Self.usualPackets.map { Self.filling($0, to: longest) }
    }
    current = candidates[0]
    guard let other = candidates.last, other != current else {
      candidates = []
      return
    }
    let waste = Self.cost(of: other, in: Self.usualPackets[0])
    if waste / Self.cost(of: current, in: Self.usualPackets[0]) < 1 + Self.littleWaste {
      current = other
      candidates.reverse()
    }
  }

  /// Bytes of the image in the next frame.
  var dataLength: Int { max(1, frameLength - FirmwareFrame.headerLength) }

  private var frameLength: Int {
    // The first exchange has shown a fraction of what the link carries.
    let longest = rate.map { $0 * Self.longestFlight } ?? leastRate
    guard longest > 0, Double(current) > longest else { return current }
    return min(current, Self.filling(packetLength ?? Self.shortestPacket, to: Int(longest)))
  }

  /// The longest frame of at most so many bytes that leaves no part of a packet empty.
  private static func filling(_ packet: Int, to longest: Int) -> Int {
    let packets = (longest + headers) / packet
    return max(FirmwareFrame.headerLength + 1, packets == 0 ? longest : packets * packet - headers)
  }

  /// Link-layer packets that a byte of the image takes in frames of a length.
  private static func cost(of length: Int, in packet: Int) -> Double {
    let packets = (length + headers + packet - 1) / packet
    return Double(packets) / Double(length - FirmwareFrame.headerLength)
  }

  // MARK: The trial

  /// Notes a frame that leaves for the first time.
  ///
  /// - Parameter range: bytes of the image that it carries.
  mutating func sent(_ range: Range<Int>) {
    if range.upperBound < total { shortestSent = min(shortestSent ?? range.count, range.count) }
    guard runs.count < candidates.count || runs.last?.end == nil, !candidates.isEmpty else {
      return
    }
    let end = range.upperBound
    guard let run = runs.last else {
      if end - start >= Self.framesBeforeTrial * range.count { begin(at: end) }
      return
    }
    guard end - run.start >= bytesOfRun(frameOf: range.count) else { return }
    runs[runs.count - 1].end = end
    begin(at: end)
  }

  /// The next run, or the first length again until both runs are acknowledged.
  private mutating func begin(at offset: Int) {
    guard runs.count < candidates.count else {
      current = candidates[0]
      return
    }
    current = candidates[runs.count]
    runs.append(Run(length: current, start: offset))
  }

  private func bytesOfRun(frameOf data: Int) -> Int {
    max(Self.fewestFrames * data, min(Self.mostBytes, (total - start) / Self.partOfImage))
  }

  /// Measures by an acknowledgement.
  ///
  /// - Parameter end: offset of the first byte that is missing after it.
  mutating func acknowledged(through end: Int, at now: Duration) {
    if let first {
      let time = (now - first.timestamp).inSeconds
      if time > 0 { rate = Double(end - first.end) / time }
    } else {
      first = (end, now)
    }
    for index in runs.indices { runs[index].acknowledged(through: end, at: now) }
    guard !candidates.isEmpty, runs.count == candidates.count, runs.allSatisfy(\.isComplete) else {
      return
    }
    if let first = runs[0].rate, let second = runs[1].rate {
      let margin = runs[1].length < runs[0].length ? Self.margin : 1
      if second > first * margin { current = runs[1].length }
    }
    (runs, candidates) = ([], [])
  }
}
