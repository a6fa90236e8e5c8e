internal import Glibc

extension ParametricEQ {
  /// Returns frequencies in Hz, in equal steps of pitch.
  static func frequencies(from low: Double = 20, to high: Double = 20_000, count: Int) -> [Double] {
    guard count > 1 else { return count == 1 ? [low] : [] }
    return (0..<count).map { low * pow(high / low, Double($0) / Double(count - 1)) }
  }

  package func response(at frequencies: [Double]) -> [Double] {
    let biquads = filters.map { Biquad($0) }
    return frequencies.map { frequency in
      biquads.reduce(preamp) { $0 + $1.decibels(at: frequency) }
    }
  }

  /// The highest audible gain in dB.
  var peak: Double { response(at: Self.frequencies(count: 240)).max() ?? preamp }

  /// The level of music after the filters in dB: the mean power of pink noise, 100 Hz to 10 kHz.
  var level: Double {
    let gains = response(at: Self.frequencies(from: 100, to: 10_000, count: 100))
    let mean = gains.reduce(0) { $0 + pow(10, $1 / 10) } / Double(max(1, gains.count))
    return mean > 0 ? 10 * log10(mean) : -.infinity
  }

  private static let bassCorner = 105.0

  /// Returns the curve with a strength of 0 to 100 %, ±6 dB of bass below 105 Hz, and a preamp that
  /// prevents clipping.
  package func adjusted(strength: Int, bass: Double) -> ParametricEQ {
    let part = Double(min(max(0, strength), 100)) / 100
    var curve = self
    curve.preamp = preamp * part
    curve.filters = filters.map { filter in
      var filter = filter
      filter.gain *= part
      return filter
    }
    if bass != 0, bass.isFinite {
      curve.filters.append(
        Filter(
          .lowShelf, frequency: Self.bassCorner, gain: min(max(-6, bass), 6),
          width: .quality(0.5.squareRoot())))
    }
    let peak = curve.peak
    if peak > 0 { curve.preamp -= peak }
    return curve
  }

  /// A plain gain of the same loudness for comparison, never above 0 dB.
  package var uncorrected: ParametricEQ {
    let level = level
    return ParametricEQ(preamp: level.isFinite ? min(0, level) : 0, filters: [])
  }
}
