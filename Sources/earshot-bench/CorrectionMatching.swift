internal import Companion
internal import CompanionRuntime
internal import JSON

/// The time in which the table of corrections is read and a headphone is found in it.
enum CorrectionMatching {
  private static let rounds = 31
  private static let goal = 5.0
  /// Also one whose maker has hundreds of models, and one that the table does not have.
  private static let names = [
    "LE_WH-1000XM4", "Galaxy Buds2 Pro (3F21)", "Sennheiser Momentum 4", "Buds Pro", "Aurora Pro",
  ]

  static func measure() -> BenchResult {
    let clock = ContinuousClock()
    let samples = Samples(
      (0..<rounds).map { _ in
        names.map { name in
          clock.measure { _ = CorrectionTable.bundled().match([name]) } / .milliseconds(1)
        }.max() ?? 0
      })
    return BenchResult(
      name: "correction found",
      value: "\(hundredths(samples.median)) ms for the slowest of \(names.count) names, "
        + "the table of \(CorrectionTable.bundled().count) read anew",
      goal: "at most \(Int(goal)) ms", verdict: samples.verdict(atMost: goal),
      numbers: [.init("ms", .number(samples.median))])
  }
}
