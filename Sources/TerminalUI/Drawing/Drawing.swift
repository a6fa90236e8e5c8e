internal import BluetoothCodec
internal import Companion
internal import HeadphoneProtocols

/// A screen that is being drawn, in a style.
///
/// Views are extensions of it: each draws a part of the page into an area or along a row. A
/// ``Cursor`` is where the next text goes, and the end of the room that it has.
///
/// ```swift
/// var drawing = Drawing(size: size, style: style)
/// var pen = Cursor(row: 0, from: 1, to: size.columns - 1)
/// drawing.write("Battery", .label, &pen)
/// drawing.skip(2, &pen)
/// drawing.bar(80, columns: 10, .batteryGood, &pen)
/// ```
///
/// Nothing that is drawn can leave its room: text is shortened with an ellipsis, bars are cut.
struct Drawing {
  var screen: Screen
  let style: Style
  /// When a charge is drawn as a low one.
  let thresholds: BatteryThresholds

  init(size: Size, style: Style, thresholds: BatteryThresholds = BatteryThresholds()) {
    screen = Screen(size: size, repertoire: style.symbols.repertoire)
    self.style = style
    self.thresholds = thresholds
  }

  var symbols: Symbols { style.symbols }
}

/// A place in a row, and the end of the room there.
struct Cursor {
  var column: Int
  let row: Int
  let end: Int

  init(row: Int, from column: Int, to end: Int) {
    self.column = column
    self.row = row
    self.end = end
  }

  /// The first row of an area.
  init(_ area: Area) {
    self.init(row: area.row, from: area.column, to: area.endColumn)
  }

  /// The columns that are left.
  var room: Int { max(0, end - column) }
}

extension Drawing {
  /// Writes on, shortened to the room that is left.
  mutating func write(_ text: String, _ role: Role, _ pen: inout Cursor) {
    let text = text.truncated(to: pen.room, ellipsis: symbols.ellipsis)
    pen.column = screen.write(text, column: pen.column, row: pen.row, role: role)
  }

  /// Writes the same character several times, as far as there is room.
  mutating func write(
    _ scalar: Unicode.Scalar, times count: Int, _ role: Role, _ pen: inout Cursor
  ) {
    let count = min(max(0, count), pen.room)
    screen.fill(
      Area(column: pen.column, row: pen.row, columns: count, rows: 1), with: scalar, role: role)
    pen.column += count
  }

  /// Leaves so many columns as they are.
  func skip(_ columns: Int, _ pen: inout Cursor) {
    pen.column = min(pen.column + columns, pen.end)
  }

  /// Marks the row that the cursor is on; the others have an empty place there.
  mutating func pointer(_ isChosen: Bool, _ pen: inout Cursor) {
    write(isChosen ? symbols.pointer : " ", isChosen ? .rowSelected : .plain, &pen)
  }

  /// Writes at the right end of the room, if it fits whole; the room shrinks.
  ///
  /// One column stays free between it and what is written from the left.
  mutating func writeTrailing(_ text: String, _ role: Role, _ pen: inout Cursor) {
    let columns = text.columns
    guard columns > 0, columns < pen.room else { return }
    screen.write(text, column: pen.end - columns, row: pen.row, role: role)
    pen = Cursor(row: pen.row, from: pen.column, to: pen.end - columns - 1)
  }

  /// The name of a headphone as it may be shown; its address where it has none.
  ///
  /// Sanitised, as everything that comes from outside must be before it is drawn.
  func name(of headphone: HeadphoneState) -> String {
    displayable(headphone.name.isEmpty ? headphone.address.address.description : headphone.name)
  }
}

extension String {
  /// The text with a capital at its beginning, unless it begins with a name such as "hci0" or
  /// "config.toml".
  var sentence: String {
    let word = prefix { $0 != " " }
    let isName = word.contains(where: \.isNumber) || word.dropLast().contains(".")
    return isName ? self : prefix(1).uppercased() + dropFirst()
  }
}
