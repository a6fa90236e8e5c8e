/// The effect of a scalar on a terminal.
package enum TerminalKind: Equatable {
  /// The scalar starts a cell, or two.
  case spacing
  /// The scalar joins the previous cell.
  case mark
  /// The scalar takes no room, but may affect its neighbours.
  case invisible
  /// The scalar is half of a flag, with this letter.
  case regional(Unicode.Scalar)
  /// The scalar may move the cursor or have other effects.
  case control
}

extension Unicode.Scalar {
  /// The number of columns, 0 to 2, as `wcwidth` returns it, but regardless of locale and C
  /// library.
  package var columns: Int {
    if value < 0x300 { return 1 }
    switch terminalKind {
    case .mark, .invisible: return 0
    case .regional, .control: return 1
    case .spacing: return isWide ? 2 : 1
    }
  }

  /// The class of the scalar; common ranges are decided without the property tables.
  package var terminalKind: TerminalKind {
    if value < 0x300 {
      if value < 0x20 || (0x7F..<0xA0).contains(value) { return .control }
      return value == 0xAD ? .invisible : .spacing
    }
    // Punctuation, arrows, box drawing, blocks and dingbats, which the views draw.
    if (0x2010...0x2027).contains(value) || (0x2100..<0x2C00).contains(value) { return .spacing }
    // Conjoining vowels and final consonants of Hangul join the initial consonant.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) { return .mark }
    if (0x1F1E6...0x1F1FF).contains(value) {
      return .regional(Unicode.Scalar(UInt8(value - 0x1F1E6) + UInt8(ascii: "A")))
    }
    // C libraries differ on the columns of Hangul's invisible fillers.
    if properties.isVariationSelector || value == 0x3164 || value == 0xFFA0 { return .invisible }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return .mark
    case .format: return .invisible
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: return .control
    default: return .spacing
    }
  }

  /// East Asian Width W or F (UAX #11), which includes emoji shown as pictures.
  private var isWide: Bool {
    if value < 0x1100 { return false }
    if value >= 0x2190 && value < 0x2E80 || value >= 0x1F000 && value < 0x20000 {
      if properties.isEmojiPresentation { return true }
    }
    return Self.wideRanges.contains { $0.contains(value) }
  }

  /// The wide ranges, except for emoji.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4C6, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAD9, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}

extension String {
  package var writtenColumns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }
}
