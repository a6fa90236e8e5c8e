import ArgumentParser

/// A number, or by how much a value is to be raised or lowered: "40", "40%", "+5", "-5".
struct AmountArgument: ExpressibleByArgument {
  private let number: Int
  /// Whether it is relative to the value that there is.
  let isStep: Bool

  init?(argument: String) {
    let digits = argument.hasSuffix("%") ? argument.dropLast() : argument[...]
    guard let number = Int(String(digits).withHyphen), abs(number) <= 1000 else { return nil }
    self.number = number
    isStep = argument.first?.isNumber == false
  }

  /// The absolute value that it means.
  ///
  /// - Parameter value: the value that there is.
  func level(from value: Int, in range: ClosedRange<Int>) -> Int {
    min(max(isStep ? value + number : number, range.lowerBound), range.upperBound)
  }

  /// Whether it is a number of the range, or relative.
  func isValid(in range: ClosedRange<Int>) -> Bool { isStep || range.contains(number) }
}
