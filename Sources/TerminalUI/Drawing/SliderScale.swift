internal import Headphones

/// The columns of a slider from -12 dB to +12 dB, 0 dB in the middle.
struct SliderScale: Hashable, Sendable {
  /// Odd.
  let columns: Int

  var middle: Int { columns / 2 }

  /// Where a gain stands.
  func column(of gain: BandGain) -> Int {
    middle + (Int(gain.halfDecibels) * middle).dividedRounding(by: 24)
  }

  /// The gain that stands at a column; that of an end for one beyond it.
  func gain(at column: Int) -> BandGain {
    let offset = min(max(0, column), columns - 1) - middle
    let steps = (offset * 24).dividedRounding(by: max(1, middle))
    return BandGain(halfDecibels: Int8(steps)) ?? .flat
  }
}

extension Int {
  /// Half away from zero, so that both sides of a slider are alike.
  fileprivate func dividedRounding(by divisor: Int) -> Int {
    (abs(self) + divisor / 2) / divisor * signum()
  }
}
