import HeadphoneProtocols

/// The headphone that is selected at the start: the one that was used last.
///
/// While it is absent, a known headphone that plays takes its place, or else the nearest known one
/// that is heard.
extension State {
  /// The time in which the headphone that was used last may still be heard.
  static let hearingTime = Duration.seconds(2)

  /// Starts the time after which a known headphone that is heard replaces the absent one.
  func awaitPresumed(hearing id: HeadphoneID, wasNearby: Bool) -> [Effect] {
    guard let presumed, presumed != id, !wasNearby, headphones[id]?.lastUsed != nil else {
      return []
    }
    return [.startTimer(.settled, .exactly(Self.hearingTime))]
  }

  /// Replaces the headphone that was chosen at the start, unless it is connected or the user chose
  /// one.
  mutating func replacePresumed(isSettled: Bool = false, at timestamp: Timestamp) -> [Effect] {
    guard let id = presumed else { return [] }
    guard let chosen = headphones[id], headphones.selected?.id == id, chosen.link.isWanted,
      !chosen.link.isConnected
    else {
      presumed = nil
      return []
    }
    let others = headphones.filter { $0.id != id && $0.lastUsed != nil && !$0.isAdvertisingOnly }
    let playing = others.first { headphone in
      if case .connected = route(of: headphone) { true } else { false }
    }
    let heard =
      isSettled && !chosen.isNearby
      ? others.filter(\.isNearby).max { ($0.rssi ?? .min) < ($1.rssi ?? .min) } : nil
    guard let other = playing ?? heard else { return [] }
    presumed = nil
    let words = chosen.isNearby ? "" : "\(name(of: id)) not heard; "
    return yieldLink(id) + choose(other.id)
      + say("\(words)showing \(name(of: other.id))", other.id, at: timestamp)
  }
}
