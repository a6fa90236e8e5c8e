import BluetoothRadio

/// Link quality, measured only while a screen shows it.
extension State {
  private static let measuringInterval: Duration = .seconds(2)

  mutating func measureIfShown() -> [Effect] {
    let isShown = screens[.info] != nil || screens[.finder] != nil
    let isWanted = isShown && headphones.contains(where: \.link.isReady)
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

package struct SignalTrend: Hashable, Sendable {
  package enum Direction: String, Hashable, Sendable { case rising, falling, steady }

  private static let count = 24
  /// The number of values compared with as many before them, since one value is noise.
  private static let group = 3
  /// The smallest change in dB; turning one's head causes less.
  private static let least = 4

  /// The strengths in dBm, oldest first.
  package private(set) var strengths: [Int8] = []

  package init() {}

  /// Adds a measurement in dBm.
  package mutating func add(_ rssi: Int8) {
    if strengths.count == Self.count { strengths.removeFirst() }
    strengths.append(rssi)
  }

  package var direction: Direction? {
    guard strengths.count >= 2 * Self.group else { return nil }
    let now = strengths.suffix(Self.group).reduce(0) { $0 + Int($1) }
    let before = strengths.dropLast(Self.group).suffix(Self.group).reduce(0) { $0 + Int($1) }
    switch now - before {
    case (Self.least * Self.group)...: return .rising
    case ...(-Self.least * Self.group): return .falling
    default: return .steady
    }
  }
}
