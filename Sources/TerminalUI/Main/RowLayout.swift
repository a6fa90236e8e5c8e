/// How many rows each part of the main page gets; 0: it is left out.
struct RowLayout: Hashable {
  private(set) var situation = 1
  /// Of the panels that are below each other, or of the one row of them.
  private(set) var panels: [Int]
  private(set) var list: Int
  private(set) var events = 0
  private(set) var footer = 1
  /// Rows that the equaliser's bands take.
  private(set) var bandRows = 1

  /// Divides so many rows.
  ///
  /// What does not fit gives way: empty rows and other outputs first, then hints, the list, and
  /// then the panels' lines by their importance.
  init(rows: Int, arrangement: PanelLayout, panels contents: PanelContents, headphones: Int) {
    let (audio, control) = (framed(contents.audio.rows), framed(contents.control.rows))
    switch arrangement {
    // Many outputs do not make the row of panels much higher.
    case .beside: panels = [max(min(audio, control + 2), control)]
    case .stacked: panels = [audio, control]
    case .tabs: panels = [max(audio, control)]
    }
    list = arrangement == .tabs ? 0 : framed(max(1, min(headphones, 4)))
    shrink(to: rows, contents)
    grow(to: rows, headphones, contents, arrangement)
  }

  private var total: Int { situation + panels.reduce(0, +) + list + events + footer }

  private mutating func shrink(to rows: Int, _ contents: PanelContents) {
    list = max(min(list, framed(1)), list - max(0, total - rows))
    spareEmptyRows(to: rows, contents)
    if total > rows { footer = 0 }
    if total > rows { list = 0 }
    if panels.count > 1 {
      shrinkStacked(by: total - rows, contents)
    } else {
      panels[0] = max(panels[0] - max(0, total - rows), min(panels[0], framed(6)))
    }
    if total > rows { situation = 0 }
    while total > rows, let largest = panels.indices.max(by: { panels[$0] < panels[$1] }),
      panels[largest] > framed(1)
    {
      panels[largest] -= 1
    }
  }

  /// Takes away what is there only if there is room.
  private mutating func spareEmptyRows(to rows: Int, _ contents: PanelContents) {
    let control = contents.control.count { $0.importance == .space }
    panels[panels.count - 1] -= min(control, max(0, total - rows))
    guard panels.count > 1 else { return }
    let audio = contents.audio.count { $0.importance <= .others }
    panels[0] -= min(audio, max(0, total - rows))
  }

  /// Of two panels below each other, whichever has the less important line loses it.
  private mutating func shrinkStacked(by excess: Int, _ contents: PanelContents) {
    guard excess > 0 else { return }
    var (audio, control) = (contents.audio, contents.control)
    while framed(audio.rows) + framed(control.rows) > panels.reduce(0, +) - excess {
      let (upper, lower) = (audio.leastImportance, control.leastImportance)
      guard min(upper, lower) < .state else { break }
      if upper <= lower {
        audio = audio.fitting(rows: audio.rows - 1)
      } else {
        control = control.fitting(rows: control.rows - 1)
      }
    }
    panels = [framed(audio.rows), framed(control.rows)]
  }

  /// Gives what is left to the bands, the list, and what happened last.
  private mutating func grow(
    to rows: Int, _ headphones: Int, _ contents: PanelContents, _ arrangement: PanelLayout
  ) {
    // What was taken for the footer may have left more than it needs.
    footer = min(1, footer + max(0, rows - total))
    if contents.hasBands, arrangement == .beside, rows - total >= 9 {
      bandRows = 6
      panels[0] += bandRows - 1
    }
    if list > 0 {
      list += max(0, min(rows - total, framed(headphones) - list))
      if rows - total >= framed(2) { events = rows - total }
    }
    panels[panels.count - 1] += max(0, rows - total)
  }
}

/// Rows for a part with a frame and so many lines.
private func framed(_ lines: Int) -> Int { lines + 2 }

extension Array where Element: PanelLine {
  fileprivate var leastImportance: Importance { map(\.importance).min() ?? .always }
}
