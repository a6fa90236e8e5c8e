extension String {
  func truncated(to limit: Int, ellipsis: String) -> String {
    guard columns > limit else { return self }
    let room = limit - ellipsis.columns
    guard room >= 0 else { return cut(to: limit) }
    return cut(to: room) + ellipsis
  }

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

/// Breaks a text into lines of at most `limit` columns; longer words are cut.
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
