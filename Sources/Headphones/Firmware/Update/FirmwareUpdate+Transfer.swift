extension FirmwareUpdate {
  /// The next value for FFF5; to be asked whenever the local buffer has room, after every call.
  ///
  /// Nil: there is none before something arrives or time passes.
  public mutating func nextFrame(at now: Duration) -> FirmwareFrame? {
    guard phase == .transferring, link?.hasDataCharacteristic == true else { return nil }
    return sender?.nextFrame(at: now)
  }

  /// Takes event 0x08.
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
      image, from: Int(start.offset), allowance: allowance(start, on: link, at: now), at: now)
    let effects = sender.begin()
    self.sender = sender
    phase = .transferring
    transferStart = (Int(start.offset), now)
    return follow(effects, at: now)
  }

  private func allowance(
    _ start: FirmwareStart, on link: Link, at now: Duration
  ) -> FirmwareSender.SendLimits {
    let took = (now - begun).inSeconds
    let leastRate = took > 0 ? Double(image.header.count) / took : nil
    guard link.hasDataCharacteristic else {
      // The frame travels inside a packet, which adds its header and checksum.
      let room = link.longestValue - HeadphonePacket.headerLength - 1
      return FirmwareSender.SendLimits(
        window: link.commandWindow, longestFrame: min(room, HeadphonePacket.longestPayload),
        leastRate: leastRate, isAnsweredEach: true)
    }
    return FirmwareSender.SendLimits(
      window: Int(start.window), longestFrame: min(link.longestValue, Int(start.longestFrame)),
      leastRate: leastRate, packetLength: link.packetLength)
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

  /// Without FFF5: as many data commands as the headphone takes at a time.
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

/// How far an update is.
public struct FirmwareProgress: Hashable, Sendable {
  /// The step that is under way.
  public var phase: FirmwareUpdate.Phase
  /// Bytes that the headphone has.
  public var bytes: Int
  /// Bytes of the image.
  public var total: Int
  /// Bytes a second on this link; nil: not known yet.
  public var rate: Double?

  public init(phase: FirmwareUpdate.Phase, bytes: Int, total: Int, rate: Double? = nil) {
    self.phase = phase
    self.bytes = bytes
    self.total = total
    self.rate = rate
  }

  /// %, 0 to 100.
  public var percent: Int { total > 0 ? bytes * 100 / total : 0 }

  /// How long the rest of the transfer takes at this rate.
  public var remaining: Duration? {
    rate.flatMap { $0 > 0 ? .milliseconds(Int(Double(total - bytes) / $0 * 1000)) : nil }
  }
}

extension FirmwareUpdate {
  /// How far it is; between links, what was last known of the headphone.
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

  /// What all links together have taken.
  public var statistics: FirmwareSender.Statistics {
    var sum = earlier
    if let sender { sum += sender.statistics }
    return sum
  }

  private func rate(at now: Duration) -> Double? {
    // A block that goes again may begin before the place where this link went on.
    guard let start = transferStart, let sender, now - start.timestamp >= .milliseconds(500),
      sender.contiguous >= start.offset
    else { return nil }
    return Double(sender.contiguous - start.offset) / (now - start.timestamp).inSeconds
  }
}
