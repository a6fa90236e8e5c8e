package struct Symbols: Hashable, Sendable {
  // Boxes. The title of a focused box is between stems.
  var topLeft, topRight, bottomLeft, bottomRight: Unicode.Scalar
  var horizontal, vertical, stemLeft, stemRight: Unicode.Scalar
  var barFilled, barEmpty: Unicode.Scalar
  /// Blocks of growing height, the last one full; empty if amounts are shown as numbers.
  var steps: [Unicode.Scalar]
  /// Blocks of growing width, without the full one; empty if gauges have only whole cells.
  var partialCells: [Unicode.Scalar] = []
  var charging: String
  var capLeft, capRight: String
  var pendingCap: String
  var full, half, empty, failed, done: String
  var pointer, selected, cursor: String
  var ellipsis, separator, dash: String
  /// The symbols of a wire: `routeRest` while idle, `routeBreak` and `routeCross` while broken.
  var source = "#", control = "~"
  var routeLine: Unicode.Scalar = "=", routeRest: Unicode.Scalar = "-"
  var routeBreak: Unicode.Scalar = "-", routeHead = ">", routeCross = "x"
  var playing = ">", paused = "||"
  var slider: Unicode.Scalar = "|"
  var moreBefore = "<", moreAfter = ">", moreAbove = "^", moreBelow = "v"
  var range = "-"
  var arrows: [Key: String] = [:]
  /// Whether words stand for bars, marks and frames; see ``words``.
  package internal(set) var areWords = false
  var repertoire: Screen.CharacterSet

  /// For any UTF-8 terminal with a font.
  package static let unicode = Symbols(
    topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯", horizontal: "─",
    vertical: "│", stemLeft: "┤", stemRight: "├", barFilled: "━", barEmpty: "─",
    steps: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
    partialCells: ["▏", "▎", "▍", "▌", "▋", "▊", "▉"],
    charging: "↯",
    capLeft: "▐", capRight: "▌",
    pendingCap: "…",
    full: "●", half: "◐", empty: "○", failed: "✗", done: "✓", pointer: "▸", selected: "•",
    cursor: "▏",
    ellipsis: "…", separator: "·", dash: "–",
    source: "♪", control: "⌁", routeLine: "━", routeRest: "─", routeBreak: "╌", routeHead: "▶",
    routeCross: "✕",
    playing: "▶", paused: "‖", slider: "┃", moreBefore: "‹", moreAfter: "›", moreAbove: "▲",
    moreBelow: "▼",
    range: "–",
    arrows: [.up: "↑", .down: "↓", .left: "←", .right: "→"], repertoire: .unicode)

  /// For the Linux console, whose fonts hold little more than code page 437.
  package static let console = Symbols(
    topLeft: "┌", topRight: "┐", bottomLeft: "└", bottomRight: "┘", horizontal: "─",
    vertical: "│", stemLeft: "┤", stemRight: "├", barFilled: "█", barEmpty: "░", steps: [],
    charging: "+", capLeft: "[", capRight: "]", pendingCap: "~", full: "*", half: "~", empty: "o",
    failed: "x",
    done: "√", pointer: ">", selected: "·", cursor: "_", ellipsis: "...", separator: "·", dash: "-",
    repertoire: .unicode)

  package static let ascii = Symbols(
    topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+", horizontal: "-",
    vertical: "|", stemLeft: "|", stemRight: "|", barFilled: "#", barEmpty: ".", steps: [],
    charging: "+", capLeft: "[", capRight: "]", pendingCap: "~", full: "*", half: "~", empty: "o",
    failed: "x",
    done: "*", pointer: ">", selected: "*", cursor: "_", ellipsis: "...", separator: "-", dash: "-",
    repertoire: .ascii)
}

extension Symbols {
  /// For screen readers and braille displays: no frames, one column, and words for bars and marks.
  package static let words = Symbols(words: .unicode)
  /// The ``words`` for terminals that show only ASCII.
  package static let asciiWords = Symbols(words: .ascii)

  private init(words repertoire: Screen.CharacterSet) {
    self = .ascii
    (charging, capLeft, capRight, pendingCap) = ("charging", "", "", ", pending")
    (full, half, empty, failed, done) = ("", "", "", "error:", "done:")
    (pointer, selected, cursor, separator) = (" ", " ", "", "")
    (source, control, playing, paused) = ("Sound", "Controls", "Playing", "Paused")
    (range, areWords, self.repertoire) = (" to ", true, repertoire)
  }

  var pending: String { areWords ? pendingCap : ellipsis }

  var between: String { areWords ? ", " : " \(separator) " }
}
