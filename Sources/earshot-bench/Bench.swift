internal import EventLoop
internal import Glibc
internal import JSON

/// Prints one line for every figure, and fails if one misses its goal.
///
/// `--load` measures the whole app under load instead of its parts, which takes half a minute.
/// `--json FILE` also writes an array of the figures.
@main struct Bench {
  static func main() {
    let isLoad = CommandLine.arguments.contains("--load")
    // This precedes all other threads, because they inherit the processor.
    if !isLoad { stayOnOneProcessor() }
    MainLoop.run {
      do {
        let results = try await measure(isLoad: isLoad)
        for result in results { print(result) }
        try write(results)
        return results.contains { $0.verdict == .missed } ? 1 : 0
      } catch {
        print("\(error)")
        return 1
      }
    }
  }

  @MainActor
  private static func measure(isLoad: Bool) async throws -> [BenchResult] {
    if isLoad { return try await Load.measure() }
    let trips = try await ATTRoundTrips.measure()
    let costs = try StateCosts.measure() + ActionCosts.measure()
    let firmware = try FirmwareSpeed.measure { print($0) }
    return [trips] + costs + [CorrectionMatching.measure()] + firmware
  }

  private static func write(_ results: [BenchResult]) throws {
    let words = CommandLine.arguments
    guard let place = words.firstIndex(of: "--json"), words.indices.contains(place + 1) else {
      return
    }
    guard let file = fopen(words[place + 1], "w") else {
      throw SystemCallError.system(errno: errno, during: "open of \(words[place + 1])")
    }
    fputs("\(JSON.array(results.map(\.json)))\n", file)
    fclose(file)
  }
}

struct BenchResult: CustomStringConvertible {
  enum Verdict: String {
    case met = "ok"
    case missed = "MISS"
    /// The goal lies within the confidence interval of the figure.
    case unknown = "unknown"
  }

  var name: String
  var value: String
  var goal: String
  var verdict: Verdict
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

/// Repeated measurements of one figure, whose median is robust against outliers.
struct Samples {
  private let sorted: [Double]

  /// Creates samples of at least one value.
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

  /// Whether the median is at least the goal, or unknown if that is not certain.
  func verdict(atLeast goal: Double) -> BenchResult.Verdict {
    if interval.lowerBound >= goal {
      .met
    } else if interval.upperBound < goal {
      .missed
    } else {
      .unknown
    }
  }

  /// Whether the median is at most the goal, or unknown if that is not certain.
  func verdict(atMost goal: Double) -> BenchResult.Verdict {
    if interval.upperBound <= goal {
      .met
    } else if interval.lowerBound > goal {
      .missed
    } else {
      .unknown
    }
  }
}

private func time(of clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func monotonicTime() -> Double { time(of: CLOCK_MONOTONIC) }

/// Returns the CPU time of all threads, in s.
func processorTime() -> Double { time(of: CLOCK_PROCESS_CPUTIME_ID) }

/// Returns the CPU time of the calling thread, in s.
func threadTime() -> Double { time(of: CLOCK_THREAD_CPUTIME_ID) }
