/// Text from the air that is safe to show: characters that could control a terminal or hide are
/// replaced.
///
/// Controls (C0, C1, including ESC), bidirectional and zero-width characters, line separators,
/// private-use and unassigned characters each become one U+FFFD, so that two different names also
/// look different; tabs and line ends become a space. Variation selectors 15 and 16 are kept: they
/// choose between the text and the emoji form of the character before them.
///
/// ```swift
/// print(displayable("Buds\u{1B}[2J"))  // Buds�[2J
/// ```
public func displayable(_ raw: String) -> String {
  if raw.utf8.allSatisfy({ 0x20 <= $0 && $0 < 0x7F }) { return raw }
  var shown = String.UnicodeScalarView()
  for scalar in raw.unicodeScalars {
    shown.append(scalar.isSafeToShow ? scalar : scalar.isBlank ? " " : "\u{FFFD}")
  }
  return String(shown)
}

extension Unicode.Scalar {
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
