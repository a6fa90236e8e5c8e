/// A selective-repeat sender of a firmware image, as a pure value (docs/protocol.md section 7).
///
/// Acknowledgements and the time go in; frames and effects come out. It does no I/O and reads no
/// clock. A frame is available as soon as the headphone has granted it (the receive window) and it
/// would not just wait in a queue (the congestion window). Only lost frames are retransmitted.
/// Blocks are checked by the headphone while the next ones travel.
///
/// ```swift
/// var sender = FirmwareSender(image, from: 0, allowance: limits, at: now)
/// var effects = sender.begin()
/// while hasBufferSpace, let frame = sender.nextFrame(at: now) {
///   write(frame.encoded())  // FFF5, Write Without Response
/// }
/// effects += sender.acknowledged(acknowledgement, at: now)  // event 0x08
/// ```
///
/// Times are durations on one monotonic clock of the caller's choice, and must not go backwards.
/// Acknowledgements are not trusted: one that claims bytes or frames that were never sent ends the
/// transfer with ``FirmwareFailure/impossibleAcknowledgement(offset:sent:)``; an older one that
/// arrives late is ignored.
public struct FirmwareSender: Sendable {
  /// An action that the caller has to carry out, in the order of the array.
  public enum Effect: Hashable, Sendable {
    /// Send command 0x52, and pass the answer to ``FirmwareSender/blockAnswered(isGood:at:)``.
    ///
    /// `index` counts from 0, and `checksum` is the CRC-32C of the block.
    case checkBlock(index: UInt16, checksum: UInt32)
    /// The headphone has received and checked all blocks: verify the image (command 0x53).
    case finished
    /// There has been no progress for too long: end the link, connect again, and resume.
    case stuck
    /// The transfer has failed for good.
    case failed(FirmwareFailure)
  }

  /// The limits that the headphone and the link set for a transfer.
  public struct SendLimits: Hashable, Sendable {
    /// The receive window: the maximum number of unacknowledged frames, at least 1.
    public var window: Int
    /// The maximum length of a frame in bytes, with its offset of 4 bytes.
    public var longestFrame: Int
    /// A lower bound of the link's rate in bytes per second, from an earlier exchange; `nil` if
    /// unknown.
    ///
    /// It limits how much a slow link is sent at first. The actual rate is usually higher.
    public var leastRate: Double?
    /// The length of a link-layer packet in bytes (27 to 251) as the controller reported it; nil if
    /// unknown.
    public var packetLength: Int?
    /// Whether each frame is a command with a response (0x51), so that their number is the limit.
    public var isAnsweredEach: Bool

    /// Creates limits, with values out of range brought into it.
    ///
    /// A headphone or a controller that reports nonsense cannot stop the transfer: the result
    /// allows at least one frame of one byte, and packets of at least 27 bytes.
    ///
    /// - Parameters:
    ///   - window: the maximum number of unacknowledged frames.
    ///   - longestFrame: the maximum length of a frame in bytes, with its offset.
    ///   - leastRate: a lower bound of the link's rate in bytes per second.
    ///   - packetLength: the length of a link-layer packet in bytes.
    ///   - isAnsweredEach: whether each frame is a command with a response.
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

  /// Counters of a transfer.
  public struct Statistics: Hashable, Sendable {
    /// The number of frames sent, with retransmissions.
    public var frames = 0
    /// The number of retransmitted frames.
    public var retransmitted = 0
    /// The number of times that ``FirmwareSender/silence`` passed without an event.
    public var silences = 0
    /// The number of blocks that failed their check and were sent again.
    public var blocksSentAgain = 0
  }

  /// The retransmission time-out: without an event for 1 s, the first missing frame is sent again.
  public static let silence: Duration = .seconds(1)
  /// The number of consecutive retransmission time-outs after which the sender is stuck.
  public static let timeout = 5
  /// The time after which the sender is stuck although acknowledgements arrive, as they show no
  /// progress.
  static let longestStandstill: Duration = .seconds(30)
  /// The number of failed checks of one block that ends the transfer.
  static let blockTries = 3

  /// The image that is sent.
  let image: FirmwareImage
  /// The limits of this link.
  let allowance: SendLimits
  /// The counters since this sender was created, on one link.
  public internal(set) var statistics = Statistics()

