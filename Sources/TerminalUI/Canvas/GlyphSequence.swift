/// A text as the cells of a terminal hold it.
///
/// Terminals and curses cut text by the C library's `wcwidth`, scalar by scalar, and disagree on
/// whatever that does not decide. So only forms on which all agree come out:
/// - a mark (width 0) joins the spacing character before it;
/// - of an emoji sequence (families, skin tones) the first emoji is kept, 2 columns;
/// - variation selectors go: a terminal may draw "❤️" in 1 column or 2, but "❤" in 1;
/// - a flag becomes its two letters;
/// - invisible format characters (direction, joiners, tags) go, control characters show as "�".
///
/// Names come from headphones and other strangers, so this is also where control characters stop:
/// an escape sequence in a name is drawn, not obeyed.
///
/// ```swift
/// Array(GlyphSequence("e\u{301}\u{1B}[2J")).count   // "é", "�", "[", "2", "J"
/// ```
struct GlyphSequence: Sequence, IteratorProtocol {
  private var scalars: String.UnicodeScalarView.Iterator
  private var pending: Unicode.Scalar?

  init(_ text: String) {
    scalars = text.unicodeScalars.makeIterator()
    pending = scalars.next()
  }

  /// - Returns: The next cell's content, of 1 or 2 columns; nil at the end of the text.
  mutating func next() -> Glyph? {
    while let scalar = pending {
      pending = scalars.next()
      if scalar.value < 0x7F, scalar.value >= 0x20 { return finish(Glyph(scalar)) }
      switch scalar.terminalKind {
      case .spacing: return finish(Glyph(scalar))
      case .regional(let letter): return Glyph(letter)
      case .control: return Glyph("\u{FFFD}")
      // At the start of a text there is nothing to stand on.
      case .mark, .invisible: continue
      }
    }
    return nil
  }

  /// Takes what belongs to the cell that `glyph` began.
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
  /// The columns that the text covers on a terminal.
  ///
  /// By the same rules as drawing, so that what is measured fits.
  var columns: Int {
    var total = 0
    for glyph in GlyphSequence(self) { total += glyph.columns }
    return total
  }
}
