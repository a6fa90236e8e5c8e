/// How the panels stand.
enum PanelLayout: Hashable {
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
