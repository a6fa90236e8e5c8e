internal import Glibc
public import HeadphoneProtocols

/// A parametric curve as the bands of a headphone can follow it.
///
/// A headphone's bands are few and fixed; a correction has filters of any frequency and width. What
/// cannot be followed is not passed over in silence: ``losses`` names it in dB.
///
/// ```swift
/// let curve = try ParametricEQ(parsing: bytes)
/// if let bands = EQBands(capabilities) {
///   let fit = EQFit(curve, to: bands)
///   print(fit.gains, fit.losses)
/// }
/// ```
public struct EQFit: Hashable, Sendable {
  /// One for each band of the headphone, from low to high.
  public var gains: [BandGain]
  /// What is not as in the curve, in words and dB; never empty where anything is.
  public var losses: [String]

  /// Takes the curve at the middle of each band, within what a band can do.
  public init(_ curve: ParametricEQ, to bands: EQBands) {
    let limit = bands.limit.decibels
    let wanted = bands.centres.map { curve.response(at: $0) }
    gains = wanted.map { BandGain(decibels: $0).limited(to: bands.limit) }
    losses = []
    for (band, value) in wanted.enumerated() where abs(value) > limit + 0.25 {
      losses.append(
        "\(bands.title(band)): \(decibelText(value)) wanted, "
          + "limited to \(decibelText(gains[band].decibels))")
    }
    let rounding =
      zip(wanted, gains).map { abs(min(max($0, -limit), limit) - $1.decibels) }.max() ?? 0
    if rounding >= 0.05 {
      losses.append("rounded to steps of 0.5 dB: up to \(decibelText(rounding, sign: false)) off")
    }
    losses += between(curve, bands)
    if bands.isAssumed {
      losses.append("band frequencies are assumed: this headphone does not report them")
    }
    losses += curve.omissions
  }

  /// How far the curve is from straight lines between the bands, at worst.
  ///
  /// 200 points from 20 Hz to 20 kHz in equal steps of pitch. Below 0.5 dB nothing is said: that is
  /// the step of a band.
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
    guard worst.distance >= 0.5 else { return [] }
    let mean = (squares / Double(points)).squareRoot()
    return [
      "between bands: off by \(decibelText(mean, sign: false)) on average, "
        + "\(decibelText(worst.distance, sign: false)) at worst (\(frequencyText(worst.frequency)))"
    ]
  }

  /// The gain at a frequency if the bands are joined by straight lines over the logarithm of the
  /// frequency, as equalisers are drawn; beyond the outer bands it is theirs.
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
  /// The nearest step within the range; what is no number is 0 dB.
  ///
  /// A step is 0.5 dB, the range -12 to +12 dB.
  public init(decibels: Double) {
    let halves = decibels.isFinite ? min(max((decibels * 2).rounded(), -24), 24) : 0
    self = BandGain(halfDecibels: Int8(halves)) ?? .flat
  }
}

/// "+3.2 dB"; without its sign "3.2 dB".
func decibelText(_ value: Double, sign: Bool = true) -> String {
  let tenths = Int((min(max(value, -1000), 1000) * 10).rounded())
  let mark = tenths < 0 ? "-" : sign && tenths > 0 ? "+" : ""
  return "\(mark)\(abs(tenths) / 10).\(abs(tenths) % 10) dB"
}
