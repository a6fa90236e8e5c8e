import ArgumentParser

/// A value or a change of it: "40", "40%", "+5", "-5", "up", "max".
struct AmountArgument: ExplainedArgument {
  static let usage = "it takes a number, +N, -N, up, down, min or max"

  private enum Change {
    case level(Int)
    case step(Int)
    case up, down
    case highest, lowest
  }

  private let change: Change

  init?(argument: String) {
    switch argument.lowercased() {
    case "up": change = .up
    case "down": change = .down
    case "max": change = .highest
    case "min": change = .lowest
    default:
      let digits = argument.hasSuffix("%") ? argument.dropLast() : argument[...]
      guard let number = Int(String(digits).withHyphen), abs(number) <= 1000 else { return nil }
      change = argument.first?.isNumber == false ? .step(number) : .level(number)
    }
  }

  var isStep: Bool {
    switch change {
    case .step, .up, .down: true
    case .level, .highest, .lowest: false
    }
  }

  /// Returns the absolute value; `step` is the size of `up` and `down`.
  func level(from value: Int, in range: ClosedRange<Int>, step: Int = 1) -> Int {
    let level =
      switch change {
      case .level(let number): number
      case .step(let number): value + number
      case .up: value + step
      case .down: value - step
      case .highest: range.upperBound
      case .lowest: range.lowerBound
      }
    return min(max(level, range.lowerBound), range.upperBound)
  }

  func isValid(in range: ClosedRange<Int>) -> Bool {
    if case .level(let number) = change { range.contains(number) } else { true }
  }
}
