internal import Glibc

extension ParametricEQ {
  /// Frequencies in equal steps of pitch, in Hz.
  static func frequencies(from low: Double = 20, to high: Double = 20_000, count: Int) -> [Double] {
    guard count > 1 else { return count == 1 ? [low] : [] }
    return (0..<count).map { low * pow(high / low, Double($0) / Double(count - 1)) }
  }

  /// The gains at some frequencies, in dB.
  public func response(at frequencies: [Double]) -> [Double] {
    let biquads = filters.map { Biquad($0) }
    return frequencies.map { frequency in
      biquads.reduce(preamp) { $0 + $1.decibels(at: frequency) }
    }
  }

  /// The highest gain that can be heard, in dB.
  var peak: Double { response(at: Self.frequencies(count: 240)).max() ?? preamp }

  /// The level of music after it, in dB: the mean power of pink noise from 100 Hz to 10 kHz.
  var level: Double {
    let gains = response(at: Self.frequencies(from: 100, to: 10_000, count: 100))
    let mean = gains.reduce(0) { $0 + pow(10, $1 / 10) } / Double(max(1, gains.count))
    return mean > 0 ? 10 * log10(mean) : -.infinity
  }

  /// The corner of the bass shelf of taste, in Hz.
  private static let bassCorner = 105.0

  /// The curve as a person wants it: a part of the correction, and more or less bass.
  ///
  /// The preamp is what the curve then needs, so that it never clips.
  ///
  /// - Parameters:
  ///   - strength: %, 0 to 100.
  ///   - bass: dB below 105 Hz, -6 to 6.
  public func adjusted(strength: Int, bass: Double) -> ParametricEQ {
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

  /// Nothing but a gain, as loud as this curve: what a comparison plays.
  ///
  /// Never above 0 dB.
  public var uncorrected: ParametricEQ {
    let level = level
    return ParametricEQ(preamp: level.isFinite ? min(0, level) : 0, filters: [])
  }
}
