/// Returns received text without characters that control a terminal or are invisible.
///
/// Controls (C0, C1, including ESC), bidirectional and zero-width characters, line separators,
/// private-use and unassigned characters are each replaced with one U+FFFD, so that different names
/// also look different. Tabs and line ends become spaces. Variation selectors 15 and 16 are kept,
/// as they select the text or emoji form of a character. A zero-width joiner is kept between two
/// emoji, as in "👩‍💻".
///
/// ```swift
/// print(displayable("Buds\u{1B}[2J"))  // Buds�[2J
/// ```
package func displayable(_ raw: String) -> String {
  if raw.utf8.allSatisfy({ 0x20 <= $0 && $0 < 0x7F }) { return raw }
  var shown = String.UnicodeScalarView()
  let scalars = raw.unicodeScalars
  for index in scalars.indices {
    let scalar = scalars[index]
    let isSafe = scalar.isSafeToShow || scalars.joinsEmoji(at: index)
    shown.append(isSafe ? scalar : scalar.isBlank ? " " : "\u{FFFD}")
  }
  return String(shown)
}

extension String.UnicodeScalarView {
  /// Returns whether a zero-width joiner at `index` is between two emoji (UTS #51, ED-16).
  fileprivate func joinsEmoji(at index: Index) -> Bool {
    guard self[index] == "\u{200D}" else { return false }
    let before = self[..<index].last { $0 != "\u{FE0F}" && !$0.properties.isEmojiModifier }
    let behind = self[self.index(after: index)...].first
    return before?.isEmoji == true && behind?.isEmoji == true
  }
}

extension Unicode.Scalar {
  /// Whether the character is an emoji, excluding the ASCII digits and signs of keycaps.
  fileprivate var isEmoji: Bool { value > 0x7F && properties.isEmoji }

  fileprivate var isBlank: Bool { ("\t"..."\r").contains(self) || self == "\u{85}" }

  fileprivate var isSafeToShow: Bool {
    if self == "\u{FE0E}" || self == "\u{FE0F}" { return true }
    if properties.isDefaultIgnorableCodePoint { return false }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
      .unassigned:
      return false
    default: return true
    }
  }
}
