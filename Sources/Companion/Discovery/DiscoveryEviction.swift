/// Headphones with which nobody has to do are not kept for ever: the air is hostile.
extension State {
  /// How many are kept.
  static let unmatchedKept = 128
  /// How long one is kept that is not heard any more, in milliseconds.
  static let passerByKept: Int64 = 30 * 60_000

  /// Makes room for a newcomer: those go that were not heard for longest.
  mutating func discardUnmatchedDevices(for newDevice: HeadphoneID, at timestamp: Timestamp)
    -> [Effect]
  {
    let unmatchedDevices = headphones.filter {
      $0.isPasserBy && $0.id != newDevice && $0.id != headphones.selected?.id
    }.sorted { $0.silence(at: timestamp) > $1.silence(at: timestamp) }
    let excess = unmatchedDevices.count + 1 - Self.unmatchedKept
    let gone = unmatchedDevices.enumerated().filter { number, headphone in
      number < excess || headphone.silence(at: timestamp) > Self.passerByKept
    }.map(\.element.id)
    for id in gone { headphones.remove(id) }
    return gone.map { .discard($0) }
  }
}

extension HeadphoneState {
  /// It was heard, and that is all: it is not known, and nobody has used it or is about to.
  fileprivate var isPasserBy: Bool {
    link == .idle && !isWanted && lastUsed == nil && soundPin == nil && serial == nil
      && bondAddress == nil && isBonded != true && setKey == nil
  }

  /// For how long it has not been heard, in milliseconds.
  fileprivate func silence(at timestamp: Timestamp) -> Int64 {
    timestamp.milliseconds - (received?.upperBound ?? timestamp).milliseconds
  }
}
