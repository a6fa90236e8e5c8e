internal import Glibc

/// A graphic equaliser in EqualizerAPO's format: `GraphicEQ: 20 -6.1; 25 -5.8; 32 -5.2`.
///
/// Straight lines over the logarithm of the frequency join the points; the outer gains continue.
struct GraphicEQ: Hashable, Sendable {
  struct Point: Hashable, Sendable {
    var frequency: Double
    var gain: Double
  }

  /// The points in rising order of frequency; without any, the curve is flat.
  var points: [Point]

  func gain(at frequency: Double) -> Double {
    guard let first = points.first, let last = points.last else { return 0 }
    guard let next = points.firstIndex(where: { $0.frequency >= frequency }) else {
      return last.gain
    }
    guard next > 0 else { return first.gain }
    let (low, high) = (points[next - 1], points[next])
    let part = log(frequency / low.frequency) / log(high.frequency / low.frequency)
    return low.gain * (1 - part) + high.gain * part
  }

  /// Returns the nearest curve of a preamp and peaks from 20 Hz to 20 kHz.
  ///
  /// Peaks instead of an impulse response, because strength, bass and a headphone's bands are
  /// computed from filters, and because PipeWire's convolver reads its response from a file. The
  /// omissions contain the deviation.
  func fitted() -> ParametricEQ {
    let frequencies = ParametricEQ.frequencies(count: 120)
    let wanted = frequencies.map(gain(at:))
    let mean = wanted.reduce(0, +) / Double(wanted.count)
    var fit = PeakFit(wanted.map { $0 - mean }, at: frequencies)
    fit.run()
    var curve = ParametricEQ(preamp: mean, filters: fit.peaks.map(\.filter))
    let between = ParametricEQ.frequencies(count: 400)
    let distances = zip(between, curve.response(at: between)).map { abs(gain(at: $0) - $1) }
    let worst = zip(between, distances).max { $0.1 < $1.1 } ?? (0, 0)
    curve.omissions = [
      "GraphicEQ became \(curve.filters.count) peaks: off by "
        + "\(decibelText(worst.1, sign: false)) at worst (\(frequencyText(worst.0)))"
    ]
    return curve
  }
}

/// The peaks whose sum is nearest to a curve, by least squares.
///
/// Each round places a peak at the largest error, as wide as that is, and then improves all peaks
/// together (Levenberg–Marquardt). The corrections of the table take twelve peaks, and the median
/// of their largest errors is 0.2 dB.
private struct PeakFit {
  /// A peak by its variables: the logarithm of its frequency, its gain, the logarithm of its Q.
  struct Peak {
    var values: SIMD3<Double>

    var filter: ParametricEQ.Filter {
      .init(.peak, frequency: exp(values.x), gain: values.y, width: .quality(exp(values.z)))
    }

    /// Returns the peak after a step, with an audible frequency, a gain that PipeWire's floats
    /// hold, and a Q that does not ring.
    func moved(by step: SIMD3<Double>) -> Peak {
      let step = step.clamped(lowerBound: -Self.longestStep, upperBound: Self.longestStep)
      return Peak(values: (values + step).clamped(lowerBound: Self.least, upperBound: Self.most))
    }

    private static let least = SIMD3<Double>(log(20), -15, log(0.2))
    private static let most = SIMD3<Double>(log(20_000), 15, log(8))
    private static let longestStep = SIMD3<Double>(0.3, 6, 0.5)
  }

  private static let mostPeaks = 20
  private static let mostRounds = 8
  /// The error in dB that needs no other peak.
  private static let tolerance = 0.1
  private static let smallSteps = [SIMD3<Double>(1e-4, 0, 0), SIMD3(0, 1e-3, 0), SIMD3(0, 0, 1e-3)]

  private let wanted: [Double]
  private let frequencies: [Double]
  private(set) var peaks: [Peak] = []

  init(_ wanted: [Double], at frequencies: [Double]) {
    (self.wanted, self.frequencies) = (wanted, frequencies)
  }

