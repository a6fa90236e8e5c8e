internal import Companion
internal import Headphones

extension Drawing {
  /// The custom equaliser: a chart where there are rows and characters for one, else numbers.
  mutating func bands(
    _ setting: Setting<[BandGain]>, isHeard: Bool, rows: Int, _ place: Pen
  ) {
    guard let gains = setting.shown, !gains.isEmpty else { return }
    let role: Role = !isHeard ? .stale : setting.pending == nil ? .barFilled : .pending
    guard symbols.steps.count == 8, rows > 1 || place.room >= gains.count + 16 else {
      var pen = place
      write(gains.map { text($0) }.joined(separator: " ") + " dB", .muted, &pen)
      return
    }
    guard rows > 1 else {
      var pen = place
      for gain in gains { write(step(gain, row: 0, of: 1), times: 1, role, &pen) }
      let mark = setting.pending == nil ? "" : symbols.ellipsis
      let (low, high) = (gains.min() ?? gains[0], gains.max() ?? gains[0])
      let range = low == high ? text(low) : "\(text(low)) to \(text(high))"
      write("  \(range) dB\(mark)", .muted, &pen)
      return
    }
    chart(gains, role, rows: rows, place)
  }

  /// Columns that rise from -12 to 12 dB, their gains written below.
  private mutating func chart(_ gains: [BandGain], _ role: Role, rows: Int, _ place: Pen) {
    let width = max(2, min(6, place.room / gains.count))
    let bar = min(3, width - 1)
    for row in 0..<rows - 1 {
      var pen = Pen(row: place.row + row, from: place.column, to: place.end)
      for gain in gains {
        write(step(gain, row: row, of: rows - 1), times: bar, role, &pen)
        skip(width - bar, &pen)
      }
    }
    var pen = Pen(row: place.row + rows - 1, from: place.column, to: place.end)
    for gain in gains {
      let start = pen.column
      let label = text(gain)
      if label.count < width { write(label, .muted, &pen) }
      skip(width - (pen.column - start), &pen)
    }
  }

  /// What one row of a column of so many shows.
  private func step(_ gain: BandGain, row: Int, of rows: Int) -> Unicode.Scalar {
    // 48 half decibels over all rows; the lowest gain still leaves a foot.
    let eighths = max(1, (Int(gain.halfDecibels) + 24) * rows * 8 / 48)
    let here = eighths - (rows - 1 - row) * 8
    return here <= 0 ? " " : symbols.steps[min(here, 8) - 1]
  }

  /// "+3", "-1.5", "0".
  private func text(_ gain: BandGain) -> String {
    let half = Int(gain.halfDecibels)
    let sign = half > 0 ? "+" : half < 0 ? "-" : ""
    return sign + "\(abs(half) / 2)" + (half % 2 == 0 ? "" : ".5")
  }
}
