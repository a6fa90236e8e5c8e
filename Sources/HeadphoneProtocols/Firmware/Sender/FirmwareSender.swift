/// A selective-repeat sender of a firmware image, as a pure value (docs/protocol.md section 7).
///
/// Acknowledgements and the time go in; frames and effects come out. It does no I/O and reads no
/// clock. A frame is available as soon as the headphone has granted it and the window of this side
/// has room. Only lost frames are retransmitted. Blocks are checked by the headphone while the next
/// ones travel.
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
    /// Send command 0x52, and pass the answer to ``FirmwareSender/receiveBlockCheck(isGood:at:)``.
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
    /// The maximum number of unacknowledged frames, at least 1.
    public let window: Int
    /// The length of a frame in bytes, with its offset of 4 bytes.
    public let frameLength: Int

    /// Creates limits, with values out of range brought into it.
    ///
    /// A headphone or a controller that reports nonsense cannot stop the transfer: the result
    /// allows at least one frame of one byte, and packets of at least 27 bytes.
    ///
    /// - Parameters:
    ///   - window: the receive window in frames.
    ///   - longestFrame: the maximum length of a frame in bytes, with its offset.
    ///   - packetLength: the length of a link-layer packet in bytes (27 to 251), which frames fill;
    ///     `nil` to send the longest ones.
    public init(window: Int, longestFrame: Int, packetLength: Int? = nil) {
      let longest = max(FirmwareFrame.headerLength + 1, longestFrame)
      let packet = max(27, packetLength ?? longest + Self.headers)
      let packets = min((longest + Self.headers) / packet, Self.packetsPerFrame)
      // A last packet that is partly empty takes as long as a full one.
      frameLength = packets == 0 ? longest : packets * packet - Self.headers
      self.window = max(1, min(window, Self.packetsInFlight / max(1, packets)))
    }

    /// Bytes of L2CAP's and ATT's headers in front of a frame.
    private static let headers = 7
    /// The packets of a frame at most, so that on a slow link it arrives before the time-out.
    private static let packetsPerFrame = 8
    /// The packets in flight at most, four connection events of a fast link: other commands wait
    /// behind them.
    private static let packetsInFlight = 48
    /// The frames that an acknowledgement names: the first missing one, and a bit for each that
    /// follows.
    fileprivate static let namedFrames = 1 + UInt32.bitWidth
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
    if let index = flights.firstIndex(where: \.isDue) { return sendAgain(index) }
    guard next < image.payload.count else { return nil }
    guard isProbing || isGranted else { return nil }
    let end = min(next + dataLength, image.payload.count)
    isProbing = false
    // The time-out counts from the first frame that can be acknowledged.
    if flights.isEmpty { lastNews = max(lastNews, now) }
    lastOrder += 1
    flights.append(Flight(range: next..<end, order: lastOrder))
    next = end
    furthest = max(furthest, end)
    statistics.frames += 1
    return frame(flights[flights.count - 1].range)
  }

  /// The number of bytes of the image in a frame.
  var dataLength: Int { allowance.frameLength - FirmwareFrame.headerLength }

  /// Whether the receive window has room for a frame.
  private var isGranted: Bool {
    flights.count < SendLimits.namedFrames
      && flights.count(where: { !$0.hasArrived }) < min(credit, allowance.window)
  }

  /// Retransmits a frame in flight.
  private mutating func sendAgain(_ index: Int) -> FirmwareFrame {
    lastOrder += 1
    flights[index].order = lastOrder
    flights[index].isDue = false
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
  /// The place of its last transmission in the order of all.
  var order: Int
  /// The place of its first transmission.
  let firstOrder: Int
  /// Whether a bitmap has acknowledged it; only a hint, as the headphone may divide the image
  /// otherwise.
  var hasArrived = false
  /// Whether it is to be retransmitted.
  var isDue = false

  /// Creates a frame that has just been sent for the first time.
  init(range: Range<Int>, order: Int) {
    self.range = range
    self.order = order
    firstOrder = order
  }
}
