/// The choice of the frame length that the link carries fastest.
///
/// A frame that exactly fills link-layer packets is faster than a longer one whose last few bytes
/// take another packet. If the controller has reported the packet length (LE Data Length Change),
/// frames are made to fill it. Otherwise an A/B test sends a run of frames for packets of 251
/// bytes, then one for packets of 185, and the length that was acknowledged faster carries the rest
/// of the image.
struct FrameSizing: Sendable {
  /// The frames of one length within the test.
  private struct Run: Sendable {
    /// The length of the run's frames in bytes, with the offset.
    let length: Int
    /// The offset of the run's first byte in the image.
    let start: Int
    /// The offset behind the run's last byte; `nil` while it is being sent.
    var end: Int?
    /// The first acknowledgement within the run.
    private var first: Point?
    /// The last acknowledgement within the run.
    private var last: Point?
    /// The longest time between two acknowledgements.
    private var longestPause: Duration = .zero
    /// The second-longest time between two acknowledgements.
    private var secondPause: Duration = .zero

    /// An acknowledgement: the offset it reached, and its time.
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

    /// Records an acknowledgement; those outside the run are ignored.
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

    /// The delivery rate in bytes per second; `nil` if one event acknowledged the whole run.
    var rate: Double? {
      guard let first, let last else { return nil }
      // A stall of the headphone does not depend on the frame length.
      let stall =
        longestPause > secondPause * FrameSizing.stallFactor ? longestPause - secondPause : .zero
      let time = (last.timestamp - first.timestamp - stall).inSeconds
      return time > 0 ? Double(last.end - first.end) / time : nil
    }
  }

  /// The packet lengths that are tried, in bytes.
  ///
  /// The maximum of data length extension, and a common length below it. Frames that fill
  /// either suit packets of 27, too (Core 5.4, Vol 6, Part B, 4.5.10).
  private static let usualPackets = [251, 185]
  /// Bytes of a link-layer packet without data length extension.
  private static let shortestPacket = 27
  /// Bytes of L2CAP's and ATT's headers in front of a frame.
  private static let headers = 7
  /// The longest time, in seconds, that a single frame may take on the air.
  private static let longestFlight = 0.5
  /// The number of frames before the test, while the window still grows.
  private static let framesBeforeTrial = 16
  /// The minimum length of a run, in frames.
  private static let fewestFrames = 12
  /// The fraction of the image that a run takes, as its denominator.
  private static let partOfImage = 10
  /// The maximum length of a run in bytes, unless its minimum number of frames takes more.
  private static let mostBytes = 12_000
  /// The ratio to the second-longest pause from which the longest one counts as a stall.
  private static let stallFactor = 4
  /// The factor by which the shorter length must be faster to be preferred.
  ///
  /// A run takes only few connection events on a fast link, and 251 is the usual packet length.
  private static let margin = 1.15
  /// The waste in packets of 251 bytes, as a fraction of the time, up to which a length is tested
  /// first.
  private static let littleWaste = 0.1

  /// The offset at which sending began.
  private let start: Int
  /// The length of the image in bytes.
  private let total: Int
  /// A lower bound of the link's rate in bytes per second; 0 if unknown.
  private let leastRate: Double
  /// The length of a link-layer packet in bytes; `nil` if unknown.
  private let packetLength: Int?
  /// The frame lengths that the test compares; empty if there is no test, or after its end.
  private var candidates: [Int]
  /// The runs of the test so far.
  private var runs: [Run] = []
  /// The length of the frames that are sent now, with their offset.
  private var current: Int
  /// The first acknowledgement, from which ``rate`` is measured.
  private var first: (end: Int, timestamp: Duration)?
  /// The delivery rate since the first acknowledgement, in bytes per second.
  private var rate: Double?
  /// The number of data bytes in the shortest frame so far, except the last one of the image.
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

  /// The length of the next frame, shortened on a slow link to take at most half a second.
  private var frameLength: Int {
    // The first exchange has shown only a fraction of the link's rate.
    let longest = rate.map { $0 * Self.longestFlight } ?? leastRate
    guard longest > 0, Double(current) > longest else { return current }
    return min(current, Self.filling(packetLength ?? Self.shortestPacket, to: Int(longest)))
  }

  /// The length of the longest frame that leaves no link-layer packet partly empty.
  ///
  /// - Parameters:
  ///   - packet: the length of a link-layer packet in bytes.
  ///   - longest: the maximum length of a frame in bytes.
  private static func filling(_ packet: Int, to longest: Int) -> Int {
    let packets = (longest + headers) / packet
    return max(FirmwareFrame.headerLength + 1, packets == 0 ? longest : packets * packet - headers)
  }

  /// The number of link-layer packets per byte of the image, for frames of a given length.
  private static func cost(of length: Int, in packet: Int) -> Double {
    let packets = (length + headers + packet - 1) / packet
    return Double(packets) / Double(length - FirmwareFrame.headerLength)
  }

  // MARK: The trial

  /// Records the first transmission of a frame.
  ///
  /// - Parameter range: the bytes of the image that it carries.
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

  /// Starts the next run; after the last one, the first length is used until both are acknowledged.
  private mutating func begin(at offset: Int) {
    guard runs.count < candidates.count else {
      current = candidates[0]
      return
    }
    current = candidates[runs.count]
    runs.append(Run(length: current, start: offset))
  }

  /// The length of a run in bytes.
  private func bytesOfRun(frameOf data: Int) -> Int {
    max(Self.fewestFrames * data, min(Self.mostBytes, (total - start) / Self.partOfImage))
  }

  /// Records an acknowledgement, and ends the test once both runs are complete.
  ///
  /// - Parameters:
  ///   - end: the offset of the first byte that is still missing.
  ///   - now: the time of the acknowledgement.
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
