internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// The custom equaliser: a chart where there are rows and characters for one, else numbers.
  mutating func bands(
    _ setting: Setting<[BandGain]>, isNearby: Bool, rows: Int, _ place: Cursor
  ) {
    guard let gains = setting.shown, !gains.isEmpty else { return }
    let role: Role = !isNearby ? .stale : setting.pending == nil ? .barFilled : .pending
    guard symbols.steps.count == 8, rows > 1 || place.room >= gains.count + 16 else {
      var pen = place
      write(gains.map { text($0) }.joined(separator: " ") + " dB", .muted, &pen)
      return
    }
    guard rows > 1 else {
      var pen = place
      for gain in gains { write(step(gain, scale(of: gains)), times: 1, role, &pen) }
      let mark = setting.pending == nil ? "" : symbols.ellipsis
      let (low, high) = (gains.min() ?? gains[0], gains.max() ?? gains[0])
      let range = low == high ? text(low) : "\(text(low)) to \(text(high))"
      write("  \(range) dB\(mark)", .muted, &pen)
      return
    }
    chart(gains, role, rows: rows, place)
  }

  /// Columns that rise from a line at 0 dB, or hang from it, their gains written below.
  private mutating func chart(_ gains: [BandGain], _ role: Role, rows: Int, _ place: Cursor) {
    let width = max(2, min(6, place.room / gains.count))
    let bar = min(3, width - 1)
    let scale = scale(of: gains)
    for row in 0..<rows - 1 {
      var pen = Cursor(row: place.row + row, from: place.column, to: place.end)
      for gain in gains {
        let scalar = chartCell(gain, scale, row: row, of: rows - 1)
        write(scalar, times: bar, scalar == symbols.horizontal ? .barEmpty : role, &pen)
        skip(width - bar, &pen)
      }
    }
    var pen = Cursor(row: place.row + rows - 1, from: place.column, to: place.end)
    for gain in gains {
      let start = pen.column
      let label = text(gain)
      if label.count < width { write(label, .muted, &pen) }
      skip(width - (pen.column - start), &pen)
    }
  }

  /// What one row of a chart shows; 0 dB is the middle of the middle row.
  private func chartCell(
    _ gain: BandGain, _ scale: Int, row: Int, of rows: Int
  ) -> Unicode.Scalar {
    let middle = rows / 2
    // Eighths of a row between the line and the gain; the scale is all rows of one side.
    let reach = (abs(Int(gain.halfDecibels)) * (middle * 8 + 4) + scale / 2) / scale
    let isAbove = gain.halfDecibels > 0
    guard row != middle else {
      return reach < 2 ? symbols.horizontal : isAbove ? symbols.hangingSteps[1] : symbols.steps[3]
    }
    let here = min(8, reach - 4 - (abs(row - middle) - 1) * 8)
    guard here > 0, isAbove == (row < middle) else { return " " }
    return isAbove ? symbols.steps[here - 1] : symbols.hangingSteps[here < 3 ? 0 : here < 6 ? 1 : 2]
  }

  /// What one cell shows of a gain; 0 dB is its middle.
  private func step(_ gain: BandGain, _ scale: Int) -> Unicode.Scalar {
    symbols.steps[min(7, max(0, (Int(gain.halfDecibels) + scale) * 8 / (2 * scale)))]
  }

  /// The gain that fills a chart, in half decibels: 3, 6 or 12 dB, so that small gains show.
  private func scale(of gains: [BandGain]) -> Int {
    let largest = gains.map { abs(Int($0.halfDecibels)) }.max() ?? 0
    return [6, 12].first { $0 >= largest } ?? 24
  }

  /// "+3", "-1.5", "0".
  func text(_ gain: BandGain) -> String {
    let half = Int(gain.halfDecibels)
    let sign = half > 0 ? "+" : half < 0 ? "-" : ""
    return sign + "\(abs(half) / 2)" + (half % 2 == 0 ? "" : ".5")
  }
}
