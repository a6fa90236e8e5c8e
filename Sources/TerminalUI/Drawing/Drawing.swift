internal import BluetoothCodec
internal import Companion
internal import HeadphoneProtocols

/// A screen under construction, in a style.
///
/// Views are extensions of this type: each draws a part of the page into an area or along a row.
/// Nothing is drawn beyond its ``Cursor``'s room: text is shortened with an ellipsis, bars are cut.
struct Drawing {
  var screen: Screen
  let style: Style
  let thresholds: BatteryThresholds
  var places: [HeadphonePlace] = []
  /// The commands whose keys stand in frames, which the footer need not repeat.
  var framedCommands: Set<UserCommand> = []
  /// The ``PageView/sheetColumns`` of the page that is drawn.
  var sheetColumns: Int?
  /// Whether the list of the page that is drawn is longer than its area.
  var hasHiddenLines = false

  init(size: Size, style: Style, thresholds: BatteryThresholds = BatteryThresholds()) {
    screen = Screen(size: size, repertoire: style.symbols.repertoire)
    self.style = style
    self.thresholds = thresholds
  }

  var symbols: Symbols { style.symbols }
}

struct Cursor {
  var column: Int
  let row: Int
  let end: Int

  init(row: Int, from column: Int, to end: Int) {
    self.column = column
    self.row = row
    self.end = end
  }

  init(_ area: Area) {
    self.init(row: area.row, from: area.column, to: area.endColumn)
  }

  var room: Int { max(0, end - column) }
}

extension Drawing {
  mutating func write(_ text: String, _ role: Role, _ pen: inout Cursor) {
    let isUnknown = symbols.areWords && role == .unknown && text == "--"
    let text = (isUnknown ? "unknown" : text).truncated(to: pen.room, ellipsis: symbols.ellipsis)
    pen.column = screen.write(text, column: pen.column, row: pen.row, role: role)
  }

  mutating func write(
    _ scalar: Unicode.Scalar, times count: Int, _ role: Role, _ pen: inout Cursor
  ) {
    let count = min(max(0, count), pen.room)
    screen.fill(
      Area(column: pen.column, row: pen.row, columns: count, rows: 1), with: scalar, role: role)
    pen.column += count
  }

  func skip(_ columns: Int, _ pen: inout Cursor) {
    pen.column = min(pen.column + columns, pen.end)
  }

  /// Writes a symbol and a blank, or the word that a screen reader says instead.
  mutating func mark(_ symbol: String, _ role: Role, says word: String = "", _ pen: inout Cursor) {
    let text = symbols.areWords && !word.isEmpty ? word : symbol
    if !text.isEmpty { write(text + " ", role, &pen) }
  }

  /// Marks the cursor's row, and moves the terminal's cursor there; other rows get a blank.
  mutating func pointer(_ isChosen: Bool, as role: Role = .rowSelected, _ pen: inout Cursor) {
    if isChosen { moveCursor(to: pen) }
    write(isChosen ? symbols.pointer : " ", isChosen ? role : .plain, &pen)
  }

  mutating func moveCursor(to pen: Cursor) {
    if pen.room > 0 { screen.cursor = CellPosition(column: pen.column, row: pen.row) }
  }

  /// Returns "▲ 3 ▼ 12 more" for a list that is partly out of sight, else an empty string.
  func more(above: Int, below: Int) -> String {
    let parts = [(symbols.moreAbove, above), (symbols.moreBelow, below)].filter { $0.1 > 0 }
      .map { "\($0) \($1)" }
    guard !symbols.areWords else {
      return [("above", above), ("below", below)].filter { $0.1 > 0 }
        .map { "\($0.1) more \($0.0)" }.joined(separator: ", ")
    }
    return parts.isEmpty ? "" : parts.joined(separator: " ") + " more"
  }

  /// Writes a text at the right end of the room if it fits whole, and removes it from the room.
  mutating func writeTrailing(_ text: String, _ role: Role, _ pen: inout Cursor) {
    let columns = text.columns
    guard columns > 0, columns < pen.room else { return }
    screen.write(text, column: pen.end - columns, row: pen.row, role: role)
    pen = Cursor(row: pen.row, from: pen.column, to: pen.end - columns - 1)
  }
}

extension String {
  /// The text with a capital first letter, unless it begins with a name such as "hci0".
  var sentence: String {
    let word = prefix { $0 != " " }
    let isName = word.contains(where: \.isNumber) || word.dropLast().contains(".")
    return isName ? self : prefix(1).uppercased() + dropFirst()
  }
}
