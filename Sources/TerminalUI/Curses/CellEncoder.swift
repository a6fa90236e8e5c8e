internal import CNcurses
internal import Glibc

/// An encoder of rows of cells to curses' wide cells (`cchar_t`).
struct CellEncoder {
  private var row: [cchar_t] = []

  @MainActor
  mutating func write(_ cells: ArraySlice<Cell>, row number: Int, columns: Int, palette: Palette) {
    row.removeAll(keepingCapacity: true)
    var used = 0
    for cell in cells where cell.columns > 0 {
      used += Int(cell.columns)
      guard used <= columns else { break }
      append(cell, palette)
    }
    mvwadd_wchnstr(cn_stdscr(), Int32(number), 0, row, Int32(row.count))
  }

  @MainActor
  private mutating func append(_ cell: Cell, _ palette: Palette) {
    let (attributes, pair) = palette[cell.role]
    let base = cell.glyph.base
    // A character unknown to the C library would shift the rest of the row, so "?" replaces it.
    guard base.isASCII || wcwidth(wchar_t(base.value)) == Int32(cell.columns) else {
      row.append(curses("?", [], attributes, pair))
      if cell.columns == 2 { row.append(curses(" ", [], attributes, pair)) }
      return
    }
    row.append(curses(base, cell.glyph.hasMarks ? cell.glyph.markScalars : [], attributes, pair))
  }

  private func curses(
    _ base: Unicode.Scalar, _ marks: [Unicode.Scalar], _ attributes: attr_t, _ pair: Int32
  ) -> cchar_t {
    var result = cchar_t()
    var pair = pair
    // Up to three marks and a terminator; curses takes four marks.
    withUnsafeTemporaryAllocation(of: wchar_t.self, capacity: 5) { text in
      text.initialize(repeating: 0)
      text[0] = wchar_t(base.value)
      for (place, mark) in marks.prefix(3).enumerated() { text[place + 1] = wchar_t(mark.value) }
      _ = setcchar(&result, text.baseAddress, attributes, 0, &pair)
    }
    return result
  }
}
