extension FirmwareSender {
  /// Handles event 0x08 or a response to command 0x51; call ``nextFrame(at:)`` afterwards.
  public mutating func acknowledged(
    _ acknowledgement: FirmwareAcknowledgement, at now: Duration
  ) -> [Effect] {
    guard !hasEnded else { return [] }
    let offset = Int(acknowledgement.contiguousOffset)
    guard offset <= furthest, claimsOnlyWhatWasSent(acknowledgement) else {
      return end(.failed(.impossibleAcknowledgement(offset: offset, sent: furthest)))
    }
    // The event is older than the last one handled.
    guard offset >= contiguous else { return [] }
    lastNews = now
    credit = Int(acknowledgement.window)
    let newest = settle(through: offset, acknowledgement.arrived)
    if offset > contiguous {
      contiguous = offset
      next = max(next, offset)
      lastProgress = now
      silencesInARow = 0
    }
    if let newest { resendWhatIsOlder(than: newest) }
    if now - lastProgress >= Self.longestStandstill { return end(.stuck) }
    return checkNextBlock()
  }

  /// The time at which to call ``elapse(to:)``, or nil if nothing is awaited.
  public var nextDeadline: Duration? {
    hasEnded || contiguous == image.payload.count ? nil : lastNews + Self.silence
  }

  /// Handles the retransmission time-out: the first missing frame becomes due.
  ///
  /// - Returns: ``Effect/stuck`` after ``timeout`` consecutive time-outs, otherwise nothing.
  public mutating func elapse(to now: Duration) -> [Effect] {
    guard let deadline = nextDeadline, deadline <= now else { return [] }
    guard silencesInARow < Self.timeout else { return end(.stuck) }
    silencesInARow += 1
    statistics.silences += 1
    lastNews = now
    if flights.isEmpty {
      isProbing = true
    } else {
      flights[0].hasArrived = false
      flights[0].isDue = true
    }
    return []
  }

  mutating func end(_ effect: Effect) -> [Effect] {
    hasEnded = true
    return [effect]
  }

  private func claimsOnlyWhatWasSent(_ acknowledgement: FirmwareAcknowledgement) -> Bool {
    let bits = UInt32.bitWidth - acknowledgement.arrived.leadingZeroBitCount
    return bits == 0
      || Int(acknowledgement.contiguousOffset) + bits * dataLength < furthest + dataLength
  }

  /// Marks frames as arrived, and returns the order of the latest transmission among them, or nil.
  ///
  /// For a retransmitted frame, it may be the first transmission (Karn's algorithm).
  private mutating func settle(through offset: Int, _ arrived: UInt32) -> Int? {
    let whole = flights.prefix { $0.range.upperBound <= offset }
    var orders = whole.filter { !$0.hasArrived }.map(\.firstOrder)
    flights.removeFirst(whole.count)
    if let first = flights.first, first.range.lowerBound < offset {
      flights[0].range = offset..<first.range.upperBound
    }
    for bit in 0..<UInt32.bitWidth where arrived >> bit & 1 == 1 {
      let index = bit + 1
      guard index < flights.count, !flights[index].hasArrived else { continue }
      flights[index].hasArrived = true
      flights[index].isDue = false
      orders.append(flights[index].firstOrder)
    }
    // The first missing frame has not arrived, even if an earlier bitmap contains it.
    if !flights.isEmpty { flights[0].hasArrived = false }
    return orders.max()
  }

  /// Marks frames as lost that were sent before one that has arrived: the link keeps the order.
  private mutating func resendWhatIsOlder(than order: Int) {
    for index in flights.indices
    where flights[index].order < order && !flights[index].hasArrived { flights[index].isDue = true }
  }

  /// Requests the check of the next block once it is complete, one block at a time.
  mutating func checkNextBlock() -> [Effect] {
    guard !isAwaitingBlock, !isComplete,
      contiguous >= image.manifest.range(ofBlock: goodBlocks).upperBound
    else { return [] }
    isAwaitingBlock = true
    return [
      .checkBlock(
        index: UInt16(goodBlocks), checksum: image.checksum(ofBlock: goodBlocks))
    ]
  }

  /// Starts the transfer; call it once, before anything else.
  public mutating func begin() -> [Effect] { isComplete ? end(.finished) : checkNextBlock() }

  /// Handles the response to command 0x52.
  ///
  /// - Parameter isGood: false for status 16, checksum wrong, after which the block is sent again.
  /// - Returns: the next check, ``Effect/finished`` after the last block, or
  ///   ``FirmwareFailure/blockNeverMatches(index:)`` after the third mismatch.
  public mutating func receiveBlockCheck(isGood: Bool, at now: Duration) -> [Effect] {
    guard !hasEnded, isAwaitingBlock else { return [] }
    isAwaitingBlock = false
    guard isGood else { return sendBlockAgain(at: now) }
    mismatches = 0
    goodBlocks += 1
    lastProgress = now
    return isComplete ? end(.finished) : checkNextBlock()
  }

  private mutating func sendBlockAgain(at now: Duration) -> [Effect] {
    mismatches += 1
    guard mismatches < Self.blockTries else {
      return end(.failed(.blockNeverMatches(index: goodBlocks)))
    }
    statistics.blocksSentAgain += 1
    contiguous = image.manifest.range(ofBlock: goodBlocks).lowerBound
    next = contiguous
    flights = []
    lastNews = now
    return []
  }
}
