/// How the panels stand.
enum Arrangement: Hashable {
  case beside, stacked, tabs

  init(columns: Int) {
    switch columns {
    case 76...: self = .beside
    case 44...: self = .stacked
    default: self = .tabs
    }
  }

  /// The columns of each panel, of so many in all.
  func widths(_ columns: Int) -> (audio: Int, control: Int) {
    guard self == .beside else { return (columns, columns) }
    let audio = max(31, columns * 2 / 5)
    return (audio, columns - audio)
  }
}

/// How many rows each part of the main page gets.
struct RowPlan: Hashable {
  var situation = 1
  /// Of the panels that are below each other, or of the one row of them.
  var panels: [Int] = []
  var list = 0
  var events = 0
  var footer = 1
  /// Rows that the equaliser's bands may take.
  var bandRows = 1

  /// Rows for a part with a frame and so many lines.
  private static func framed(_ lines: Int) -> Int { lines + 2 }

  init(
    rows: Int, statusRows: Int, arrangement: Arrangement, panels contents: PanelContents,
    headphones: Int
  ) {
    let (audio, control) = (Self.framed(contents.audio.rows), Self.framed(contents.control.rows))
    panels =
      switch arrangement {
      case .beside: [max(audio.atMost(control), control)]
      case .stacked: [audio, control]
      case .tabs: [max(audio, control)]
      }
    list = arrangement == .tabs ? 0 : Self.framed(max(1, min(headphones, 4)))
    let fixed = 1 + statusRows
    shrink(to: rows - fixed, contents, arrangement)
    grow(to: rows - fixed, headphones, contents, arrangement)
  }

  private var total: Int { situation + panels.reduce(0, +) + list + events + footer }

  /// Takes rows away until all fit: empty ones first, then hints, the list, the panels' lines.
  private mutating func shrink(
    to rows: Int, _ contents: PanelContents, _ arrangement: Arrangement
  ) {
    while total > rows, list > 3 { list -= 1 }
    spareEmptyRows(to: rows, contents)
    if total > rows { footer = 0 }
    if total > rows { list = 0 }
    shrinkPanels(by: total - rows, contents, arrangement)
    if total > rows { situation = 0 }
    while total > rows, let largest = panels.indices.max(by: { panels[$0] < panels[$1] }),
      panels[largest] > 3
    {
      panels[largest] -= 1
    }
  }

  /// Takes away what is there only if there is room.
  private mutating func spareEmptyRows(to rows: Int, _ contents: PanelContents) {
    let control = contents.control.filter { $0.importance == .space }.count
    for _ in 0..<control where total > rows { panels[panels.count - 1] -= 1 }
    guard panels.count > 1 else { return }
    let audio = contents.audio.filter { $0.importance <= .others }.count
    for _ in 0..<audio where total > rows { panels[0] -= 1 }
  }

  /// Takes rows off the panels down to the lines that matter most.
  private mutating func shrinkPanels(
    by excess: Int, _ contents: PanelContents, _ arrangement: Arrangement
  ) {
    guard excess > 0 else { return }
    guard arrangement == .stacked else {
      panels[0] = max(panels[0] - excess, min(panels[0], 8))
      return
    }
    var (audio, control) = (contents.audio, contents.control)
    // Whichever has the less important line loses it.
    while Self.framed(audio.rows) + Self.framed(control.rows) > panels.reduce(0, +) - excess {
      let least = (audio.leastImportance, control.leastImportance)
      guard min(least.0, least.1) < .state else { break }
      if least.0 <= least.1 {
        audio = audio.fitting(rows: audio.rows - 1)
      } else {
        control = control.fitting(rows: control.rows - 1)
      }
    }
    panels = [Self.framed(audio.rows), Self.framed(control.rows)]
  }

  /// Gives what is left to the bands, the list, and what happened last.
  private mutating func grow(
    to rows: Int, _ headphones: Int, _ contents: PanelContents, _ arrangement: Arrangement
  ) {
    let hasBands = contents.control.contains {
      if case .bands(rows: 1) = $0 { return true }
      return false
    }
    if hasBands, arrangement == .beside, rows - total >= 8 { bandRows = 5 }
    if list > 0 {
      while rows > total, list < Self.framed(headphones) { list += 1 }
      if rows - total >= 4, arrangement != .tabs { events = rows - total }
    }
    panels[panels.count - 1] += max(0, rows - total)
  }
}

extension Array where Element: PanelLine {
  fileprivate var leastImportance: Importance { map(\.importance).min() ?? .always }
}

extension Int {
  /// The audio panel's many outputs do not make the control panel higher by more than this.
  fileprivate func atMost(_ other: Int) -> Int { Swift.min(self, other + 2) }
}
