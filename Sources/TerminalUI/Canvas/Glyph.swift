internal import Companion

/// The content of one cell: a spacing character and up to three combining marks.
///
/// Its fixed size makes comparing two screens as cheap as comparing memory. No living script writes
/// more than two marks on a letter.
struct Glyph: Hashable, Sendable {
  // Three scalars of 21 bits, the first in the lowest bits. Declared first, so that `Cell` takes 16
  // bytes.
  private var marks: UInt64 = 0
  private(set) var base: Unicode.Scalar

  static let space = Glyph(" ")

  init(_ base: Unicode.Scalar) { self.base = base }

  var columns: Int { base.columns == 2 ? 2 : 1 }

  var markScalars: [Unicode.Scalar] {
    (0..<Self.markLimit).compactMap { place in
      let value = UInt32(truncatingIfNeeded: marks >> (21 * UInt64(place)) & 0x1F_FFFF)
      return value == 0 ? nil : Unicode.Scalar(value)
    }
  }

  var hasMarks: Bool { marks != 0 }

  /// Adds a mark; marks beyond the limit are dropped.
  mutating func add(mark: Unicode.Scalar) {
    for place in 0..<UInt64(Self.markLimit) where marks >> (21 * place) & 0x1F_FFFF == 0 {
      marks |= UInt64(mark.value) << (21 * place)
      return
    }
  }

  private static let markLimit = 3
}
