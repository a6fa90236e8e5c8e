/// How many rows each part of the main page has; 0: it is left out.
///
/// They depend on the size of the terminal alone, so that nothing moves when a headphone has more to
/// show than another.
struct RowLayout: Hashable {
  private(set) var situation = 1
  /// The rows of the panels that are below each other, or of the one row of them.
  private(set) var panels: [Int]
  private(set) var list = 0
  private(set) var events = 0
  /// Of the battery history and the information below the panels.
  private(set) var details = 0
  private(set) var footer = 1

  /// Divides so many rows.
  ///
  /// - Parameters:
  ///   - rows: The screen's, without header and status.
  ///   - arrangement: How the panels stand.
  ///   - hasSide: Whether the list and what happened last stand beside.
  init(rows: Int, arrangement: PanelLayout, hasSide: Bool = false) {
    if rows < 7 { situation = 0 }
    if rows < 5 { footer = 0 }
    let room = rows - situation - footer
    switch arrangement {
    case .tabs: panels = [room]
    case .beside where hasSide:
      panels = [min(room, max(Self.panel, room * 3 / 5))]
      details = room - panels[0]
      if details < Self.leastDetails {
        panels[0] += details
        details = 0
      }
    case .beside:
      list = rows < 14 ? 0 : rows < 20 ? 3 : Self.list(spare: rows - 22)
      panels = [min(room - list, max(Self.panel, room / 2))]
      give(room - list - panels[0])
    case .stacked:
      list = rows < 20 ? 0 : rows < 30 ? 3 : Self.list(spare: rows - 30)
      let both = min(room - list, max(Self.panel + Self.audioPanel, room * 3 / 4))
      let audio = min(both * 2 / 5, Self.audioPanel)
      panels = [audio, both - audio]
      give(room - list - both)
    }
  }

  /// Rows with the frame: what most headphones have to show.
  private static let panel = 15
  private static let audioPanel = 12
  private static let leastEvents = 4
  private static let leastDetails = 8

  /// Rows with the frame: three headphones, and one more for each five rows to spare.
  private static func list(spare: Int) -> Int { 2 + min(12, 3 + spare / 5) }

  /// Gives what is left to what happened last; too few rows for a frame go to the panels.
  private mutating func give(_ spare: Int) {
    events = spare
    if events < Self.leastEvents {
      panels[panels.count - 1] += events
      events = 0
    }
  }
}

/// How the panels stand.
///
/// Side by side from 76 columns, stacked from 44, and otherwise one at a time with Tab between
/// them.
enum PanelLayout: Hashable {
  case beside, stacked, tabs

  init(columns: Int) {
    switch columns {
    case 76...: self = .beside
    case 44...: self = .stacked
    default: self = .tabs
    }
  }

  /// The columns for the list of headphones and what happened last, beside the panels; 0: there is no
  /// room, and they stand below.
  static func sideColumns(_ size: Size) -> Int {
    size.columns >= 140 && size.rows >= 24 ? min(60, size.columns * 3 / 10) : 0
  }

  /// The columns of each panel, of so many in all.
  ///
  /// Side by side, the audio panel has nine of 25 columns and at least 34.
  func widths(_ columns: Int) -> (audio: Int, control: Int) {
    guard self == .beside else { return (columns, columns) }
    let audio = max(34, columns * 9 / 25)
    return (audio, columns - audio)
  }
}
