extension FirmwareUpdate {
  /// Returns the next value for FFF5, or nil until the next event or deadline.
  ///
  /// Call it after every other method, and whenever the local buffer has room again, until it
  /// returns nil.
  public mutating func nextFrame(at now: Duration) -> FirmwareFrame? {
    guard phase == .transferring, link?.hasDataCharacteristic == true else { return nil }
    return sender?.nextFrame(at: now)
  }

  /// Handles event 0x08, which is ignored outside ``Phase/transferring``.
  public mutating func acknowledged(
    _ acknowledgement: FirmwareAcknowledgement, at now: Duration
  ) -> [Effect] {
    guard phase == .transferring else { return [] }
    return follow(sender?.acknowledged(acknowledgement, at: now), at: now)
  }

  mutating func transfer(_ start: FirmwareStart, at now: Duration) -> [Effect] {
    guard let link else { return [] }
    let size = image.payload.count
    guard Int(start.offset) <= size else {
      return end(.failed(.impossibleAcknowledgement(offset: Int(start.offset), sent: size)))
    }
    var sender = FirmwareSender(
      image, from: Int(start.offset), allowance: allowance(start, on: link), at: now)
    let effects = sender.begin()
    self.sender = sender
    phase = .transferring
    transferStart = (Int(start.offset), now)
    return follow(effects, at: now)
  }

  /// The assumed packet length in bytes: the maximum of the data length extension.
  private static let usualPacketLength = 251

  private func allowance(_ start: FirmwareStart, on link: Link) -> FirmwareSender.SendLimits {
    guard link.hasDataCharacteristic else {
      // The frame is sent within a packet, which adds its header and checksum.
      let room = link.longestValue - HeadphonePacket.headerLength - 1
      return FirmwareSender.SendLimits(
        window: link.commandWindow, longestFrame: min(room, HeadphonePacket.longestPayload))
    }
    return FirmwareSender.SendLimits(
      window: Int(start.window), longestFrame: min(link.longestValue, Int(start.longestFrame)),
      packetLength: link.packetLength ?? Self.usualPacketLength)
  }

  mutating func follow(_ effects: [FirmwareSender.Effect]?, at now: Duration) -> [Effect] {
    var followed: [Effect] = []
    for effect in effects ?? [] {
      switch effect {
      case .checkBlock(let index, let checksum):
        followed.append(.submit(.blockDone(index: index, checksum: checksum)))
      case .finished:
        phase = .verifying
        followed.append(.submit(.verify))
      case .stuck: followed.append(.reconnect)
      case .failed(let failure): followed += give(up: failure, forgetting: true)
      }
    }
    return followed + dataByCommand(at: now)
  }

  /// Fills the command window with data commands, on headphones without FFF5.
  private mutating func dataByCommand(at now: Duration) -> [Effect] {
    guard phase == .transferring, let link, !link.hasDataCharacteristic else { return [] }
    var effects: [Effect] = []
    while dataCommands < link.commandWindow, let frame = sender?.nextFrame(at: now) {
      dataCommands += 1
      effects.append(.submit(.data(frame)))
    }
    return effects
  }
}

/// The progress of an update.
public struct FirmwareProgress: Hashable, Sendable {
  public var phase: FirmwareUpdate.Phase
  /// The number of bytes that the headphone has.
  public var bytes: Int
  /// The length of the image in bytes.
  public var total: Int
  /// In bytes per second on this link, or nil during the first half second.
  public var rate: Double?

  public init(phase: FirmwareUpdate.Phase, bytes: Int, total: Int, rate: Double? = nil) {
    self.phase = phase
    self.bytes = bytes
    self.total = total
    self.rate = rate
  }

  /// 0 to 100, rounded down.
  public var percent: Int { total > 0 ? bytes * 100 / total : 0 }

  /// The remaining time of the transfer at the current rate, or nil if unknown.
  public var remaining: Duration? {
    rate.flatMap { $0 > 0 ? .milliseconds(Int(Double(total - bytes) / $0 * 1000)) : nil }
  }
}

extension FirmwareUpdate {
  /// Returns the progress; between links, it is that of the last link.
  public func progress(at now: Duration) -> FirmwareProgress {
    let bytes =
      switch phase {
      case .waitingForLink, .asking, .beginning:
        hasActivated ? image.payload.count : max(0, bestOffset)
      case .transferring: sender?.contiguous ?? 0
      case .verifying, .activating, .restarting, .confirming, .ended: image.payload.count
      }
    return FirmwareProgress(
      phase: phase, bytes: bytes, total: image.payload.count, rate: rate(at: now))
  }

  /// The counters of all links together.
  public var statistics: FirmwareSender.Statistics {
    var sum = earlier
    if let sender { sum += sender.statistics }
    return sum
  }

  private func rate(at now: Duration) -> Double? {
    // A block that is sent again may begin before the offset from which this link resumed.
    guard let start = transferStart, let sender, now - start.timestamp >= .milliseconds(500),
      sender.contiguous >= start.offset
    else { return nil }
    return Double(sender.contiguous - start.offset) / ((now - start.timestamp) / .seconds(1))
  }
}
