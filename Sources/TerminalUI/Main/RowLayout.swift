/// The rows of each part of the main page; 0 omits a part.
struct RowLayout: Hashable {
  private(set) var situation = 1
  private(set) var panels: [Int]
  private(set) var list = 0
  private(set) var events = 0
  private(set) var details = 0
  private(set) var footer = 1

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

  /// The rows, with the frame, that most headphones need.
  private static let panel = 15
  private static let audioPanel = 12
  private static let leastEvents = 4
  private static let leastDetails = 8

  /// Returns the rows for three headphones, and one more per five spare rows, with the frame.
  private static func list(spare: Int) -> Int { 2 + min(12, 3 + spare / 5) }

  /// Gives the spare rows to the events, or to the panels if they are too few for a frame.
  private mutating func give(_ spare: Int) {
    events = spare
    if events < Self.leastEvents {
      panels[panels.count - 1] += events
      events = 0
    }
  }
}

/// The arrangement of the panels: side by side from 76 columns, stacked from 44, else tabs.
enum PanelLayout: Hashable {
  case beside, stacked, tabs

  init(columns: Int) {
    switch columns {
    case 76...: self = .beside
    case 44...: self = .stacked
    default: self = .tabs
    }
  }

  static func inOneColumn(_ size: Size) -> PanelLayout { size.rows >= 40 ? .stacked : .tabs }

  /// Returns the columns beside the panels, or 0 if the list and the events are below them.
  static func sideColumns(_ size: Size) -> Int {
    size.columns >= 140 && size.rows >= 24 ? min(60, size.columns * 3 / 10) : 0
  }

  /// Returns the widths; side by side, the audio panel has 9/25 of the columns and at least 34.
  func widths(_ columns: Int) -> (audio: Int, control: Int) {
    guard self == .beside else { return (columns, columns) }
    let audio = max(34, columns * 9 / 25)
    return (audio, columns - audio)
  }
}
