internal import Glibc

/// A filter of second order: Robert Bristow-Johnson, Audio EQ Cookbook, at 48 kHz.
///
/// The transfer function is
///
/// ```
///         b0 + b1 z⁻¹ + b2 z⁻²
/// H(z) = ----------------------
///         a0 + a1 z⁻¹ + a2 z⁻²
/// ```
///
/// and only its magnitude is needed: nothing is filtered here, a curve is compared with bands.
struct Biquad {
  private static let rate = 48_000.0
  private var b: (Double, Double, Double)
  private var a: (Double, Double, Double)

  /// Coefficients by the cookbook's formulas for `peakingEQ`, `lowShelf` and `highShelf`.
  init(_ filter: ParametricEQ.Filter) {
    let amplitude = pow(10, filter.gain / 40)
    let angle = 2 * Double.pi * filter.frequency / Self.rate
    let cosine = cos(angle)
    let alpha =
      switch filter.width {
      case .quality(let quality): sin(angle) / (2 * quality)
      case .slope(let slope):
        sin(angle) / 2 * sqrt(max(0, (amplitude + 1 / amplitude) * (1 / slope - 1) + 2))
      }
    switch filter.shape {
    case .peak:
      b = (1 + alpha * amplitude, -2 * cosine, 1 - alpha * amplitude)
      a = (1 + alpha / amplitude, -2 * cosine, 1 - alpha / amplitude)
    case .lowShelf: (b, a) = Self.shelf(amplitude, alpha, cosine, sign: 1)
    case .highShelf: (b, a) = Self.shelf(amplitude, alpha, cosine, sign: -1)
    }
  }

  /// A high shelf is a low one with the signs of the cosines turned.
  private static func shelf(
    _ amplitude: Double, _ alpha: Double, _ cosine: Double, sign: Double
  ) -> (b: (Double, Double, Double), a: (Double, Double, Double)) {
    let (sum, difference) = (amplitude + 1, (amplitude - 1) * sign)
    let root = 2 * sqrt(amplitude) * alpha
    let b0 = sum - difference * cosine
    let a0 = sum + difference * cosine
    return (
      (
        amplitude * (b0 + root), 2 * amplitude * (difference - sum * cosine),
        amplitude * (b0 - root)
      ),
      (a0 + root, -2 * (difference + sum * cosine), a0 - root)
    )
  }

  /// The gain at a frequency, in dB.
  ///
  /// Frequencies outside 1 Hz to 24 kHz (the Nyquist frequency) are clamped.
  func decibels(at frequency: Double) -> Double {
    let angle = 2 * Double.pi * min(max(1, frequency), Self.rate / 2) / Self.rate
    return 10 * log10(Self.power(b, angle) / Self.power(a, angle))
  }

  /// The squared magnitude of a polynomial on the unit circle; never 0, so that its logarithm
  /// exists.
  private static func power(_ c: (Double, Double, Double), _ angle: Double) -> Double {
    let real = c.0 + c.1 * cos(angle) + c.2 * cos(2 * angle)
    let imaginary = c.1 * sin(angle) + c.2 * sin(2 * angle)
    return max(real * real + imaginary * imaginary, .leastNormalMagnitude)
  }
}
