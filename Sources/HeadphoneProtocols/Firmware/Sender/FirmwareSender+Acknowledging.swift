extension FirmwareSender {
  /// Takes event 0x08, or the answer to command 0x51 as one.
  public mutating func acknowledged(
    _ acknowledgement: FirmwareAcknowledgement, at now: Duration
  ) -> [Effect] {
    guard !hasEnded else { return [] }
    let offset = Int(acknowledgement.contiguousOffset)
    guard offset <= furthest, claimsOnlyWhatWasSent(acknowledgement) else {
      return end(.failed(.impossibleAcknowledgement(offset: offset, sent: furthest)))
    }
    // An older event that a newer one has overtaken.
    guard offset >= contiguous else { return [] }
    lastNews = now
    credit = Int(acknowledgement.window)
    let newest = settle(through: offset, acknowledgement.arrived, at: now)
    if offset > contiguous {
      sizing.acknowledged(through: offset, at: now)
      contiguous = offset
      next = max(next, offset)
      lastProgress = now
      silencesInARow = 0
    }
    pace.update(frame: sizing.dataLength)
    if let newest { resendWhatIsOlder(than: newest) }
    if now - lastProgress >= Self.longestStandstill { return end(.stuck) }
    return checkNextBlock()
  }

  /// When ``elapse(to:)`` has something to do; nil: nothing is awaited.
  public var nextDeadline: Duration? {
    hasEnded || contiguous == image.payload.count ? nil : lastNews + Self.silence
  }

  /// Lets the time pass: silence is broken by the first missing frame.
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

  // MARK: Frames

  /// Bit i of the bitmap is the frame i + 1 places after the first missing one.
  ///
  /// After a change of the frame's length the headphone may count in the shorter one.
  private func claimsOnlyWhatWasSent(_ acknowledgement: FirmwareAcknowledgement) -> Bool {
    let bits = UInt32.bitWidth - acknowledgement.arrived.leadingZeroBitCount
    guard bits > 0, let shortest = sizing.shortestSent else { return bits == 0 }
    return Int(acknowledgement.contiguousOffset) + bits * shortest < furthest + shortest
  }

  /// Marks what has arrived; gives the order of the newest frame among it.
  private mutating func settle(
    through offset: Int, _ arrived: UInt32, at now: Duration
  ) -> Int? {
    let whole = flights.prefix { $0.range.upperBound <= offset }
    var newest: Flight?
    for flight in whole where !flight.hasArrived { newest = Self.newer(newest, flight) }
    flights.removeFirst(whole.count)
    if let first = flights.first, first.range.lowerBound < offset {
      flights[0].range = offset..<first.range.upperBound
    }
    for bit in 0..<UInt32.bitWidth where arrived >> bit & 1 == 1 {
      let index = bit + 1
      guard index < flights.count, !flights[index].hasArrived else { continue }
      flights[index].hasArrived = true
      flights[index].isDue = false
      newest = Self.newer(newest, flights[index])
    }
    // The first missing frame has not arrived, whatever an earlier bitmap said.
    if !flights.isEmpty { flights[0].hasArrived = false }
    guard let newest else { return nil }
    let bytes = offset > contiguous ? offset - contiguous : newest.range.count
    return pace.arrived(newest, bytes: bytes, at: now)
  }

  private static func newer(_ a: Flight?, _ b: Flight) -> Flight {
    guard let a, a.order > b.order else { return b }
    return a
  }

  /// The link keeps the order: what was sent before a frame that has arrived, and has not arrived
  /// itself, is lost.
  private mutating func resendWhatIsOlder(than order: Int) {
    for index in flights.indices
    where flights[index].order < order && !flights[index].hasArrived { flights[index].isDue = true }
  }

  // MARK: Blocks

  /// Asks for the check of the next block that is complete.
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

  /// Begins with what is there already: nothing may be left to send.
  public mutating func begin() -> [Effect] { isComplete ? end(.finished) : checkNextBlock() }

  /// Takes the answer to the block check: whether the headphone has the block rightly.
  public mutating func blockAnswered(isGood: Bool, at now: Duration) -> [Effect] {
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
