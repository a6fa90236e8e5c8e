/// Digits three rows high, of characters that every terminal has.
///
/// A passkey is compared at arm's length with what a headphone says, so it is drawn like a
/// seven-segment display.
enum LargeDigits {
  static let rows = 3
  /// Columns of six digits, in two groups of three.
  static let columns = 25

  /// The segments of each digit, row by row.
  private static let shapes: [[String]] = [
    [" _ ", "| |", "|_|"], ["   ", "  |", "  |"], [" _ ", " _|", "|_ "], [" _ ", " _|", " _|"],
    ["   ", "|_|", "  |"], [" _ ", "|_ ", " _|"], [" _ ", "|_ ", "|_|"], [" _ ", "  |", "  |"],
    [" _ ", "|_|", "|_|"], [" _ ", "|_|", " _|"],
  ]
  private static let unknown = ["   ", "   ", " _ "]

  /// One row of all digits; what is no digit is a place to be filled.
  static func row(_ row: Int, of number: String) -> String {
    let places = number.map { character in
      (character.wholeNumberValue.map { shapes[$0] } ?? unknown)[row]
    }
    return stride(from: 0, to: places.count, by: 3).map { start in
      places[start..<min(start + 3, places.count)].joined(separator: " ")
    }.joined(separator: "   ")
  }
}
