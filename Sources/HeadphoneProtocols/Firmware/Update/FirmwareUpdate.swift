/// A whole update as a value, over as many links as it takes: links, answers, events and the time
/// go in, effects come out (docs/protocol.md section 7).
///
/// On every new link the headphone is asked for its own state first, and the update goes on from
/// there; so nothing has to be remembered that the headphone knows better.
public struct FirmwareUpdate: Sendable {
  /// The steps of an update, in their order.
  public enum Phase: Hashable, Sendable, CaseIterable {
    case waitingForLink, asking, beginning, transferring, verifying, activating, restarting
    case confirming, ended
  }

  /// What the update wants done, in order.
  public enum Effect: Hashable, Sendable {
    /// Send a command; its end goes to ``answered(_:_:at:)``.
    case submit(FirmwareRequest)
    /// End the link if it is up, and connect again.
    case reconnect
    /// The update is over.
    case finished(FirmwareOutcome)
  }

  /// What a link that is ready offers.
  public struct Link: Hashable, Sendable {
    /// Bytes of the longest value that fits into one write.
    public var longestValue: Int
    /// Whether FFF5 is there; without it the image goes by command 0x51.
    public var hasDataCharacteristic: Bool
    /// Commands that the headphone takes at a time.
    public var commandWindow: Int
    /// Bytes of a link-layer packet to the headphone; nil: the controller did not report it.
    public var packetLength: Int?
    /// The firmware revision (2A26), where it can be read as a version.
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

  /// Links in a row without a byte of progress before the update gives up.
  static let fruitlessLinks = 3
  /// How long the headphone may take to end the link after `activate`.
  static let restartTime: Duration = .seconds(15)

  /// What is to run on the headphone in the end.
  public let image: FirmwareImage
  /// The step that is under way; `.ended` is the last.
  public internal(set) var phase = Phase.waitingForLink
  /// Sends the image on this link; nil but while it travels.
  public internal(set) var sender: FirmwareSender?

  var link: Link?
  /// `activate` was sent: the headphone may run the new image.
  var hasActivated = false
  /// Data commands that wait for their answers.
  var dataCommands = 0
  /// Bytes on the headphone when the last link ended, and links since then that added none.
  var bestOffset = -1
  var fruitless = 0
  var restartDeadline: Duration?
  var begun: Duration = .zero
  var transferStart: (offset: Int, timestamp: Duration)?
  var earlier = FirmwareSender.Statistics()

  public init(_ image: FirmwareImage) { self.image = image }

  var target: FirmwareVersion { image.manifest.version }

  // MARK: Links

  /// The control service answers on a new link.
  public mutating func linkReady(_ link: Link, at now: Duration) -> [Effect] {
    guard phase != .ended else { return [] }
    self.link = link
    dropTransfer()
    phase = .asking
    return [.submit(.status)]
  }

  /// Handles the end of the link, from either side.
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

  /// No link could be made any more.
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

  mutating func give(up failure: FirmwareFailure, forgetting: Bool = false) -> [Effect] {
    // What has arrived is wrong: without this the next begin would go on from it.
    (forgetting ? [.submit(.abort)] : []) + end(.failed(failure))
  }

  // MARK: Time

  /// When ``elapse(to:)`` has something to do; nil: something else is awaited.
  public var nextDeadline: Duration? { restartDeadline ?? sender?.nextDeadline }

  /// The time has passed: a frame is sent again, or a headphone that restarts is looked for.
  ///
  /// Called earlier than ``nextDeadline`` it does nothing.
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
