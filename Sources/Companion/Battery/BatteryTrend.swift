package import HeadphoneProtocols

package struct BatteryTrend: Hashable, Sendable {
  /// Whether ``minutes`` is the time until the battery is full.
  package var isCharging: Bool
  package var minutes: Int

  /// The estimate in words: "about 2 h 40 min left" or "full in about 40 min".
  package var displayText: String {
    isCharging ? "full in about \(duration)" : "about \(duration) left"
  }

  package var shortText: String { "~\(duration)" }

  private var duration: String { approximateDuration(minutes: minutes) }
}

/// Returns a duration such as "2 h 40 min", in steps of 5 minutes, or 10 from an hour on.
func approximateDuration(minutes: Int) -> String {
  let step = minutes >= 60 ? 10 : 5
  let rounded = max(step, (minutes + step / 2) / step * step)
  let (hours, rest) = (rounded / 60, rounded % 60)
  if hours == 0 { return "\(rest) min" }
  return rest == 0 || hours >= 10 ? "\(hours) h" : "\(hours) h \(rest) min"
}

extension BatteryHistory {
  /// The minutes after which an unchanged charge says nothing about the current rate.
  private static let longestPause: Int64 = 180
  /// The minutes over which a rate is taken.
  private static let window: Int64 = 240
  /// The minimum minutes for a rate; fewer would be noise.
  private static let leastMinutes: Int64 = 15
  /// The minimum change for a rate, in percentage points.
  private static let leastChange = 3
  private static let longest = 100 * 60.0

  /// Returns the trend of a part's charge.
  ///
  /// The rate is taken between the first and the last change of the current charge or discharge,
  /// since only a change tells exactly when a level was reached.
  ///
  /// - Returns: nil from less than 15 minutes or 3 percentage points, or for an estimate of less
  ///   than a minute or more than 100 hours.
  package func trend(of part: Part, at timestamp: Timestamp) -> BatteryTrend? {
    let run = run(of: part, at: timestamp.minute)
    let changes = run.indices.dropFirst().filter { run[$0].level != run[$0 - 1].level }
    guard let first = changes.first.map({ run[$0] }), let last = changes.last.map({ run[$0] })
    else { return nil }
    let minutes = last.minute - first.minute
    let change = abs(Int(last.level) - Int(first.level))
    guard minutes >= Self.leastMinutes, change >= Self.leastChange else { return nil }
    let rate = Double(change) / Double(minutes)
    let isCharging = last.isCharging
    let rest = Double(isCharging ? 100 - last.level : last.level) / rate
    let left = rest - Double(timestamp.minute - last.minute)
    guard left >= 1, left <= Self.longest else { return nil }
    return BatteryTrend(isCharging: isCharging, minutes: Int(left))
  }

  private struct Point {
    var minute: Int64
    var level: UInt8
    var isCharging: Bool
  }

  /// Returns the points of the current charge or discharge of a part.
  ///
  /// It begins after a pause of more than three hours, an absence, or a change of direction.
  private func run(of part: Part, at now: Int64) -> [Point] {
    var run: [Point] = []
    for sample in samples.reversed() {
      guard let charge = sample[part], sample.minute <= now, now - sample.minute <= Self.window
      else { break }
      if let next = run.last {
        let isSteady =
          charge.isCharging ? charge.level <= next.level : charge.level >= next.level
        guard charge.isCharging == next.isCharging, isSteady,
          next.minute - sample.minute <= Self.longestPause
        else { break }
      } else if now - sample.minute > Self.longestPause {
        break
      }
      run.append(
        Point(minute: sample.minute, level: charge.level, isCharging: charge.isCharging))
      if sample.isFirst { break }
    }
    return run.reversed()
  }
}

extension HeadphoneState {
  package func batteryTrend(of part: Part) -> BatteryTrend? {
    guard link.isReady, let seenAt = battery?.seenAt else { return nil }
    return charges?.trend(of: part, at: max(seenAt, lastPacket ?? seenAt))
  }
}

extension BatteryHistory {
  /// Returns the charges of a part at `count` equal steps over `minutes` until `end`, newest last;
  /// nil where the charge is unknown.
  package func levels(
    of part: Part, count: Int, minutes: Int, until end: Timestamp
  ) -> [ChargeSample.Charge?] {
    guard count > 0 else { return [] }
    let start = end.minute - Int64(minutes)
    var index = samples.startIndex
    return (1...count).map { place in
      let minute = start + Int64(minutes * place / count)
      while index < samples.endIndex, samples[index].minute <= minute { index += 1 }
      guard index > samples.startIndex else { return nil }
      // During an absence, nothing is known after the sample before it.
      if index < samples.endIndex, samples[index].isFirst,
        samples[index - 1].minute < minute - Self.spacing
      {
        return nil
      }
      return samples[index - 1][part]
    }
  }

  /// Whether there are samples of a day; a graph of less is mostly empty.
  package func coversDay(until end: Timestamp) -> Bool {
    samples.first.map { end.minute - $0.minute >= 24 * 60 } == true
  }

  /// Returns the hours of a graph, 2 to 24: the fewest that hold the samples of the last day.
  package func hours(until end: Timestamp) -> Int {
    let day = samples.filter { end.minute - $0.minute <= 24 * 60 }
    let age = end.minute - (day.first?.minute ?? end.minute)
    return [2, 4, 8, 12].first { age <= Int64($0 * 60) } ?? 24
  }
}
