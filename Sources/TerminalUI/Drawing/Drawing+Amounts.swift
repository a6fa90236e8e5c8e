internal import Companion

extension Drawing {
  /// Draws a bar filled to `percent`, which is clamped to 0 to 100; nil draws an empty bar.
  ///
  /// Any positive percentage fills at least one cell, and only 100 % fills the whole bar.
  mutating func bar(
    _ percent: Int?, columns: Int, _ filledRole: Role, _ pen: inout Cursor
  ) {
    let columns = symbols.areWords ? 0 : min(columns, pen.room)
    guard columns > 0 else { return }
    var filled = min(columns, (min(max(0, percent ?? 0), 100) * columns + 50) / 100)
    if let percent, percent > 0 { filled = max(1, filled) }
    if let percent, percent < 100 { filled = min(columns - 1, filled) }
    write(symbols.barFilled, times: filled, filledRole, &pen)
    write(symbols.barEmpty, times: columns - filled, .barEmpty, &pen)
  }

  mutating func bar(
    _ value: Int, in bounds: ClosedRange<Int>, columns: Int, _ filledRole: Role,
    _ pen: inout Cursor
  ) {
    let columns = symbols.areWords ? 0 : min(columns, pen.room)
    guard columns > 0 else { return }
    let start = pen.column
    func cell(_ value: Int) -> Int {
      let span = max(1, bounds.upperBound - bounds.lowerBound)
      return ((value - bounds.lowerBound) * (columns - 1) * 2 / span + 1) / 2
    }
    write(symbols.barEmpty, times: columns, .barEmpty, &pen)
    let (middle, end) = (cell(0), cell(min(max(value, bounds.lowerBound), bounds.upperBound)))
    var filled = Cursor(row: pen.row, from: start + min(middle, end), to: pen.column)
    write(symbols.barFilled, times: abs(end - middle) + 1, filledRole, &filled)
    var zero = Cursor(row: pen.row, from: start + middle, to: pen.column)
    write(symbols.slider, times: 1, value == 0 ? .value : filledRole, &zero)
  }

  /// Returns the percentage, or "--" if unknown, right-aligned in four columns beside a bar.
  func percentage(_ percent: Int?) -> String {
    let text = percent.map { "\($0)%" } ?? "--"
    guard !symbols.areWords else { return text }
    return String(repeating: " ", count: max(0, 4 - text.count)) + text
  }

  /// Draws the bars of a signal strength, or a word on terminals without step characters.
  mutating func signalBars(_ strength: SignalStrength, isLive: Bool = true, _ pen: inout Cursor) {
    guard symbols.steps.count == 8 else {
      return write(isLive ? strength.word : "--", isLive ? strength.role : .unknown, &pen)
    }
    for step in 0..<4 {
      if isLive, step < strength.rawValue {
        write(symbols.steps[step * 2 + 1], times: 1, strength.role, &pen)
      } else {
        write(symbols.separator, .barEmpty, &pen)
      }
    }
  }
}

extension Drawing {
  /// Draws the charges if all of them and the number of hours fit, else nothing.
  mutating func sparkline(_ charges: [UInt8?], hours: Int, _ pen: inout Cursor) {
    let words = " \(hours) h"
    guard symbols.steps.count == 8, charges.count(where: { $0 != nil }) > 1,
      pen.room >= charges.count + words.columns + 2
    else { return }
    skip(2, &pen)
    for charge in charges {
      if let charge {
        let step = min(Int(charge) * 8 / 100, 7)
        write(symbols.steps[step], times: 1, .batteryGood, &pen)
      } else {
        write(symbols.separator, .barEmpty, &pen)
      }
    }
    write(words, .muted, &pen)
  }

  /// Draws the latest strengths that fit, one step per 8 dB.
  mutating func sparkline(_ strengths: [Int8], _ pen: inout Cursor) {
    guard symbols.steps.count == 8, strengths.count > 1, pen.room > 3 else { return }
    skip(2, &pen)
    for strength in strengths.suffix(pen.room) {
      // The lowest step is -100 dBm and below, the highest -44 dBm and above.
      let step = min(max(0, (Int(strength) + 100) / 8), 7)
      write(symbols.steps[step], times: 1, SignalStrength(strength).role, &pen)
    }
  }
}

extension SignalStrength {
  var word: String {
    switch self {
    case .poor: "weak"
    case .fair: "fair"
    case .good: "good"
    case .excellent: "strong"
    }
  }

  var role: Role {
    switch self {
    case .poor: .batteryCritical
    case .fair: .batteryLow
    case .good, .excellent: .batteryGood
    }
  }
}
