/// Eviction of unknown devices, which bounds the list in a crowd or under attack.
extension State {
  static let unmatchedKept = 128
  /// The milliseconds for which an unknown device is kept after its last advertisement.
  static let passerByKept: Int64 = 30 * 60_000

  /// Evicts the unknown devices that advertised longest ago, but not `newDevice`.
  ///
  /// Selected, known, wanted and paired headphones are never evicted. Each eviction is an effect,
  /// so that the radio's tables forget the device as well.
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
  fileprivate var isPasserBy: Bool {
    link == .unwanted(.idle) && lastUsed == nil && soundPin == nil && serial == nil
      && bondAddress == nil && isBonded != true && setKey == nil
  }

  fileprivate func silence(at timestamp: Timestamp) -> Int64 {
    timestamp.milliseconds - (received?.upperBound ?? timestamp).milliseconds
  }
}
