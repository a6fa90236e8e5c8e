import Bluetooth

/// How good the links are, looked at while somebody looks at it.
extension State {
  private static let measuringInterval: Duration = .seconds(2)

  /// Begins to measure when the first screen shows it, and ends with the last one.
  ///
  /// `wasShown`: on this screen, before the action.
  mutating func measureIfShown(wasShown: Bool) -> [Effect] {
    qualityPages += (page.showsQuality ? 1 : 0) - (wasShown ? 1 : 0)
    let isWanted = qualityPages > 0 && headphones.contains(where: \.link.isReady)
    guard isWanted != isMeasuring else { return [] }
    isMeasuring = isWanted
    return isWanted ? measure() : [.cancelTimer(.measure)]
  }

  mutating func measure() -> [Effect] {
    guard isMeasuring else { return [] }
    return headphones.filter(\.link.isReady).map { .measure($0.id) } + [
      .startTimer(.measure, .exactly(Self.measuringInterval))
    ]
  }

  mutating func adopt(_ measurement: LinkQuality, of id: HeadphoneID) -> [Effect] {
    headphones.update(id) {
      // Where nobody measures it, what was heard on the air is the best there is.
      $0.rssi = measurement.rssi ?? $0.rssi
      guard $0.link.isConnected else { return }
      $0.quality = measurement
      if let rssi = measurement.rssi { $0.trend.add(rssi) }
    }
    return []
  }
}

extension Page {
  /// Whether it shows how good a link is.
  var showsQuality: Bool {
    if case .info = self { true } else { false }
  }
}
