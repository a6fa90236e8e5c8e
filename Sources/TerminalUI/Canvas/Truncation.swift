extension String {
  /// The text itself if it fits into so many columns, else its beginning with `ellipsis`.
  ///
  /// - Parameters:
  ///   - limit: Columns, not characters.
  ///   - ellipsis: Left out, too, where not even it fits.
  func truncated(to limit: Int, ellipsis: String) -> String {
    guard columns > limit else { return self }
    let room = limit - ellipsis.columns
    guard room >= 0 else { return cut(to: limit) }
    return cut(to: room) + ellipsis
  }

  /// The beginning of the text that fits into so many columns.
  private func cut(to limit: Int) -> String {
    var used = 0
    var result = ""
    for glyph in GlyphSequence(self) {
      used += glyph.columns
      guard used <= limit else { break }
      result.unicodeScalars.append(glyph.base)
      result.unicodeScalars.append(contentsOf: glyph.markScalars)
    }
    return result
  }
}

/// The words of a text in lines of at most so many columns; a longer word is cut.
///
/// Runs of spaces count as one; line breaks in the text are not looked at.
///
/// - Returns: The lines without trailing spaces; none for a limit of 0.
func wrapped(_ text: String, columns limit: Int) -> [String] {
  guard limit > 0 else { return [] }
  var lines: [String] = []
  var line = ""
  var used = 0
  for word in text.split(separator: " ") {
    let word = String(word).truncated(to: limit, ellipsis: "")
    let width = word.columns
    if used > 0, used + 1 + width > limit {
      lines.append(line)
      line = ""
      used = 0
    }
    line += used > 0 ? " " + word : word
    used += used > 0 ? 1 + width : width
  }
  if used > 0 { lines.append(line) }
  return lines
}
