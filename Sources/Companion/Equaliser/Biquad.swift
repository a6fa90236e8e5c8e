internal import Glibc

/// A second-order filter by Robert Bristow-Johnson's Audio EQ Cookbook, at 48 kHz.
///
/// ```
///         b0 + b1 z⁻¹ + b2 z⁻²
/// H(z) = ----------------------
///         a0 + a1 z⁻¹ + a2 z⁻²
/// ```
///
/// Only the magnitude is computed: curves are compared with bands here, and no sound is filtered.
struct Biquad {
  private static let rate = 48_000.0
  private var b: (Double, Double, Double)
  private var a: (Double, Double, Double)

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

  /// Returns a low shelf; with the signs of the cosines inverted, it is a high shelf.
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

  /// Returns the Q of a peak with a bandwidth in octaves.
  static func quality(octaves: Double, at frequency: Double) -> Double {
    let angle = 2 * Double.pi * frequency / rate
    return 1 / (2 * sinh(log(2) / 2 * octaves * angle / sin(angle)))
  }

  /// Returns the gain in dB at `frequency`, clamped to 1 Hz to 24 kHz (the Nyquist frequency).
  func decibels(at frequency: Double) -> Double {
    let angle = 2 * Double.pi * min(max(1, frequency), Self.rate / 2) / Self.rate
    return 10 * log10(Self.power(b, angle) / Self.power(a, angle))
  }

  /// Returns the squared magnitude on the unit circle, never 0 because its logarithm is taken.
  private static func power(_ c: (Double, Double, Double), _ angle: Double) -> Double {
    let real = c.0 + c.1 * cos(angle) + c.2 * cos(2 * angle)
    let imaginary = c.1 * sin(angle) + c.2 * sin(2 * angle)
    return max(real * real + imaginary * imaginary, .leastNormalMagnitude)
  }
}

extension ParametricEQ.Filter {
  var quality: Double {
    switch width {
    case .quality(let quality): quality
    case .slope(let slope): 1 / max(0.01, balance * (1 / slope - 1) + 2).squareRoot()
    }
  }

  var slope: Double {
    switch width {
    case .quality(let quality): 1 / ((1 / (quality * quality) - 2) / balance + 1)
    case .slope(let slope): slope
    }
  }

  private var balance: Double {
    let amplitude = pow(10, gain / 40)
    return amplitude + 1 / amplitude
  }
}
