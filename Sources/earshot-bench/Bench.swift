internal import Glibc
internal import JSON

/// Prints every figure, a line each; fails if one misses its goal.
///
/// `--json` prints an array of them instead.
@main struct Bench {
  static func main() async throws {
    // Before any other thread starts, since threads inherit it.
    stayOnOneProcessor()
    let asJSON = CommandLine.arguments.contains("--json")
    let results =
      [try await ATTRoundTrips.measure()]
      + (try FirmwareSpeed.measure { if !asJSON { print($0) } })
    if asJSON {
      print(JSON.array(results.map(\.json)))
    } else {
      for result in results { print(result) }
    }
    if results.contains(where: { $0.verdict == .missed }) { exit(1) }
  }
}

/// One figure with its goal.
struct BenchResult: CustomStringConvertible {
  enum Verdict: String {
    case met = "ok"
    case missed = "MISS"
    /// The goal lies within the interval in which the figure may be.
    case unknown = "unknown"
  }

  var name: String
  var value: String
  var goal: String
  var verdict: Verdict
  /// The numbers behind `value`, for comparisons between versions.
  var numbers: [JSON.Member] = []

  var description: String {
    let mark = verdict.rawValue + String(repeating: " ", count: 7 - verdict.rawValue.count)
    return "\(mark) \(name): \(value) (goal: \(goal))"
  }

  var json: JSON {
    [
      "name": .string(name), "value": .string(value), "goal": .string(goal),
      "verdict": .string(verdict.rawValue), "numbers": .object(numbers),
    ]
  }
}

/// Repeated measurements of one figure, whose median does not follow outliers.
struct Samples {
  private let sorted: [Double]

  /// - Parameter values: at least one.
  init(_ values: [Double]) { sorted = values.sorted() }

  var median: Double { sorted[sorted.count / 2] }

  /// The 95 % confidence interval of the median, by order statistics.
  var interval: ClosedRange<Double> {
    let half = 0.98 * Double(sorted.count).squareRoot()
    let middle = Double(sorted.count - 1) / 2
    let low = max(0, Int((middle - half).rounded(.down)))
    let high = min(sorted.count - 1, Int((middle + half).rounded(.up)))
    return sorted[low]...sorted[high]
  }

  /// Whether the median is at least as large as the goal, where that is certain.
  func verdict(atLeast goal: Double) -> BenchResult.Verdict {
    if interval.lowerBound >= goal {
      .met
    } else if interval.upperBound < goal {
      .missed
    } else {
      .unknown
    }
  }
}
