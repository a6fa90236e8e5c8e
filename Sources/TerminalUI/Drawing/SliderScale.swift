internal import HeadphoneProtocols

/// The cells of a slider, 0 dB in the middle.
///
/// Cell 0 is the lowest gain. Gain to cell and back gives the same cell, so a click on the knob
/// changes nothing.
struct SliderScale: Hashable, Sendable {
  /// Odd.
  let cells: Int
  /// What its ends stand for.
  let limit: BandGain

  var middle: Int { cells / 2 }

  /// Where a gain stands.
  func cell(of gain: BandGain) -> Int {
    middle + (Int(gain.limited(to: limit).halfDecibels) * middle).dividedRounding(by: halves)
  }

  /// The gain that stands at a cell; that of an end for one beyond it.
  func gain(at cell: Int) -> BandGain {
    let offset = min(max(0, cell), cells - 1) - middle
    let steps = (offset * halves).dividedRounding(by: max(1, middle))
    return BandGain(halfDecibels: Int8(steps)) ?? .flat
  }

  private var halves: Int { max(1, Int(limit.halfDecibels)) }
}

extension Int {
  /// Half away from zero, so that both sides of a slider are alike.
  fileprivate func dividedRounding(by divisor: Int) -> Int {
    (abs(self) + divisor / 2) / divisor * signum()
  }
}
