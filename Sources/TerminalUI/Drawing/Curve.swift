internal import HeadphoneProtocols

/// A curve in braille dots, two by four in each cell: the gains of an equaliser, or charges.
///
/// Between two bands, the curve of gains is a smoothstep, level at each band.
struct Curve: Hashable {
  /// The rows from the top, with the dots of each cell as the low byte of U+2800 to U+28FF.
  let rows: [[UInt8]]

  /// Creates the curve of `gains`, from the lowest band, across the full width.
  ///
  /// The first and last bands are half a band away from the sides.
  ///
  /// - Parameter limit: The gain at the upper edge in half decibels; the lower edge is its
  ///   negative.
  init(_ gains: [BandGain], limit: Int, columns: Int, rows: Int) {
    let isDrawn = columns > 0 && limit > 0 && !gains.isEmpty
    let heights = (0..<(isDrawn ? columns * 2 : 0)).map { dot in
      let gain = Self.value(gains, at: (Double(dot) + 0.5) / Double(columns * 2))
      return (1 + gain / Double(limit)) / 2
    }
    self.init(heights: heights, columns: columns, rows: rows)
  }

  init(_ gains: [BandGain], scale: SliderScale, columns: Int, isFilled: Bool = false) {
    let dots = (0..<max(0, columns) * 2).map { dot in
      scale.dot(of: Self.value(gains, at: (Double(dot) + 0.5) / Double(columns * 2)))
    }
    rows = Self.cells(
      dots, columns: columns, rows: scale.rows, filledFrom: isFilled ? scale.dot(of: 0) : nil)
  }

  /// Creates a dotted curve of values in half decibels, two for each column.
  init(dotted values: [Double], scale: SliderScale, columns: Int) {
    let dots: [Int?] = values.enumerated().map { $0.isMultiple(of: 3) ? scale.dot(of: $1) : nil }
    rows = Self.cells(dots, columns: columns, rows: scale.rows)
  }

  /// Creates a curve from heights from 0 to 1, two for each column; nil leaves a gap.
  init(heights: [Double?], columns: Int, rows: Int) {
    let last = rows * 4 - 1
    let dots = heights.map { height in
      height.map { min(max(0, Int(((1 - $0) * Double(last)).rounded())), max(0, last)) }
    }
    self.rows = Self.cells(dots, columns: columns, rows: rows)
  }

  /// Converts dot rows, two for each column, to cells, filled from the dot row `base` if not nil.
  private static func cells(
    _ dots: [Int?], columns: Int, rows count: Int, filledFrom base: Int? = nil
  ) -> [[UInt8]] {
    var cells = Array(
      repeating: [UInt8](repeating: 0, count: max(0, columns)), count: max(0, count))
    guard count > 0 else { return cells }
    var before: Int?
    for (dot, row) in dots.prefix(max(0, columns) * 2).enumerated() {
      guard let row else {
        before = nil
        continue
      }
      let start = base ?? before ?? row
      for filled in min(start, row)...max(start, row)
      where filled == row || base != nil || filled != before {
        cells[filled / 4][dot / 2] |= bit(column: dot % 2, row: filled % 4)
      }
      before = row
    }
    return cells
  }

  private static func value(_ gains: [BandGain], at place: Double) -> Double {
    let position = place * Double(gains.count) - 0.5
    let lower = min(max(0, Int(position.rounded(.down))), gains.count - 1)
    let upper = min(lower + 1, gains.count - 1)
    let part = min(max(0, position - Double(lower)), 1)
    let weight = part * part * (3 - 2 * part)
    return Double(gains[lower].halfDecibels) * (1 - weight)
      + Double(gains[upper].halfDecibels) * weight
  }

  /// Returns the bit of a dot (Unicode 16, Braille Patterns: dots 1 to 8).
  private static func bit(column: Int, row: Int) -> UInt8 {
    row == 3 ? (column == 0 ? 0x40 : 0x80) : 1 << UInt8(row + column * 3)
  }
}

extension Drawing {
  /// Draws a curve, and a line at 0 dB where the middle row is empty.
  mutating func curve(_ curve: Curve, _ role: Role, _ place: Cursor) {
    for (number, row) in curve.rows.enumerated() {
      var pen = Cursor(row: place.row + number, from: place.column, to: place.end)
      for (column, dots) in row.enumerated() {
        let isAxis = number == curve.rows.count / 2 && column.isMultiple(of: 2)
        if dots == 0 {
          write(isAxis ? symbols.separator : " ", .barEmpty, &pen)
        } else {
          write(Self.braille(dots), times: 1, role, &pen)
        }
      }
    }
  }

  static func braille(_ dots: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(0x2800 + UInt32(dots)) ?? " "
  }
}
