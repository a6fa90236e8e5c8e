import Bluetooth

/// Link quality, measured only while a screen shows it.
extension State {
  private static let measuringInterval: Duration = .seconds(2)

  /// Starts measuring when the first screen shows the quality, and stops with the last one.
  ///
  /// - Parameter wasShown: whether this screen showed it before the action.
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
      // Without a measurement, the RSSI of the last advertisement stays.
      $0.rssi = measurement.rssi ?? $0.rssi
      guard $0.link.isConnected else { return }
      $0.quality = measurement
      if let rssi = measurement.rssi { $0.trend.add(rssi) }
    }
    return []
  }
}

extension Page {
  /// Whether the page shows the link quality.
  var showsQuality: Bool { kind == .info }
}
