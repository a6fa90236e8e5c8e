/// A selective-repeat sender of an image, without I/O or clock (docs/protocol.md section 7).
///
/// A frame is available once the headphone has granted it and the window of this side has room.
/// Only lost frames are retransmitted. The headphone checks blocks while the next ones are sent.
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
/// Times are durations on a monotonic clock. An acknowledgement of bytes or frames that were never
/// sent ends the transfer with ``FirmwareFailure/impossibleAcknowledgement(offset:sent:)``. A late
/// one that is older than the last is ignored.
public struct FirmwareSender: Sendable {
  /// An action for the caller, in the order of the array.
  public enum Effect: Hashable, Sendable {
    /// Send command 0x52; ``FirmwareSender/receiveBlockCheck(isGood:at:)`` takes the response.
    ///
    /// `index` counts from 0, and `checksum` is the CRC-32C of the block.
    case checkBlock(index: UInt16, checksum: UInt32)
    /// Verify the image (command 0x53): the headphone has received and checked all blocks.
    case finished
    /// Reconnect and resume: there was no progress for too long.
    case stuck
    case failed(FirmwareFailure)
  }

  /// The limits that the headphone and the link set for a transfer.
  public struct SendLimits: Hashable, Sendable {
    /// The maximum number of unacknowledged frames, at least 1.
    public let window: Int
    /// The length of a frame in bytes, including its offset of 4 bytes.
    public let frameLength: Int

    /// Creates limits of at least one frame, even if the headphone or controller reports nonsense.
    ///
    /// - Parameters:
    ///   - window: the receive window in frames.
    ///   - longestFrame: the maximum length of a frame in bytes, including its offset.
    ///   - packetLength: the length of a link-layer packet in bytes (27 to 251), which frames fill,
    ///     or nil to send the longest ones.
    public init(window: Int, longestFrame: Int, packetLength: Int? = nil) {
      let longest = max(FirmwareFrame.headerLength + 1, longestFrame)
      let packet = max(27, packetLength ?? longest + Self.headers)
      let packets = min((longest + Self.headers) / packet, Self.packetsPerFrame)
      // A partly empty last packet takes as long as a full one.
      frameLength = packets == 0 ? longest : packets * packet - Self.headers
      self.window = max(1, min(window, Self.packetsInFlight / max(1, packets)))
    }

    /// The bytes of L2CAP and ATT headers before a frame.
    private static let headers = 7
    /// The maximum packets of a frame, so that it arrives before the time-out even on a slow link.
    private static let packetsPerFrame = 8
    /// The packets of four connection events of a fast link, behind which commands have to wait.
    private static let packetsInFlight = 48
    /// The frames that an acknowledgement names: the first missing one, and one for each bit.
    fileprivate static let namedFrames = 1 + UInt32.bitWidth
  }

  /// Counters of a transfer.
  public struct Statistics: Hashable, Sendable {
    /// The number of frames sent, including retransmissions.
    public var frames = 0
    /// The number of retransmitted frames.
    public var retransmitted = 0
    /// The number of times that ``FirmwareSender/silence`` passed without an event.
    public var silences = 0
    /// The number of blocks that failed their check and were sent again.
    public var blocksSentAgain = 0
  }

  /// The retransmission time-out, after which the first missing frame is sent again.
  public static let silence: Duration = .seconds(1)
  /// The number of consecutive time-outs after which the sender is stuck.
  public static let timeout = 5
  /// The time without progress after which the sender is stuck despite acknowledgements.
  static let longestStandstill: Duration = .seconds(30)
  /// The number of failed checks of one block that ends the transfer.
  static let blockTries = 3

  let image: FirmwareImage
  let allowance: SendLimits
  public internal(set) var statistics = Statistics()

  /// The number of bytes from the start of the image that the headphone has without a gap.
  public internal(set) var contiguous: Int
  /// The offset of the first byte not sent since the last start or rewind.
  var next: Int
  /// The end of everything ever sent, which no acknowledgement can exceed.
  var furthest: Int
  var flights: [Flight] = []
  var lastOrder = 0
  /// The number of frames that the headphone has room for, from its last event.
  var credit: Int
  /// Whether one frame beyond the credit may be sent to provoke an event (a window probe).
  var isProbing = false

  /// The number of blocks, from the first, that the headphone has checked.
  public internal(set) var goodBlocks: Int
  var isAwaitingBlock = false
  var mismatches = 0

  /// The time of the last event, from which the retransmission time-out counts.
  var lastNews: Duration
  var lastProgress: Duration
  var silencesInARow = 0
  var hasEnded = false

  /// Creates a sender that resumes from the offset in the response to command 0x50.
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

  public var isComplete: Bool { goodBlocks == image.manifest.blockCount }

  /// Returns the next frame to send, or nil until the next event or deadline.
  ///
  /// Call it after every other method, and whenever the local buffer has room again, until it
  /// returns nil. A returned frame counts as sent.
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

  var dataLength: Int { allowance.frameLength - FirmwareFrame.headerLength }

  private var isGranted: Bool {
    flights.count < SendLimits.namedFrames
      && flights.count(where: { !$0.hasArrived }) < min(credit, allowance.window)
  }

  private mutating func sendAgain(_ index: Int) -> FirmwareFrame {
    lastOrder += 1
    flights[index].order = lastOrder
    flights[index].isDue = false
    statistics.frames += 1
    statistics.retransmitted += 1
    return frame(flights[index].range)
  }

  private func frame(_ range: Range<Int>) -> FirmwareFrame {
    FirmwareFrame(offset: UInt32(range.lowerBound), bytes: image.bytes(range))
  }
}

struct Flight: Hashable, Sendable {
  var range: Range<Int>
  /// The number of the frame's last transmission, in the order of all transmissions.
  var order: Int
  let firstOrder: Int
  /// Whether a bitmap acknowledged the frame; only a hint, as the image may be divided differently.
  var hasArrived = false
  var isDue = false

  init(range: Range<Int>, order: Int) {
    self.range = range
    self.order = order
    firstOrder = order
  }
}
