/// Prints every figure, a line each; fails if one misses its goal.
@main struct Bench {
  static func main() async throws {
    let results = [try await ATTRoundTrips.measure()] + (try FirmwareSpeed.measure())
    for result in results { print(result) }
    if results.contains(where: { !$0.isMet }) { exitWithFailure() }
  }
}

/// One figure with its goal.
struct BenchResult: CustomStringConvertible {
  var name: String
  var value: String
  var goal: String
  var isMet: Bool

  var description: String { "\(isMet ? "ok  " : "MISS") \(name): \(value) (goal: \(goal))" }
}
