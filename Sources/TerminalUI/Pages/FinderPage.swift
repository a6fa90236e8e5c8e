internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let finder = PageView(.finder, sheetColumns: 72) { drawing, state, _ in
    drawing.finderPage(state)
  }
}

extension Drawing {
  /// Draws the finder: how near the headphone is, and when it was last heard.
  mutating func finderPage(_ state: State) {
    let headphone = state.headphones.selected
    let name = headphone.map { displayable(state.name(of: $0.id)) } ?? ""
    page(state, Box(title: "FINDER", isFocused: true, note: name)) { drawing, inner in
      var row = inner.row
      func pen() -> Cursor {
        defer { row += 1 }
        return Cursor(row: min(row, inner.endRow), from: inner.column + 1, to: inner.endColumn - 1)
      }
      guard inner.rows > 0, let headphone else { return }
      let bar = pen()
      drawing.nearness(state.nearness, bar)
      if let nearness = state.nearness, inner.rows > 1 {
        var line = pen()
        drawing.write("\(nearness.strength) dBm", .muted, &line)
        let strengths =
          headphone.link.isConnected ? headphone.trend.strengths : headphone.approach.strengths
        drawing.sparkline(strengths, &line)
      } else if let problem = state.nearnessProblem {
        for words in wrapped(problem.sentence, columns: max(1, inner.columns - 2)) {
          guard row < inner.endRow else { return }
          var line = pen()
          drawing.write(words, .muted, &line)
        }
      }
      row += 1
      let lines = state.finderLines
      let labelColumns = 2 + (lines.map(\.label.count).max() ?? 0)
      for text in lines where row < inner.endRow {
        var line = pen()
        drawing.write(text.label, .label, &line)
        line.column = min(line.end, inner.column + 1 + labelColumns)
        drawing.write(text.value ?? "never on this computer", .value, &line)
      }
      row += 1
      let advice =
        "Walk slowly. The bar is signal strength: walls and bodies weaken it, and it shows no direction."
      let advised = wrapped(advice, columns: max(1, inner.columns - 2))
      guard row + advised.count <= inner.endRow else { return }
      for words in advised {
        var line = pen()
        drawing.write(words, .muted, &line)
      }
    }
  }

  private mutating func nearness(_ nearness: Nearness?, _ pen: Cursor) {
    var pen = pen
    let words = nearness?.displayText ?? "unknown"
    let role = nearness.map { SignalStrength($0.strength).role } ?? .barEmpty
    bar(nearness?.percent, columns: min(60, pen.room - words.columns - 2), role, &pen)
    skip(2, &pen)
    write(words, nearness == nil ? .muted : .value, &pen)
  }
}
