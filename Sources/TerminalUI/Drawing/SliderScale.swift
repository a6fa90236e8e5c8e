internal import HeadphoneProtocols

/// The rows of a vertical slider, with the highest gain on top and 0 dB in the middle row.
///
/// Each row has four dots of a curve, so that 13 rows distinguish the half steps of 12 dB.
struct SliderScale: Hashable, Sendable {
  let rows: Int
  /// The gain of the top row; the bottom row is its negative.
  let limit: BandGain

  var middle: Int { rows / 2 }

  func row(of gain: BandGain) -> Int {
    dot(of: Double(gain.limited(to: limit).halfDecibels)) / 4
  }

  /// Returns the dot of a gain in half decibels, from the top, rounded away from 0 dB.
  func dot(of halves: Double) -> Int {
    let reach = middle * 4 + 1
    let offset = (halves * Double(reach) / Double(most)).rounded()
    return min(max(0, reach - Int(offset)), rows * 4 - 1)
  }

  /// Returns the middle gain of a row; rows beyond an end have the gain of that end.
  func gain(at row: Int) -> BandGain {
    guard row > 0 else { return limit }
    guard row < rows - 1 else { return BandGain(halfDecibels: -limit.halfDecibels) ?? .flat }
    let gains = (-most...most).compactMap { BandGain(halfDecibels: Int8($0)) }
      .filter { self.row(of: $0) == row }
    return row == middle || gains.isEmpty ? .flat : gains[gains.count / 2]
  }

  private var most: Int { max(1, Int(limit.halfDecibels)) }
}
