internal import Companion

/// The glyphs of a text, each in the form that fills the same columns on every terminal.
///
/// Terminals and curses split text by the C library's `wcwidth`, scalar by scalar, and disagree
/// about everything that `wcwidth` does not decide. So only forms on which all agree are returned:
///
/// - A mark (width 0) joins the spacing character before it.
/// - An emoji sequence (families, skin tones) becomes its first emoji, 2 columns wide.
/// - Variation selectors are removed: a terminal may draw "❤️" in 1 column or 2, but "❤" in 1.
/// - A flag becomes its two letters.
/// - Invisible format characters (direction, joiners, tags) are removed; control characters become
///   "�".
///
/// Names come from untrusted devices, so control characters stop here: an escape sequence in a name
/// is drawn, not executed.
struct GlyphSequence: Sequence, IteratorProtocol {
  private var scalars: String.UnicodeScalarView.Iterator
  private var pending: Unicode.Scalar?

  init(_ text: String) {
    scalars = text.unicodeScalars.makeIterator()
    pending = scalars.next()
  }

  mutating func next() -> Glyph? {
    while let scalar = pending {
      pending = scalars.next()
      if scalar.value < 0x7F, scalar.value >= 0x20 { return finish(Glyph(scalar)) }
      switch scalar.terminalKind {
      case .spacing: return finish(Glyph(scalar))
      case .regional(let letter): return Glyph(letter)
      case .control: return Glyph("\u{FFFD}")
      case .mark, .invisible: continue
      }
    }
    return nil
  }

  private mutating func finish(_ start: Glyph) -> Glyph {
    var glyph = start
    while let scalar = pending, scalar.value >= 0x300 {
      if scalar == "\u{200D}" {
        pending = scalars.next()
        if glyph.base.properties.isEmoji, let joined = pending, joined.properties.isEmoji {
          pending = scalars.next()
        }
        continue
      }
      if scalar.properties.isEmojiModifier, glyph.base.properties.isEmojiModifierBase {
        pending = scalars.next()
        continue
      }
      switch scalar.terminalKind {
      case .mark: glyph.add(mark: scalar)
      case .invisible: break
      case .spacing, .regional, .control: return glyph
      }
      pending = scalars.next()
    }
    return glyph
  }
}

extension String {
  var columns: Int {
    var total = 0
    for glyph in GlyphSequence(self) { total += glyph.columns }
    return total
  }
}