  mutating func run() {
    while peaks.count < Self.mostPeaks {
      let errors = self.errors(of: peaks)
      guard let worst = errors.indices.max(by: { abs(errors[$0]) < abs(errors[$1]) }),
        abs(errors[worst]) >= Self.tolerance
      else { return }
      peaks.append(peak(at: worst, of: errors))
      improve()
    }
  }

  private func response(of peak: Peak) -> [Double] {
    let biquad = Biquad(peak.filter)
    return frequencies.map(biquad.decibels(at:))
  }

  private func errors(of peaks: [Peak]) -> [Double] {
    peaks.map(response(of:)).reduce(wanted) { errors, response in
      zip(errors, response).map { $0 - $1 }
    }
  }

  /// Returns a peak as high as an error, and as wide as the error at half its height.
  private func peak(at worst: Int, of errors: [Double]) -> Peak {
    let isHalf = errors.map { $0 * errors[worst] >= errors[worst] * errors[worst] / 2 }
    let first = isHalf[..<worst].lastIndex(of: false) ?? 0
    let last = isHalf[worst...].firstIndex(of: false) ?? errors.count - 1
    let octaves = max(0.1, log2(frequencies[last] / frequencies[first]))
    let quality = 1 / (2 * sinh(log(2) / 2 * octaves))
    let start = SIMD3(log(frequencies[worst]), errors[worst], log(quality))
    return Peak(values: start).moved(by: .zero)
  }

  private mutating func improve() {
    var damping = 0.01
    var errors = self.errors(of: peaks)
    for _ in 0..<Self.mostRounds {
      let columns = peaks.flatMap(derivatives(of:))
      let right = columns.map { Self.product($0, errors) }
      // The matrix is symmetric, so the lower half is enough.
      var matrix = columns.indices.map { row in
        (0...row).map { Self.product(columns[row], columns[$0]) }
      }
      for place in matrix.indices {
        matrix[place][place] += damping * (matrix[place][place] + 1e-3)
      }
      guard let steps = Self.solution(of: matrix, right) else { return }
      let moved = peaks.enumerated().map { number, peak in
        peak.moved(by: SIMD3(steps[3 * number], steps[3 * number + 1], steps[3 * number + 2]))
      }
      let then = self.errors(of: moved)
      let (before, after) = (Self.product(errors, errors), Self.product(then, then))
      guard after < before else {
        damping *= 4
        continue
      }
      (peaks, errors, damping) = (moved, then, damping / 4)
      if before - after < 1e-4 * before { return }
    }
  }

  private func derivatives(of peak: Peak) -> [[Double]] {
    let here = response(of: peak)
    return Self.smallSteps.map { step in
      let there = response(of: Peak(values: peak.values + step))
      return zip(there, here).map { ($0 - $1) / step.sum() }
    }
  }

  /// Solves a symmetric system (Cholesky) by its rows up to the diagonal; nil if not positive
  /// definite.
  private static func solution(of matrix: [[Double]], _ right: [Double]) -> [Double]? {
    var lower = matrix
    var values = right
    for row in values.indices {
      for column in 0...row {
        let sum = matrix[row][column] - product(lower[row], lower[column], before: column)
        if column < row {
          lower[row][column] = sum / lower[column][column]
        } else {
          guard sum > 0, sum.isFinite else { return nil }
          lower[row][row] = sum.squareRoot()
        }
      }
      values[row] = (values[row] - product(lower[row], values, before: row)) / lower[row][row]
    }
    for row in values.indices.reversed() {
      for below in values.indices.dropFirst(row + 1) {
        values[row] -= lower[below][row] * values[below]
      }
      values[row] /= lower[row][row]
    }
    return values
  }

  private static func product(
    _ left: [Double], _ right: [Double], before end: Int? = nil
  ) -> Double {
    var sum = 0.0
    for place in 0..<(end ?? left.count) { sum += left[place] * right[place] }
    return sum
  }
}
