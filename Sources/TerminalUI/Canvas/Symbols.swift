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
  /// Of growing height, the last a full cell; empty: amounts are told in numbers.
  var steps: [Unicode.Scalar]
  /// Of growing depth from the top of the cell: an eighth, a half, all of it.
  var hangingSteps: [Unicode.Scalar]
  var charging: String
  // The ends of a chosen segment.
  var capLeft, capRight: String
  /// One column that says "asked for" at the end of a segment.
  var pendingCap: String
  // States, to be told apart without colour.
  var full, half, empty, failed, done: String
  /// The row of the cursor, the row that is chosen without it, and the cursor in a text.
  var pointer, selected, cursor: String
  // Within lines of text.
  var ellipsis, separator, dash: String
  /// Keys that have a character of their own.
  var arrows: [Key: String] = [:]
  var repertoire: Screen.CharacterSet

  /// For any UTF-8 terminal with a font.
  public static let unicode = Symbols(
    topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯", horizontal: "─",
    vertical: "│", stemLeft: "┤", stemRight: "├", barFilled: "━", barEmpty: "─",
    steps: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], hangingSteps: ["▔", "▀", "█"], charging: "↯",
    capLeft: "▐", capRight: "▌",
    pendingCap: "…",
    full: "●", half: "◐", empty: "○", failed: "✗", done: "✓", pointer: "▸", selected: "•",
    cursor: "▏",
    ellipsis: "…", separator: "·", dash: "–",
    arrows: [.up: "↑", .down: "↓", .left: "←", .right: "→"], repertoire: .unicode)

  /// For the Linux console, whose fonts hold little more than code page 437.
  public static let console = Symbols(
    topLeft: "┌", topRight: "┐", bottomLeft: "└", bottomRight: "┘", horizontal: "─",
    vertical: "│", stemLeft: "┤", stemRight: "├", barFilled: "█", barEmpty: "░", steps: [],
    hangingSteps: [],
    charging: "+", capLeft: "[", capRight: "]", pendingCap: "~", full: "*", half: "~", empty: "o",
    failed: "x",
    done: "√", pointer: ">", selected: "·", cursor: "_", ellipsis: "...", separator: "·", dash: "-",
    repertoire: .unicode)

  /// For everything else.
  public static let ascii = Symbols(
    topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+", horizontal: "-",
    vertical: "|", stemLeft: "|", stemRight: "|", barFilled: "#", barEmpty: ".", steps: [],
    hangingSteps: [],
    charging: "+", capLeft: "[", capRight: "]", pendingCap: "~", full: "*", half: "~", empty: "o",
    failed: "x",
    done: "*", pointer: ">", selected: "*", cursor: "_", ellipsis: "...", separator: "-", dash: "-",
    repertoire: .ascii)
}
