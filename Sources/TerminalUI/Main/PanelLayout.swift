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
