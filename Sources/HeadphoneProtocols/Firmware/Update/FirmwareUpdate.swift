/// A firmware update over as many links as necessary, without I/O (docs/protocol.md section 7).
///
/// On every new link the headphone is first asked for its status (command 0x57), from which the
/// update continues. Nothing needs to be stored between links.
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
/// Call `refusals(for:by:)` of the image first (`FirmwareCrypto`), to decide whether the image may be sent.
public struct FirmwareUpdate: Sendable {
  /// The steps in order.
  public enum Phase: Hashable, Sendable, CaseIterable {
    case waitingForLink, asking, beginning, transferring, verifying, activating, restarting
    case confirming, ended
  }

  /// An action for the caller, in the order of the array.
  public enum Effect: Hashable, Sendable {
    /// Send a command, and pass its result to ``receive(_:_:at:)``.
    case submit(FirmwareRequest)
    /// End the link if there is one, and connect again.
    case reconnect
    /// The update is over, and no effects follow.
    case finished(FirmwareOutcome)
  }

  /// The properties of a link that is ready for commands.
  public struct Link: Hashable, Sendable {
    /// The maximum length of one write in bytes (ATT_MTU - 3).
    public var longestValue: Int
    /// Whether the headphone has FFF5; otherwise the image is sent with command 0x51.
    public var hasDataCharacteristic: Bool
    /// The number of commands that may be outstanding, at least 1.
    public var commandWindow: Int
    /// The length of a link-layer packet to the headphone in bytes, or nil if unknown.
    public var packetLength: Int?
    /// The Firmware Revision String (2A26), or nil if it is not a version.
    public var revision: FirmwareVersion?

    /// Creates the properties of a link; the command window is at least 1.
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
  /// The time for the headphone to end the link after `activate`.
  static let restartTime: Duration = .seconds(15)

  public let image: FirmwareImage
  public internal(set) var phase = Phase.waitingForLink
  /// The transfer on this link, or nil outside ``Phase/transferring``.
  public internal(set) var sender: FirmwareSender?

  var link: Link?
  /// Whether `activate` was sent, so that the headphone may run the new image.
  var hasActivated = false
  /// The number of data commands (0x51) without a response.
  var dataCommands = 0
  /// The number of bytes on the headphone at the end of the last link; -1 before the first.
  var bestOffset = -1
  var fruitless = 0
  /// The time at which the link is ended if the headphone has not done so after `activate`.
  var restartDeadline: Duration?
  var transferStart: (offset: Int, timestamp: Duration)?
  var earlier = FirmwareSender.Statistics()

  public init(_ image: FirmwareImage) { self.image = image }

  var target: FirmwareVersion { image.manifest.version }

  /// Handles a new link whose control service is ready; returns nothing after the end.
  public mutating func linkReady(_ link: Link, at now: Duration) -> [Effect] {
    guard phase != .ended else { return [] }
    self.link = link
    dropTransfer()
    phase = .asking
    return [.submit(.status)]
  }

  /// Handles the end of the link: reconnects, or gives up after three links without progress.
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

  /// Ends the update because no link can be made.
  ///
  /// After `activate`, the reason is ``FirmwareFailure/neverCameBack``.
  public mutating func linkUnavailable() -> [Effect] {
    phase == .ended ? [] : end(.failed(hasActivated ? .neverCameBack : .noProgress))
  }

  private mutating func dropTransfer() {
    if let sender { earlier += sender.statistics }
    sender = nil
    transferStart = nil
    dataCommands = 0
    restartDeadline = nil
  }

  mutating func end(_ outcome: FirmwareOutcome) -> [Effect] {
    if let sender { earlier += sender.statistics }
    phase = .ended
    sender = nil
    restartDeadline = nil
    return [.finished(outcome)]
  }

  /// Ends the update, and aborts first if the next attempt would resume from wrong bytes.
  mutating func give(up failure: FirmwareFailure, forgetting: Bool = false) -> [Effect] {
    (forgetting ? [.submit(.abort)] : []) + end(.failed(failure))
  }

  /// The time at which to call ``elapse(to:)``, or nil if no time-out is pending.
  public var nextDeadline: Duration? { restartDeadline ?? sender?.nextDeadline }

  /// Retransmits a frame, or reconnects if the headphone has not restarted, at ``nextDeadline``.
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
  static func += (sum: inout Self, more: Self) {
    sum.frames += more.frames
    sum.retransmitted += more.retransmitted
    sum.silences += more.silences
    sum.blocksSentAgain += more.blocksSentAgain
  }
}
