/// What a terminal makes of a scalar.
enum TerminalKind: Equatable {
  /// Begins a cell, or two.
  case spacing
  /// Joins the cell before it.
  case mark
  /// Shows nothing and takes no room, though it may act on what is around it.
  case invisible
  /// Half of a flag; its letter.
  case regional(Unicode.Scalar)
  /// Moves the cursor or worse.
  case control
}

extension Unicode.Scalar {
  /// The columns that the C library's `wcwidth` gives: 0, 1 or 2.
  ///
  /// Computed from Unicode properties, not by calling `wcwidth`: the result does not depend on the
  /// locale or the C library of the machine.
  var columns: Int {
    if value < 0x300 { return 1 }
    switch terminalKind {
    case .mark, .invisible: return 0
    case .regional, .control: return 1
    case .spacing: return isWide ? 2 : 1
    }
  }

  /// The class of the scalar; Latin letters and what the views draw are decided before the property
  /// tables are consulted.
  var terminalKind: TerminalKind {
    if value < 0x300 {
      if value < 0x20 || (0x7F..<0xA0).contains(value) { return .control }
      return value == 0xAD ? .invisible : .spacing
    }
    // Punctuation, arrows, box drawing, blocks and dingbats: what the views themselves draw.
    if (0x2010...0x2027).contains(value) || (0x2100..<0x2C00).contains(value) { return .spacing }
    // Vowels and final consonants of Hangul in its parts stand on the syllable's first.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) { return .mark }
    if (0x1F1E6...0x1F1FF).contains(value) {
      return .regional(Unicode.Scalar(UInt8(value - 0x1F1E6) + UInt8(ascii: "A")))
    }
    // Hangul's fillers: nothing to see, and C libraries differ on the columns of it.
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

  /// Without those that are wide as emoji.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4C6, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAD9, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}
