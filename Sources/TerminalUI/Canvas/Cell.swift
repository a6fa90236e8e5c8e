/// One column of one row.
///
/// 16 bytes, compared as a whole: a row is redrawn if any of its cells differs.
public struct Cell: Hashable, Sendable {
  /// The character with its marks; a space in the right half of a wide one.
  var glyph: Glyph
  /// What the cell means, which a theme gives its look.
  public internal(set) var role: Role
  /// 1; 2 for the left half of a wide character; 0 for its right half, which shows nothing itself.
  public internal(set) var columns: UInt8

  /// A space in the terminal's own colours.
  static let blank = Cell(glyph: .space, role: .plain, columns: 1)

  /// The character with its marks; empty for the right half of a wide one.
  public var text: String {
    guard columns > 0 else { return "" }
    var text = String(Character(glyph.base))
    if glyph.hasMarks { text.unicodeScalars.append(contentsOf: glyph.markScalars) }
    return text
  }
}
