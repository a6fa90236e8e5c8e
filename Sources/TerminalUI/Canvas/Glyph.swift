/// What one cell shows: a spacing character and up to three marks that stand on it.
///
/// A fixed-size value, so that two screens compare like memory. Three marks fit one word; a curses
/// cell takes four, and no living script writes more than two on a letter.
struct Glyph: Hashable, Sendable {
  // Three scalars of 21 bits, the first in the lowest. Declared first: so a cell takes 16 bytes.
  private var marks: UInt64 = 0
  /// The spacing character.
  private(set) var base: Unicode.Scalar

  static let space = Glyph(" ")

  init(_ base: Unicode.Scalar) { self.base = base }

  /// The columns that it covers: 1 or 2.
  var columns: Int { base.columns == 2 ? 2 : 1 }

  /// The marks in the order of the text.
  var markScalars: [Unicode.Scalar] {
    (0..<Self.markLimit).compactMap { place in
      let value = UInt32(truncatingIfNeeded: marks >> (21 * UInt64(place)) & 0x1F_FFFF)
      return value == 0 ? nil : Unicode.Scalar(value)
    }
  }

  var hasMarks: Bool { marks != 0 }

  /// Adds a mark; one too many is dropped.
  mutating func add(mark: Unicode.Scalar) {
    for place in 0..<UInt64(Self.markLimit) where marks >> (21 * place) & 0x1F_FFFF == 0 {
      marks |= UInt64(mark.value) << (21 * place)
      return
    }
  }

  /// More marks than these are dropped ("Zalgo" text).
  private static let markLimit = 3
}
