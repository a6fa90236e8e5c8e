internal import Companion
internal import CompanionRuntime
internal import JSON

/// The CPU time of reading the correction table and finding a headphone; also the wall time.
enum CorrectionMatching {
  private static let rounds = 31
  private static let goal = 5.0
  /// The names, including one of a vendor with hundreds of models, and one that the table lacks.
  private static let names = [
    "LE_WH-1000XM4", "Galaxy Buds2 Pro (3F21)", "Sennheiser Momentum 4", "Buds Pro", "Aurora Pro",
  ]

  static func measure() -> BenchResult {
    let rounds = (0..<rounds).map { _ in
      names.map(time).max { $0.processor < $1.processor } ?? (0, 0)
    }
    let processor = Samples(rounds.map(\.processor))
    let clock = Samples(rounds.map(\.clock))
    return BenchResult(
      name: "correction found",
      value:
        "\(hundredths(processor.median)) ms of a processor, \(hundredths(clock.median)) by the "
        + "clock, for the slowest of \(names.count) names, "
        + "reading the table of \(CorrectionTable.bundled().count) each time",
      goal: "at most \(Int(goal)) ms of a processor", verdict: processor.verdict(atMost: goal),
      numbers: [
        .init("processorMilliseconds", .number(processor.median)),
        .init("milliseconds", .number(clock.median)),
      ])
  }

  private static func time(_ name: String) -> (processor: Double, clock: Double) {
    let (processor, clock) = (threadTime(), monotonicTime())
    _ = CorrectionTable.bundled().match([name])
    return ((threadTime() - processor) * 1000, (monotonicTime() - clock) * 1000)
  }
}
