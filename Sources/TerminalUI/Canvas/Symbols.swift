/// The characters that are not letters: borders, bars, dots.
///
/// Three sets: any UTF-8 terminal with a font; the Linux console, whose fonts hold little more than
/// code page 437; and ASCII.
public struct Symbols: Hashable, Sendable {
  // Boxes; the title of a focused one stands between stems.
  var topLeft, topRight, bottomLeft, bottomRight: Unicode.Scalar
  var horizontal, vertical, stemLeft, stemRight: Unicode.Scalar
  // Amounts.
  var barFilled, barEmpty: Unicode.Scalar
  /// Cells of growing height, the last a full one; empty: amounts are shown as numbers.
  var steps: [Unicode.Scalar]
  /// Cells that are filled from the left, without a full one; empty: gauges have whole cells.
  var partialCells: [Unicode.Scalar] = []
  var charging: String
  // The ends of a chosen segment.
  var capLeft, capRight: String
  /// One column that says "asked for" at the end of a segment.
  var pendingCap: String
  // States that remain distinguishable without colour.
  var full, half, empty, failed, done: String
  /// The row of the cursor, the selected headphone while another panel has the focus, and the cursor
  /// in a text.
  var pointer, selected, cursor: String
  // Within lines of text.
  var ellipsis, separator, dash: String
  /// A wire: what it carries, sound or controls; its line while it is in use, while it is not and where
  /// it is broken; its end, and what stands in a broken one.
  var source = "#", control = "~"
  var routeLine: Unicode.Scalar = "=", routeRest: Unicode.Scalar = "-"
  var routeBreak: Unicode.Scalar = "-", routeHead = ">", routeCross = "x"
  /// The states of a media player.
  var playing = ">", paused = "||"
  /// The part of a vertical slider between 0 dB and its knob.
  var slider: Unicode.Scalar = "|"
  /// There are more segments than fit.
  var moreBefore = "<", moreAfter = ">", moreBelow = "v"
  /// Between two numbers.
  var range = "-"
  /// Keys that have a character of their own.
  var arrows: [Key: String] = [:]
  var repertoire: Screen.CharacterSet

  /// For any UTF-8 terminal with a font.
  public static let unicode = Symbols(
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
    playing: "▶", paused: "‖", slider: "┃", moreBefore: "‹", moreAfter: "›", moreBelow: "▼",
    range: "–",
    arrows: [.up: "↑", .down: "↓", .left: "←", .right: "→"], repertoire: .unicode)

  /// For the Linux console, whose fonts hold little more than code page 437.
  public static let console = Symbols(
    topLeft: "┌", topRight: "┐", bottomLeft: "└", bottomRight: "┘", horizontal: "─",
    vertical: "│", stemLeft: "┤", stemRight: "├", barFilled: "█", barEmpty: "░", steps: [],
    charging: "+", capLeft: "[", capRight: "]", pendingCap: "~", full: "*", half: "~", empty: "o",
    failed: "x",
    done: "√", pointer: ">", selected: "·", cursor: "_", ellipsis: "...", separator: "·", dash: "-",
    repertoire: .unicode)

  /// For everything else.
  public static let ascii = Symbols(
    topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+", horizontal: "-",
    vertical: "|", stemLeft: "|", stemRight: "|", barFilled: "#", barEmpty: ".", steps: [],
    charging: "+", capLeft: "[", capRight: "]", pendingCap: "~", full: "*", half: "~", empty: "o",
    failed: "x",
    done: "*", pointer: ">", selected: "*", cursor: "_", ellipsis: "...", separator: "-", dash: "-",
    repertoire: .ascii)
}
