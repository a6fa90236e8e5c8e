internal import VirtualHeadphones

extension LinkModel.Parameters {
  /// Returns the shortest possible time: every packet that the air lets through is full of the
  /// image.
  ///
  /// - Parameter longestValue: the length of the longest frame in bytes, including its offset of 4.
  package func limit(bytes: Int, longestValue: Int, from start: Duration = .zero) -> Duration {
    let best = (5...max(5, longestValue)).map { length in
      Double(length - 4) / Double((length + 7 + packetLength - 1) / packetLength)
    }.max()
    let packets = Double(bytes) / (best ?? 1)
    var slot = slot(from: start)
    var (carried, wasted) = (0, 0)
    while carried < Int(packets.rounded(.up)) {
      let isCarried = !isStalled(at: slot) && isLucky(at: slot, .toHeadphone)
      if isCarried { carried += 1 } else { wasted += 1 }
      slot = self.slot(after: slot)
    }
    return interval * ((packets + Double(wasted)) / Double(packetsPerEvent))
  }

  // MARK: Slots

  func timestamp(of slot: LinkModel.Slot) -> Duration {
    interval * slot.event + spacing * slot.place
  }

  func slot(after slot: LinkModel.Slot) -> LinkModel.Slot {
    slot.place + 1 < packetsPerEvent
      ? LinkModel.Slot(event: slot.event, place: slot.place + 1)
      : LinkModel.Slot(event: slot.event + 1)
  }

  /// Returns the first slot at or after a time.
  func slot(from timestamp: Duration) -> LinkModel.Slot {
    var slot = LinkModel.Slot(event: Int(timestamp / interval))
    while self.timestamp(of: slot) < timestamp { slot = self.slot(after: slot) }
    return slot
  }

  /// Returns whether the headphone is not listening.
  func isStalled(at slot: LinkModel.Slot) -> Bool {
    let timestamp = timestamp(of: slot)
    return stalls.contains { $0.contains(timestamp) }
  }

  /// Returns whether a packet is received correctly; otherwise it is sent again.
  func isLucky(at slot: LinkModel.Slot, _ direction: LinkModel.Direction) -> Bool {
    guard retransmission > 0 else { return true }
    let count = UInt64(slot.event * packetsPerEvent + slot.place) * 2 + direction.rawValue
    var chance = SplitMix64(seed: seed, skipping: count)
    return Double.random(in: 0..<1, using: &chance) >= retransmission
  }
}
