import Glibc
import TestSupport

/// Sines that repeat together, in a file of stereo floats at 48 kHz.
struct Tones {
  /// Samples after which all repeat.
  static let period = 16_384
  private static let rate = 48_000.0

  /// Multiples of the lowest that fits the period, about equal steps of pitch from 30 Hz to 16 kHz.
  let multiples: [Int]
  private let amplitude = 0.01

  init(count: Int = 28) {
    let lowest = Self.rate / Double(Self.period)
    let wanted = (0..<count).map { 30 * pow(16_000.0 / 30, Double($0) / Double(count - 1)) }
    multiples = wanted.map { max(1, Int(($0 / lowest).rounded())) }
  }

  /// Hz.
  var frequencies: [Double] { multiples.map { Double($0) * Self.rate / Double(Self.period) } }

  /// Writes so many periods.
  func write(to path: String, periods: Int) throws {
    var samples: [Float] = []
    for place in 0..<Self.period {
      var sum = 0.0
      for (number, multiple) in multiples.enumerated() {
        // Phases that keep the peaks low.
        let phase = Double(number * number) * 0.37
        sum += sin(2 * .pi * Double(multiple * place % Self.period) / Double(Self.period) + phase)
      }
      samples += [Float(sum * amplitude), Float(sum * amplitude)]
    }
    guard let file = fopen(path, "w") else { throw RigFailure("\(path): errno \(errno)") }
    defer { fclose(file) }
    for _ in 0..<periods { fwrite(samples, 4, samples.count, file) }
  }

  /// A period of the cosine.
  private static let cosine = (0..<period).map { cos(2 * .pi * Double($0) / Double(period)) }

  /// The gain of each tone in dB, in a period of a recording's left channel.
  func gains(in samples: ArraySlice<Float>) -> [Double] {
    multiples.map { multiple in
      var (real, imaginary) = (0.0, 0.0)
      var angle = 0
      for sample in samples {
        real += Double(sample) * Self.cosine[angle]
        imaginary += Double(sample) * Self.cosine[(angle + Self.period * 3 / 4) % Self.period]
        angle = (angle + multiple) % Self.period
      }
      let level = (real * real + imaginary * imaginary).squareRoot() * 2 / Double(Self.period)
      return 20 * log10(max(level, 1e-12) / amplitude)
    }
  }

  /// The gains on which two periods of a recording in a row agree, the last first; nil: no two do.
  ///
  /// A busy machine loses samples, or whole periods, which are silent. Two that agree have lost none.
  func gains(of recording: [Float]) -> [Double]? {
    var before: [Double]?
    for period in (0..<recording.count / Self.period).reversed() {
      let start = period * Self.period
      let samples = recording[start..<start + Self.period]
      guard samples.contains(where: { $0 != 0 }) else {
        before = nil
        continue
      }
      let gains = gains(in: samples)
      if let before, zip(before, gains).allSatisfy({ abs($0 - $1) < 0.05 }) { return gains }
      before = gains
    }
    return nil
  }

  /// The left channel of a recording.
  static func left(of path: String) throws -> [Float] {
    guard let file = fopen(path, "r") else { throw RigFailure("\(path): errno \(errno)") }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let count = ftell(file) / 8
    rewind(file)
    var samples = [Float](repeating: 0, count: count * 2)
    fread(&samples, 8, count, file)
    return (0..<count).map { samples[$0 * 2] }
  }
}
