/// A whole firmware update as a pure state machine, over as many links as it takes
/// (docs/protocol.md section 7).
///
/// Links, responses, events and the time go in; effects come out. It does no I/O. On every new link
/// the headphone is first asked for its status (command 0x57), and the update continues from there.
/// Nothing has to be stored between links, or on disk, that the headphone knows better.
///
/// | Phase | Command | Next |
/// | --- | --- | --- |
/// | asking | 0x57 status | beginning, or confirming if the image is on trial |
/// | beginning | 0x50 begin | transferring, from the offset in the response |
/// | transferring | FFF5 or 0x51, and 0x52 per block | verifying |
/// | verifying | 0x53 verify | activating |
/// | activating | 0x54 activate | restarting; the headphone ends the link |
/// | confirming | 0x55 confirm, within 60 s of the restart | ended |
///
/// ```swift
/// var update = FirmwareUpdate(image)
/// var effects = update.linkReady(link, at: now)  // [.submit(.status)]
/// // Send the command, then hand in its response:
/// effects = update.receive(.status, .success(response), at: now)
/// while hasBufferSpace, let frame = update.nextFrame(at: now) { write(frame.encoded()) }
/// ```
///
/// Nothing here decides whether the image may be sent: that is ``FirmwareImage/refusals(for:by:)``,
/// before an update is created.
public struct FirmwareUpdate: Sendable {
  /// The steps of an update, in their order.
  ///
  /// | phase | waits for |
  /// | --- | --- |
  /// | waitingForLink | ``linkReady(_:at:)`` |
  /// | asking | the answer to status |
  /// | beginning | the answer to begin |
  /// | transferring | acknowledgements and block checks |
  /// | verifying | the answer to verify |
  /// | activating | the answer to activate |
  /// | restarting | the link's end, then a new link |
  /// | confirming | the answer to confirm |
  /// | ended | nothing |
  public enum Phase: Hashable, Sendable, CaseIterable {
    case waitingForLink, asking, beginning, transferring, verifying, activating, restarting
    case confirming, ended
  }

  /// An action that the caller has to carry out, in the order of the array.
  public enum Effect: Hashable, Sendable {
    /// Send a command, and hand its result to ``receive(_:_:at:)``.
    case submit(FirmwareRequest)
    /// End the link if there is one, and connect again.
    case reconnect
    /// The update is over; there are no effects after this one.
    case finished(FirmwareOutcome)
  }

  /// The properties of a link that is ready for commands.
  public struct Link: Hashable, Sendable {
    /// The maximum length of a value in one write, in bytes (ATT_MTU - 3).
    public var longestValue: Int
    /// Whether the headphone has characteristic FFF5; without it the image is sent by command 0x51.
    public var hasDataCharacteristic: Bool
    /// The number of commands that the headphone accepts at a time, at least 1.
    public var commandWindow: Int
    /// The length of a link-layer packet to the headphone in bytes; `nil` if the controller did not
    /// report it.
    public var packetLength: Int?
    /// The Firmware Revision String (2A26), if it can be parsed as a version.
    public var revision: FirmwareVersion?

    /// `commandWindow` is at least 1.
    public init(
      longestValue: Int, hasDataCharacteristic: Bool, commandWindow: Int = 1,
      packetLength: Int? = nil, revision: FirmwareVersion? = nil
    ) {
      self.longestValue = longestValue
      self.hasDataCharacteristic = hasDataCharacteristic
      self.commandWindow = max(1, commandWindow)
      self.packetLength = packetLength
      self.revision = revision
    }
  }

  /// The number of consecutive links without progress after which the update fails.
  static let fruitlessLinks = 3
  /// The time that the headphone has to end the link after `activate`.
  static let restartTime: Duration = .seconds(15)

  /// The image to install.
  public let image: FirmwareImage
  /// The current step; `.ended` is the last.
  public internal(set) var phase = Phase.waitingForLink
  /// The transfer on this link; `nil` outside ``Phase/transferring``.
  public internal(set) var sender: FirmwareSender?

