package import HeadphoneProtocols

package struct ChargeSample: Hashable, Sendable {
  package struct Charge: Hashable, Sendable {
    /// The level, 0 to 100 %.
    package var level: UInt8
    /// Whether the part charges; false also if the headphone does not report it.
    package var isCharging: Bool

    package init(level: UInt8, isCharging: Bool) {
      self.level = level
      self.isCharging = isCharging
    }
  }

  /// The time in whole minutes since 1970-01-01 00:00 UTC.
  package var minute: Int64
  /// Whether the headphone was absent before, so that its earlier charges are unknown.
  package var isFirst: Bool
  /// Whether the headphone was absent for more than some minutes since the last sample.
  package var isResumed = false
  /// Whether levels are reported in steps instead of percent.
  package var isCoarse = false
  package var mode: ANCMode?
  // Three properties instead of a dictionary, because there are hundreds of samples.
  private var left, right, `case`: Charge?

  package init(minute: Int64, isFirst: Bool = false) {
    self.minute = minute
    self.isFirst = isFirst
  }

  init(_ battery: [Part: Battery], mode: ANCMode? = nil, at timestamp: Timestamp) {
    self.init(minute: timestamp.minute)
    self.mode = mode
    isCoarse = battery.values.contains { $0.steps != nil }
    for (part, battery) in battery {
      self[part] = battery.level.map {
        Charge(level: $0, isCharging: battery.isCharging == true)
      }
    }
  }

  package subscript(part: Part) -> Charge? {
    get {
      switch part {
      case .left: left
      case .right: right
      case .case: `case`
      }
    }
    set {
      switch part {
      case .left: left = newValue
      case .right: right = newValue
      case .case: `case` = newValue
      }
    }
  }

  var parts: [Part] { Part.allCases.filter { self[$0] != nil } }
}

extension Timestamp {
  var minute: Int64 { milliseconds / 60_000 }
}
