internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// Draws the custom equaliser as a curve, or as numbers on terminals without steps.
  ///
  /// - Parameters:
  ///   - bands: The frequencies of the axis, or nil for no axis.
  ///   - rows: The height, including the axis.
  mutating func bands(
    _ setting: Setting<[BandGain]>, of bands: EQBands?, isNearby: Bool, rows: Int, _ place: Cursor
  ) {
    guard let gains = setting.shown, !gains.isEmpty else { return }
    guard symbols.steps.count == 8, place.room >= gains.count + 14 else {
      var pen = place
      if symbols.areWords { write(words("Gains"), .label, &pen) }
      write(gains.map { text($0) }.joined(separator: " ") + " dB", .muted, &pen)
      return
    }
    let role: Role = !isNearby ? .stale : setting.pending == nil ? .barFilled : .pending
    let notes = 8
    let columns = min(60, place.room - notes)
    let hasAxis = rows > 3
    let limit = scale(of: gains)
    curve(
      Curve(gains, limit: limit, columns: columns, rows: rows - (hasAxis ? 1 : 0)), role, place)
    for (row, sign) in [(0, "+"), (rows - (hasAxis ? 2 : 1), "-")] {
      var pen = Cursor(row: place.row + row, from: place.column + columns + 1, to: place.end)
      let mark = row == 0 && setting.pending != nil ? symbols.pending : ""
      write("\(sign)\(limit / 2) dB\(mark)", .muted, &pen)
    }
    guard hasAxis, let bands else { return }
    let row = place.row + rows - 1
    var pen = Cursor(row: row, from: place.column, to: place.column + columns)
    writeTrailing(bands.title(gains.count - 1), .muted, &pen)
    write(bands.title(0), .muted, &pen)
  }

  /// Returns the gain that fills a curve, in half decibels: that of 3, 6 or 12 dB.
  func scale(of gains: [BandGain]) -> Int {
    let largest = gains.map { abs(Int($0.halfDecibels)) }.max() ?? 0
    return [6, 12].first { $0 >= largest } ?? 24
  }

  /// Returns a gain as text: "+3", "-1.5", "0".
  func text(_ gain: BandGain) -> String {
    let half = Int(gain.halfDecibels)
    let sign = half > 0 ? "+" : half < 0 ? "-" : ""
    return sign + "\(abs(half) / 2)" + (half % 2 == 0 ? "" : ".5")
  }
}
