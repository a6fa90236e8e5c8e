internal import Companion
internal import CompanionRuntime
internal import JSON

/// The processor time in which the table of corrections is read and a headphone is found in it.
///
/// Wall time on a busy machine is several times as long, and is shown beside it.
enum CorrectionMatching {
  private static let rounds = 31
  private static let goal = 5.0
  /// Also one whose maker has hundreds of models, and one that the table does not have.
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

  /// Milliseconds of a processor, and by the clock, in which a name is looked up.
  private static func time(_ name: String) -> (processor: Double, clock: Double) {
    let (processor, clock) = (threadTime(), monotonicTime())
    _ = CorrectionTable.bundled().match([name])
    return ((threadTime() - processor) * 1000, (monotonicTime() - clock) * 1000)
  }
}
