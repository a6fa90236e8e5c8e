/// The characters that are not letters: borders, bars, dots.
///
/// Three sets: any UTF-8 terminal with a font; the Linux console, whose fonts hold little more than
/// code page 437; and ASCII.
public struct Symbols: Hashable, Sendable {
  var topLeft, topRight, bottomLeft, bottomRight: Unicode.Scalar
  var horizontal, vertical: Unicode.Scalar
  var barFilled, barEmpty: Unicode.Scalar
  /// From one eighth to seven of a bar's cell; empty: whole cells only.
  var barParts: [Unicode.Scalar]
  var dotFull, dotEmpty, dotHalf: String
  var separator, ellipsis, charging, pointer, arrowRight: String
  var upDown, leftRight: String
  var checked, warning, signal: String
  /// Four steps of growing height.
  var signalSteps: [String]
  var repertoire: Screen.Repertoire

  public static let unicode = Symbols(
    topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯", horizontal: "─",
    vertical: "│", barFilled: "█", barEmpty: "░", barParts: [],
    dotFull: "●", dotEmpty: "○", dotHalf: "◐", separator: "·", ellipsis: "…", charging: "↯",
    pointer: "▸", arrowRight: "→", upDown: "↑↓", leftRight: "←→", checked: "✓", warning: "▲",
    signal: "▂▄▆█", signalSteps: ["▂", "▄", "▆", "█"], repertoire: .unicode)

  public static let console = Symbols(
    topLeft: "┌", topRight: "┐", bottomLeft: "└", bottomRight: "┘", horizontal: "─",
    vertical: "│", barFilled: "█", barEmpty: "░", barParts: [],
    dotFull: "•", dotEmpty: "o", dotHalf: "*", separator: "·", ellipsis: "...", charging: "+",
    pointer: ">", arrowRight: "→", upDown: "↑↓", leftRight: "←→", checked: "√", warning: "!",
    signal: "▄", signalSteps: ["▄", "▄", "█", "█"], repertoire: .unicode)

  public static let ascii = Symbols(
    topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+", horizontal: "-",
    vertical: "|", barFilled: "#", barEmpty: ".", barParts: [],
    dotFull: "*", dotEmpty: "o", dotHalf: "~", separator: "-", ellipsis: "...", charging: "+",
    pointer: ">", arrowRight: "->", upDown: "Up/Down", leftRight: "Left/Right", checked: "*",
    warning: "!", signal: "#", signalSteps: [".", ":", "|", "#"], repertoire: .ascii)
}
