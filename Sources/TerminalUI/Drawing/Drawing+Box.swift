internal import Companion

struct Box {
  var title: String
  var isFocused = false
  /// The panel of the main page that the box frames; a click focuses it.
  var panel: Panel?
  var note = ""
  var noteKey: String?
  var noteCommand: UserCommand?
  /// The keys at the right end of the lower border, the most important first.
  var hints: [KeyHint] = []
  var more = ""
  /// Forms of the text at the left end of the lower border, the longest first.
  var captions: [String] = []
  var border: Role = .border
  var titleRole: Role = .title
}

struct KeyHint: Hashable {
  var key: String
  var label: String
  var command: UserCommand?
  var action: Action?

  var columns: Int { key.columns + 1 + label.columns }
}

extension Drawing {
  mutating func frame(_ box: Box, _ area: Area) -> Area {
    guard area.columns >= 2, area.rows >= 2 else { return area.inset(columns: 1, rows: 1) }
    if let panel = box.panel {
      screen.add(
        Target(area: area, aim: .actions([.pointed(.panel(panel))]), wheel: .cursor(panel)))
    }
    guard !symbols.areWords else { return words(of: box, area) }
    let role = box.isFocused ? .borderFocused : box.border
    let last = area.endColumn - 1
    for row in area.row + 1..<area.endRow - 1 {
      put(symbols.vertical, role, column: area.column, row: row)
      put(symbols.vertical, role, column: last, row: row)
    }
    for (row, left, right) in [
      (area.row, symbols.topLeft, symbols.topRight),
      (area.endRow - 1, symbols.bottomLeft, symbols.bottomRight),
    ] {
      var pen = Cursor(row: row, from: area.column, to: area.endColumn)
      write(left, times: 1, role, &pen)
      write(symbols.horizontal, times: area.columns - 2, role, &pen)
      write(right, times: 1, role, &pen)
    }
    drawTitle(box, role, area)
    drawHints(box, area)
    return area.inset(columns: 1, rows: 1)
  }

  /// Draws the words of a frame without the frame, and returns the area between them.
  private mutating func words(of box: Box, _ area: Area) -> Area {
    var pen = Cursor(row: area.row, from: area.column, to: area.endColumn)
    let isHere = box.isFocused && box.panel != nil
    write(box.title + (isHere ? ", focused" : ""), isHere ? .titleFocused : box.titleRole, &pen)
    if !box.note.isEmpty {
      write(", ", .muted, &pen)
      let start = pen.column
      if let key = box.noteKey { write(key + " ", .key, &pen) }
      write(box.note, .muted, &pen)
      clickable(from: start, to: pen, box.noteCommand)
    }
    pen = Cursor(row: area.endRow - 1, from: area.column, to: area.endColumn)
    // A caption changes with the cursor, and a reader would say that in place of the cursor's row.
    if !box.more.isEmpty { write(box.more + ". ", .muted, &pen) }
    write(fitting(box.hints, columns: pen.room, gap: 2), gap: 2, &pen)
    return Area(
      column: area.column, row: area.row + 1, columns: area.columns, rows: max(0, area.rows - 2))
  }

  /// Draws the title, between stems if the box has the focus, so that focus shows without colour.
  private mutating func drawTitle(_ box: Box, _ border: Role, _ area: Area) {
    var pen = Cursor(row: area.row, from: area.column + 2, to: area.endColumn - 2)
    drawNote(box, area)
    guard !box.title.isEmpty, pen.room > 6 else { return }
    if box.isFocused { write(symbols.stemLeft, times: 1, border, &pen) }
    var inner = Cursor(row: pen.row, from: pen.column, to: pen.end - 1)
    write(" " + box.title + " ", box.isFocused ? .titleFocused : box.titleRole, &inner)
    pen.column = inner.column
    if box.isFocused { write(symbols.stemRight, times: 1, border, &pen) }
  }

  func noteColumns(_ box: Box) -> Int {
    box.note.isEmpty ? 0 : box.note.columns + (box.noteKey.map { $0.columns + 1 } ?? 0) + 2
  }

  private mutating func drawNote(_ box: Box, _ area: Area) {
    let key = box.noteKey.map { $0 + " " } ?? ""
    let columns = noteColumns(box)
    guard columns > 0, columns + box.title.columns + 8 <= area.columns else { return }
    let end = area.endColumn - 2
    var pen = Cursor(row: area.row, from: end - columns, to: end)
    write(" ", .plain, &pen)
    write(key, .key, &pen)
    write(box.note + " ", .muted, &pen)
    clickable(from: end - columns, to: pen, box.noteCommand)
  }

  private mutating func drawHints(_ box: Box, _ area: Area) {
    let more = box.more.isEmpty ? 0 : box.more.columns + 3
    let key = box.hints.first.map { $0.columns + 3 } ?? 0
    let longest = box.captions.first { $0.columns + 6 + more <= area.columns } ?? ""
    // A shorter form is used if that makes room for the first key.
    let caption =
      box.captions.first {
        longest.hasPrefix($0) && $0.columns + 6 + more + key <= area.columns
      } ?? longest
    let said = caption.isEmpty ? 0 : caption.columns + 3
    let hints = fitting(box.hints, columns: area.columns - 6 - more - said, gap: 2)
    let total = hints.reduce(0) { $0 + $1.columns } + 2 * max(0, hints.count - 1)
    var end = area.endColumn - 2
    if total > 0 {
      var pen = Cursor(row: area.endRow - 1, from: end - total - 2, to: end)
      end = pen.column - 1
      write(" ", .border, &pen)
      write(hints, gap: 2, &pen)
      write(" ", .border, &pen)
      framedCommands.formUnion(hints.compactMap(\.command))
    }
    if more > 0 {
      var pen = Cursor(row: area.endRow - 1, from: max(area.column + 2, end - more + 1), to: end)
      end = pen.column - 1
      write(" \(box.more) ", .muted, &pen)
    }
    var pen = Cursor(row: area.endRow - 1, from: area.column + 2, to: end)
    if !caption.isEmpty { write(" \(caption) ", .muted, &pen) }
  }

  private mutating func put(_ scalar: Unicode.Scalar, _ role: Role, column: Int, row: Int) {
    screen.fill(Area(column: column, row: row, columns: 1, rows: 1), with: scalar, role: role)
  }
}