  /// The number of bytes from the start of the image that the headphone has without a gap.
  public internal(set) var contiguous: Int
  /// The offset of the first byte not sent since the last start or rewind.
  var next: Int
  /// The offset behind the last byte ever sent; no acknowledgement can go beyond it.
  var furthest: Int
  /// The frames in flight, in the order of their offsets.
  var flights: [Flight] = []
  /// The number of transmissions so far.
  var lastOrder = 0
  /// The number of frames for which the headphone has room, from its last event.
  var credit: Int
  /// Whether one frame beyond the credit may be sent, to provoke another event (a window probe).
  var isProbing = false

  /// The number of blocks, from the first, that the headphone has checked.
  public internal(set) var goodBlocks: Int
  /// Whether a block check is under way.
  var isAwaitingBlock = false
  /// The number of failed checks of the current block.
  var mismatches = 0

  /// The time of the last event, from which the retransmission time-out counts.
  var lastNews: Duration
  /// The time at which ``contiguous`` or ``goodBlocks`` last grew.
  var lastProgress: Duration
  /// The number of consecutive retransmission time-outs.
  var silencesInARow = 0
  /// Whether the transfer is over, in success or not.
  var hasEnded = false

  /// The congestion window.
  var pace: Pace
  /// The choice of the frame length.
  var sizing: FrameSizing

  /// Creates a sender that resumes from an offset.
  ///
  /// - Parameters:
  ///   - image: the image to send.
  ///   - offset: the offset from the response to command 0x50, at most the length of the image.
  ///   - allowance: the limits of the link.
  ///   - now: the current time.
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

  /// Whether the headphone has received and checked every block.
  public var isComplete: Bool { goodBlocks == image.manifest.blockCount }

  /// The next frame to send; `nil` if nothing can be sent before the next event or deadline.
  ///
  /// Call it after every other method, and whenever the local buffer has room again, until it is
  /// nil. The frame that it returns counts as sent.
  ///
  /// - Complexity: O(*n*) in the number of frames in flight.
  public mutating func nextFrame(at now: Duration) -> FirmwareFrame? {
    guard !hasEnded else { return nil }
    if let index = flights.firstIndex(where: \.isDue) { return sendAgain(index, at: now) }
    guard next < image.payload.count else { return nil }
    let end = min(next + sizing.dataLength, image.payload.count)
    guard isProbing || (isGranted && pace.allows(end - next, beyond: next - contiguous)) else {
      return nil
    }
    isProbing = false
    // The time-out counts from the first frame that can be acknowledged.
    if flights.isEmpty { lastNews = max(lastNews, now) }
    lastOrder += 1
    flights.append(Flight(range: next..<end, order: lastOrder, sent: pace.departure(at: now)))
    sizing.sent(next..<end)
    next = end
    furthest = max(furthest, end)
    statistics.frames += 1
    return frame(flights[flights.count - 1].range)
  }

  /// Whether the receive window has room for a frame.
  private var isGranted: Bool {
    flights.count(where: { !$0.hasArrived }) < min(credit, allowance.window)
  }

  /// Retransmits a frame in flight.
  private mutating func sendAgain(_ index: Int, at now: Duration) -> FirmwareFrame {
    lastOrder += 1
    flights[index].depart(order: lastOrder, pace.departure(at: now))
    statistics.frames += 1
    statistics.retransmitted += 1
    return frame(flights[index].range)
  }

  /// The frame with these bytes of the image.
  private func frame(_ range: Range<Int>) -> FirmwareFrame {
    FirmwareFrame(offset: UInt32(range.lowerBound), bytes: image.bytes(range))
  }
}

/// A frame in flight.
struct Flight: Hashable, Sendable {
  /// The bytes of the image that it carries.
  var range: Range<Int>
  /// Its place in the order of all transmissions; a retransmission gets a new one.
  var order: Int
  /// The place of its first transmission.
  let firstOrder: Int
  /// The state of the measurement at its last transmission.
  var sent: Pace.Departure
  /// Whether a bitmap has acknowledged it; only a hint, as the headphone may divide the image
  /// otherwise.
  var hasArrived = false
  /// Whether it is to be retransmitted.
  var isDue = false

  /// Creates a frame that has just been sent for the first time.
  init(range: Range<Int>, order: Int, sent: Pace.Departure) {
    self.range = range
    self.order = order
    firstOrder = order
    self.sent = sent
  }

  /// Records a retransmission.
  mutating func depart(order: Int, _ departure: Pace.Departure) {
    self.order = order
    sent = departure
    isDue = false
  }
}
