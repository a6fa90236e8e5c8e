internal import HeadphoneProtocols

/// The rows of a fader, the highest gain on top and 0 dB in the middle one.
///
/// Each row has four dots of a curve, so that 13 rows distinguish the half steps of 12 dB.
struct SliderScale: Hashable, Sendable {
  /// Odd.
  let rows: Int
  /// What its ends stand for.
  let limit: BandGain

  var middle: Int { rows / 2 }

  /// The row of a gain.
  func row(of gain: BandGain) -> Int {
    dot(of: Double(gain.limited(to: limit).halfDecibels)) / 4
  }

  /// The dot of a gain in half decibels, from the top; half a dot is rounded away from 0 dB, so that
  /// both sides are alike.
  func dot(of halves: Double) -> Int {
    let reach = middle * 4 + 1
    let offset = (halves * Double(reach) / Double(most)).rounded()
    return min(max(0, reach - Int(offset)), rows * 4 - 1)
  }

  /// The gain in the middle of those that a row stands for; that of an end for one beyond it.
  func gain(at row: Int) -> BandGain {
    guard row > 0 else { return limit }
    guard row < rows - 1 else { return BandGain(halfDecibels: -limit.halfDecibels) ?? .flat }
    let gains = (-most...most).compactMap { BandGain(halfDecibels: Int8($0)) }
      .filter { self.row(of: $0) == row }
    return row == middle || gains.isEmpty ? .flat : gains[gains.count / 2]
  }

  private var most: Int { max(1, Int(limit.halfDecibels)) }
}
