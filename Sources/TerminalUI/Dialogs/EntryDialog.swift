internal import Companion
internal import Headphones

extension Drawing {
  /// A line of text to type, over the page.
  mutating func entry(_ entry: TextEntry, _ state: State) {
    let columns = min(54, screen.size.columns)
    let inner = dialog(entry.purpose.title, columns: columns, lines: 5)
    guard inner.rows > 0 else { return }
    let isRoomy = inner.rows >= 5
    var field = Cursor(
      row: inner.row + (isRoomy ? 1 : 0), from: inner.column + 2, to: inner.endColumn - 2)
    drawField(entry.text, &field)
    guard inner.rows >= 2 else { return }
    var note = Cursor(
      row: inner.row + (isRoomy ? 2 : 1), from: inner.column + 2, to: inner.endColumn - 2)
    if let complaint = entry.complaint {
      write(symbols.failed + " " + displayable(complaint), .error, &note)
    } else {
      write(entry.purpose.explanation, .muted, &note)
    }
    guard isRoomy else { return }
    var keys = Cursor(row: inner.row + 4, from: inner.column + 2, to: inner.endColumn - 2)
    write(fitting(keyHints, columns: keys.room, gap: 3), gap: 3, &keys)
  }

  private var keyHints: [KeyHint] {
    let labels: [(UserCommand, String)] = [(.accept, "OK"), (.back, "Cancel")]
    return labels.compactMap { command, label in
      style.keys.hint(for: command).map { KeyHint(key: $0, label: label, command: command) }
    } + [KeyHint(key: "^U", label: "Clear", action: .typed(.clear))]
  }

  /// The end of the text with the cursor, where the whole is too long.
  private mutating func drawField(_ text: String, _ pen: inout Cursor) {
    screen.fill(
      Area(column: pen.column, row: pen.row, columns: pen.room, rows: 1), role: .entry)
    var shown = Substring(displayable(text))
    while String(shown).columns > max(0, pen.room - 2) { shown.removeFirst() }
    skip(1, &pen)
    write(String(shown), .entry, &pen)
    write(symbols.cursor, .cursor, &pen)
  }
}

extension TextEntry.Purpose {
  fileprivate var title: String {
    switch self {
    case .rename: "NEW NAME"
    case .firmwareImage: "FIRMWARE IMAGE"
    case .saveEQ: "SAVE THE EQUALISER AS"
    case .renameEQ: "NEW NAME OF THE PRESET"
    case .importEQ: "IMPORT AN EQUALISER"
    case .attribute(let write): "BYTES FOR \(handleText(write.handle))"
    case .filter: "FILTER THE LOG"
    }
  }

  fileprivate var explanation: String {
    switch self {
    case .rename: "1 to 32 bytes; the headphone keeps it."
    case .firmwareImage: "The path of a .fw file; it is only looked at."
    case .saveEQ, .renameEQ: "A name of your own; it is kept on this computer."
    case .importEQ: "The path of AutoEq's ParametricEQ.txt."
    case .attribute(let write):
      "Hexadecimal, \(write.withResponse ? "with" : "without") response; Tab changes that."
    case .filter: "Lines with this text; nothing: all lines."
    }
  }
}
