/// One column of one row.
///
/// A cell takes 16 bytes and is compared as a whole: a row is redrawn if any of its cells differs.
package struct Cell: Hashable, Sendable {
  var glyph: Glyph
  package internal(set) var role: Role
  /// The width: 1, 2 for the left half of a wide character, or 0 for its right half.
  package internal(set) var columns: UInt8

  static let blank = Cell(glyph: .space, role: .plain, columns: 1)

  /// The character with its marks, or an empty string for the right half of a wide character.
  package var text: String {
    guard columns > 0 else { return "" }
    var text = String(Character(glyph.base))
    if glyph.hasMarks { text.unicodeScalars.append(contentsOf: glyph.markScalars) }
    return text
  }
}
