internal import Glibc
package import HeadphoneProtocols

/// A parametric curve, fitted to the few bands of a headphone at fixed frequencies.
package struct EQFit: Hashable, Sendable {
  package var gains: [BandGain]
  /// The deviations from the curve in words, with dB.
  package var losses: [String]

  /// Creates a fit from the curve at the centre of each band, within the band's limits.
  package init(_ curve: ParametricEQ, to bands: EQBands) {
    let limit = bands.limit.decibels
    let wanted = bands.centres.map { curve.response(at: $0) }
    gains = wanted.map(bands.gain(nearest:))
    losses = []
    for (band, value) in wanted.enumerated() where abs(value) > limit + bands.step.decibels / 2 {
      losses.append(
        "\(bands.title(band)): \(decibelText(value)) wanted, "
          + "limited to \(decibelText(gains[band].decibels))")
    }
    let rounding =
      zip(wanted, gains).map { abs(min(max($0, -limit), limit) - $1.decibels) }.max() ?? 0
    if rounding >= 0.05 {
      losses.append("\(bands.roundingText): up to \(decibelText(rounding, sign: false)) off")
    }
    losses += between(curve, bands)
    if bands.isAssumed {
      losses.append("band frequencies are assumed: this headphone does not report them")
    }
    losses += curve.omissions
  }

  /// Returns the deviations from straight lines between the bands, unless below the step of a band.
  private func between(_ curve: ParametricEQ, _ bands: EQBands) -> [String] {
    var worst = (distance: 0.0, frequency: 0.0)
    var squares = 0.0
    let points = 200
    for point in 0..<points {
      let frequency = 20 * pow(1000, Double(point) / Double(points - 1))
      let distance = abs(curve.response(at: frequency) - drawn(at: frequency, bands))
      squares += distance * distance
      if distance > worst.distance { worst = (distance, frequency) }
    }
    guard worst.distance >= bands.step.decibels else { return [] }
    let mean = (squares / Double(points)).squareRoot()
    return [
      "between bands: off by \(decibelText(mean, sign: false)) on average, "
        + "\(decibelText(worst.distance, sign: false)) at worst (\(frequencyText(worst.frequency)))"
    ]
  }

  /// Returns the gain on straight lines over the logarithm of the frequency that join the bands.
  func drawn(at frequency: Double, _ bands: EQBands) -> Double {
    guard let first = gains.first, let last = gains.last else { return 0 }
    guard let next = bands.centres.firstIndex(where: { $0 >= frequency }) else {
      return last.decibels
    }
    guard next > 0 else { return first.decibels }
    let (low, high) = (bands.centres[next - 1], bands.centres[next])
    let part = log(frequency / low) / log(high / low)
    return gains[next - 1].decibels * (1 - part) + gains[next].decibels * part
  }
}

extension BandGain {
  /// Creates the nearest gain in steps of 0.5 dB within ±12 dB, or 0 dB for NaN and infinity.
  package init(decibels: Double) {
    let halves = decibels.isFinite ? min(max((decibels * 2).rounded(), -24), 24) : 0
    self = BandGain(halfDecibels: Int8(halves)) ?? .flat
  }
}

/// Returns "+3.2 dB", or "3.2 dB" without sign.
func decibelText(_ value: Double, sign: Bool = true) -> String {
  let tenths = Int((min(max(value, -1000), 1000) * 10).rounded())
  let mark = tenths < 0 ? "-" : sign && tenths > 0 ? "+" : ""
  return "\(mark)\(abs(tenths) / 10).\(abs(tenths) % 10) dB"
}
