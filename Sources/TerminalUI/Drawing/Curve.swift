internal import HeadphoneProtocols

/// A curve in braille dots, two by four in a cell: the gains of an equaliser, or charges.
///
/// Between two bands the curve of gains is a smoothstep, level at each band, so that a single raised band
/// looks like a hill and not like a tent.
struct Curve: Hashable {
  /// The dots of each cell, row by row from the top, as the low byte of U+2800 to U+28FF.
  let rows: [[UInt8]]

  /// A curve that is as wide as the area, with its first and last band half a band from the sides.
  ///
  /// - Parameters:
  ///   - gains: from the lowest band.
  ///   - limit: the gain at the upper edge, in half decibels; its negative is at the lower one.
  init(_ gains: [BandGain], limit: Int, columns: Int, rows: Int) {
    self.rows = Self.dots(gains, limit: limit, columns: columns, rows: rows)
  }

  /// Each of the two dot columns of a cell gets the row of its gain.
  private static func dots(
    _ gains: [BandGain], limit: Int, columns: Int, rows count: Int
  ) -> [[UInt8]] {
    guard columns > 0, limit > 0, !gains.isEmpty else {
      return cells([], columns: columns, rows: count)
    }
    let heights = (0..<columns * 2).map { dot in
      let gain = value(gains, at: (Double(dot) + 0.5) / Double(columns * 2))
      return (1 + gain / Double(limit)) / 2
    }
    return cells(heights, columns: columns, rows: count)
  }

  /// A curve through heights from 0 to 1, two of them for each column; nil: nothing is known there.
  init(heights: [Double?], columns: Int, rows: Int) {
    self.rows = Self.cells(heights, columns: columns, rows: rows)
  }

  /// Dots at the heights; steep parts are joined vertically.
  private static func cells(_ heights: [Double?], columns: Int, rows count: Int) -> [[UInt8]] {
    var cells = Array(
      repeating: [UInt8](repeating: 0, count: max(0, columns)), count: max(0, count))
    guard count > 0 else { return cells }
    let last = count * 4 - 1
    var before: Int?
    for (dot, height) in heights.prefix(max(0, columns) * 2).enumerated() {
      guard let height else {
        before = nil
        continue
      }
      let row = min(max(0, Int(((1 - height) * Double(last)).rounded())), last)
      for filled in min(before ?? row, row)...max(before ?? row, row)
      where filled == row || filled != before {
        cells[filled / 4][dot / 2] |= bit(column: dot % 2, row: filled % 4)
      }
      before = row
    }
    return cells
  }

  /// The gain at a place from 0 to 1, in half decibels; level in the middle of each band.
  private static func value(_ gains: [BandGain], at place: Double) -> Double {
    let position = place * Double(gains.count) - 0.5
    let lower = min(max(0, Int(position.rounded(.down))), gains.count - 1)
    let upper = min(lower + 1, gains.count - 1)
    let part = min(max(0, position - Double(lower)), 1)
    let weight = part * part * (3 - 2 * part)
    return Double(gains[lower].halfDecibels) * (1 - weight)
      + Double(gains[upper].halfDecibels) * weight
  }

  /// The bit of a dot (Unicode 16, Braille Patterns: dots 1 to 8).
  private static func bit(column: Int, row: Int) -> UInt8 {
    row == 3 ? (column == 0 ? 0x40 : 0x80) : 1 << UInt8(row + column * 3)
  }
}

extension Drawing {
  /// Draws a curve; where it leaves a cell empty, that of `ghost` shows, and else a line at 0 dB.
  ///
  /// - Parameter ghost: of the same size, as it was before; nil: there is none.
  mutating func curve(_ curve: Curve, ghost: Curve? = nil, _ role: Role, _ place: Cursor) {
    for (number, row) in curve.rows.enumerated() {
      var pen = Cursor(row: place.row + number, from: place.column, to: place.end)
      for (column, dots) in row.enumerated() {
        let behind = ghost?.rows[number][column] ?? 0
        let isAxis = number == curve.rows.count / 2 && column.isMultiple(of: 2)
        switch (dots, behind) {
        case (0, 0): write(isAxis ? symbols.separator : " ", .barEmpty, &pen)
        case (0, _): write(Self.braille(behind), times: 1, .muted, &pen)
        default: write(Self.braille(dots), times: 1, role, &pen)
        }
      }
    }
  }

  /// The character with these dots, U+2800 upwards.
  static func braille(_ dots: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(0x2800 + UInt32(dots)) ?? " "
  }
}
