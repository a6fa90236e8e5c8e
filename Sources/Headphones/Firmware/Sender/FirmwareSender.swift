/// Sends an image's bytes as a value: acknowledgements and the time go in, frames come out
/// (docs/protocol.md section 7).
///
/// A frame is given whenever the local buffer has room for one (``nextFrame(at:)``), the headphone
/// has granted it, and it would not only wait in a queue. What is lost is sent again alone; blocks
/// are confirmed while the next ones travel.
public struct FirmwareSender: Sendable {
  /// What the sender wants done, in order.
  public enum Effect: Hashable, Sendable {
    /// Ask the headphone to check a block; the answer goes to
    /// ``FirmwareSender/blockAnswered(isGood:at:)``.
    case checkBlock(index: UInt16, checksum: UInt32)
    /// The headphone has all blocks, and has checked them.
    case finished
    /// No progress any more: pause, connect again, begin again.
    case stuck
    /// Going on makes no sense.
    case failed(FirmwareFailure)
  }

  /// What the headphone and the link allow.
  public struct SendLimits: Hashable, Sendable {
    /// Frames that may be unacknowledged, at least 1.
    public var window: Int
    /// Bytes of a frame, its offset included.
    public var longestFrame: Int
    /// Bytes a second that a first exchange has shown; nil: not known.
    ///
    /// The link carries more.
    public var leastRate: Double?
    /// Bytes of a link-layer packet, as the controller reported them; nil: not known.
    public var packetLength: Int?
    /// Whether each frame is a command with an answer: then their number counts, not their bytes.
    public var isAnsweredEach: Bool

    /// Brings values that a headphone or a controller reported wrongly into range: at least one
    /// frame of one byte, and packets of 27 bytes.
    public init(
      window: Int, longestFrame: Int, leastRate: Double? = nil, packetLength: Int? = nil,
      isAnsweredEach: Bool = false
    ) {
      self.window = max(1, window)
      self.leastRate = leastRate
      self.packetLength = packetLength.map { max(27, $0) }
      self.isAnsweredEach = isAnsweredEach
      self.longestFrame = max(FirmwareFrame.headerLength + 1, longestFrame)
    }
  }

  /// What sending has cost so far.
  public struct Statistics: Hashable, Sendable {
    /// Frames sent, again or not.
    public var frames = 0
    /// Frames sent again.
    public var retransmitted = 0
    /// Times that nothing was heard for ``silence``.
    public var silences = 0
    /// Blocks that the headphone had not received rightly.
    public var blocksSentAgain = 0
  }

  /// Without an event for this long the first missing frame is sent again.
  public static let silence: Duration = .seconds(1)
  /// Frames sent again into silence before the sender is stuck.
  public static let timeout = 5
  /// The sender is stuck after acknowledgements without progress for this long.
  static let longestStandstill: Duration = .seconds(30)
  /// How often a block may turn out wrong.
  static let blockTries = 3

  let image: FirmwareImage
  let allowance: SendLimits
  /// Since this sender began: on one link.
  public internal(set) var statistics = Statistics()

  /// The headphone has all bytes before this offset.
  public internal(set) var contiguous: Int
  /// The first byte that has not been sent since the last begin or rewind.
  var next: Int
  /// The furthest byte ever sent; nobody can acknowledge more.
  var furthest: Int
  var flights: [Flight] = []
  var lastOrder = 0
  /// Frames that the headphone's buffer takes, by its last event.
  var credit: Int
  /// One frame more than the credit, to hear the headphone's event again.
  var isProbing = false

  /// Blocks that the headphone has checked, from the first on.
  public internal(set) var goodBlocks: Int
  var isAwaitingBlock = false
  var mismatches = 0

  var lastNews: Duration
  var lastProgress: Duration
  var silencesInARow = 0
  var hasEnded = false

  var pace: Pace
  var sizing: FrameSizing

  /// Goes on from an offset that command 0x50 has answered.
  public init(
    _ image: FirmwareImage, from offset: Int, allowance: SendLimits, at now: Duration
  ) {
    self.image = image
    self.allowance = allowance
    contiguous = offset
    next = offset
    furthest = offset
    credit = allowance.window
    let blockSize = Int(image.manifest.blockSize)
    goodBlocks = offset == image.payload.count ? image.manifest.blockCount : offset / blockSize
    lastNews = now
    lastProgress = now
    pace = Pace(longestFrame: allowance.longestFrame, leastRate: allowance.leastRate)
    sizing = FrameSizing(allowance, from: offset, total: image.payload.count)
  }

  /// Whether every block is on the headphone and checked.
  public var isComplete: Bool { goodBlocks == image.manifest.blockCount }

  /// The next frame to send; nil: there is none to send before something arrives or time passes.
  ///
  /// To be asked whenever the local buffer has room, after every other call.
  public mutating func nextFrame(at now: Duration) -> FirmwareFrame? {
    guard !hasEnded else { return nil }
    if let index = flights.firstIndex(where: \.isDue) { return sendAgain(index, at: now) }
    guard next < image.payload.count else { return nil }
    let end = min(next + sizing.dataLength, image.payload.count)
    guard isProbing || (isGranted && pace.allows(end - next, beyond: next - contiguous)) else {
      return nil
    }
    isProbing = false
    // Silence counts from the first frame that can be answered.
    if flights.isEmpty { lastNews = max(lastNews, now) }
    lastOrder += 1
    flights.append(Flight(range: next..<end, order: lastOrder, sent: pace.departure(at: now)))
    sizing.sent(next..<end)
    next = end
    furthest = max(furthest, end)
    statistics.frames += 1
    return frame(flights[flights.count - 1].range)
  }

  /// Whether the headphone takes one more frame.
  private var isGranted: Bool {
    flights.count(where: { !$0.hasArrived }) < min(credit, allowance.window)
  }

  private mutating func sendAgain(_ index: Int, at now: Duration) -> FirmwareFrame {
    lastOrder += 1
    flights[index].depart(order: lastOrder, pace.departure(at: now))
    statistics.frames += 1
    statistics.retransmitted += 1
    return frame(flights[index].range)
  }

  private func frame(_ range: Range<Int>) -> FirmwareFrame {
    FirmwareFrame(offset: UInt32(range.lowerBound), bytes: image.bytes(range))
  }
}

/// A frame on its way.
struct Flight: Hashable, Sendable {
  /// The bytes of the image that it carries.
  var range: Range<Int>
  /// Its place among all frames sent; a frame sent again gets a new one.
  var order: Int
  let firstOrder: Int
  var sent: Pace.Departure
  /// By a bitmap; only a hint, as the headphone may count frames otherwise.
  var hasArrived = false
  /// To be sent again.
  var isDue = false

  init(range: Range<Int>, order: Int, sent: Pace.Departure) {
    self.range = range
    self.order = order
    firstOrder = order
    self.sent = sent
  }

  mutating func depart(order: Int, _ departure: Pace.Departure) {
    self.order = order
    sent = departure
    isDue = false
  }
}