  /// The current link; `nil` between links.
  var link: Link?
  /// Whether `activate` was sent, so that the headphone may run the new image.
  var hasActivated = false
  /// The number of data commands (0x51) without a response.
  var dataCommands = 0
  /// The number of bytes on the headphone at the end of the last link; -1 before the first.
  var bestOffset = -1
  /// The number of consecutive links that added no bytes.
  var fruitless = 0
  /// The time at which the link is ended if the headphone has not done so after `activate`.
  var restartDeadline: Duration?
  /// The offset and the time at which the transfer on this link began.
  var transferStart: (offset: Int, timestamp: Duration)?
  /// The counters of all earlier links.
  var earlier = FirmwareSender.Statistics()

  /// Creates an update that waits for a link.
  public init(_ image: FirmwareImage) { self.image = image }

  /// The version to install.
  var target: FirmwareVersion { image.manifest.version }

  // MARK: Links

  /// Handles a new link whose control service is ready.
  ///
  /// - Parameters:
  ///   - link: the properties of the link.
  ///   - now: the current time, on one monotonic clock for all calls.
  /// - Returns: the status command; nothing after the end of the update.
  public mutating func linkReady(_ link: Link, at now: Duration) -> [Effect] {
    guard phase != .ended else { return [] }
    self.link = link
    dropTransfer()
    phase = .asking
    return [.submit(.status)]
  }

  /// Handles the end of the link, from either side.
  ///
  /// - Returns: ``Effect/reconnect``, or the end of the update if three consecutive links added
  ///   nothing.
  public mutating func linkLost(at now: Duration) -> [Effect] {
    guard phase != .ended, link != nil else { return [] }
    link = nil
    let hadOffset = sender?.contiguous ?? bestOffset
    dropTransfer()
    if hasActivated {
      phase = .restarting
      return [.reconnect]
    }
    phase = .waitingForLink
    fruitless = hadOffset > bestOffset ? 0 : fruitless + 1
    bestOffset = max(bestOffset, hadOffset)
    return fruitless < Self.fruitlessLinks ? [.reconnect] : end(.failed(.noProgress))
  }

  /// Handles the failure to connect again: ends the update.
  ///
  /// The reason is ``FirmwareFailure/neverCameBack`` after `activate`, otherwise
  /// ``FirmwareFailure/noProgress``.
  public mutating func linkUnavailable() -> [Effect] {
    phase == .ended ? [] : end(.failed(hasActivated ? .neverCameBack : .noProgress))
  }

  /// Forgets the transfer on a link that has ended.
  private mutating func dropTransfer() {
    if let sender { earlier += sender.statistics }
    sender = nil
    transferStart = nil
    dataCommands = 0
    restartDeadline = nil
  }

  /// Ends the update with its result.
  mutating func end(_ outcome: FirmwareOutcome) -> [Effect] {
    if let sender { earlier += sender.statistics }
    phase = .ended
    sender = nil
    restartDeadline = nil
    return [.finished(outcome)]
  }

  /// Ends the update with a failure.
  ///
  /// - Parameter forgetting: whether to abort first, as the bytes on the headphone are wrong and
  ///   the next attempt would resume from them.
  mutating func give(up failure: FirmwareFailure, forgetting: Bool = false) -> [Effect] {
    // The bytes on the headphone are wrong, and the next update would resume from them.
    (forgetting ? [.submit(.abort)] : []) + end(.failed(failure))
  }

  // MARK: Time

  /// The time at which to call ``elapse(to:)``; `nil` if no time-out is pending.
  public var nextDeadline: Duration? { restartDeadline ?? sender?.nextDeadline }

  /// Handles a time-out: retransmits a frame, or reconnects to a headphone that should have
  /// restarted.
  ///
  /// A call before ``nextDeadline`` has no effect.
  public mutating func elapse(to now: Duration) -> [Effect] {
    if let restartDeadline {
      guard restartDeadline <= now else { return [] }
      self.restartDeadline = nil
      return [.reconnect]
    }
    return follow(sender?.elapse(to: now), at: now)
  }
}

extension FirmwareSender.Statistics {
  /// Adds counters.
  static func += (sum: inout Self, more: Self) {
    sum.frames += more.frames
    sum.retransmitted += more.retransmitted
    sum.silences += more.silences
    sum.blocksSentAgain += more.blocksSentAgain
  }
}
