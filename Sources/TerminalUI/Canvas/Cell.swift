/// One column of one row.
public struct Cell: Hashable, Sendable {
  var glyph: Glyph
  /// What the cell means, which a theme gives its look.
  public internal(set) var role: Role
  /// 1; 2 for the left half of a wide character; 0 for its right half, which shows nothing itself.
  public internal(set) var columns: UInt8

  static let blank = Cell(glyph: .space, role: .plain, columns: 1)

  /// The character with its marks; empty for the right half of a wide one.
  public var text: String {
    guard columns > 0 else { return "" }
    var text = String(Character(glyph.base))
    if glyph.hasMarks { text.unicodeScalars.append(contentsOf: glyph.markScalars) }
    return text
  }
}
