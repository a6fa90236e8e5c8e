internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// The dialog with a line of text to type, over the page.
  ///
  /// Frame, field, one line of explanation or complaint, keys. In few rows the keys go first, then
  /// the explanation; the field stays.
  ///
  /// ```
  /// ╭─ RENAME THE HEADPHONE ───────────────╮
  /// │   Aurora Pro▏                        │
  /// │  1 to 32 bytes, stored in the headp… │
  /// │                                      │
  /// │  Enter OK   Esc Cancel   ^U Clear    │
  /// ╰──────────────────────────────────────╯
  /// ```
  mutating func entry(_ entry: TextEntry, _ state: State) {
    let columns = min(54, screen.size.columns)
    let inner = dialog(entry.purpose.title(on: state.page), columns: columns, lines: 5)
    guard inner.rows > 0 else { return }
    let isRoomy = inner.rows >= 5
    var field = Cursor(
      row: inner.row + (isRoomy ? 1 : 0), from: inner.column + 2, to: inner.endColumn - 2)
    drawField(entry, &field)
    guard inner.rows >= 2 else { return }
    var note = Cursor(
      row: inner.row + (isRoomy ? 2 : 1), from: inner.column + 2, to: inner.endColumn - 2)
    if let complaint = entry.complaint {
      write(symbols.failed + " " + displayable(complaint), .error, &note)
    } else if !entry.names.isEmpty {
      write(displayable(entry.names.joined(separator: "  ")), .muted, &note)
    } else {
      write(entry.purpose.explanation(on: state.page), .muted, &note)
    }
    guard isRoomy else { return }
    var keys = Cursor(row: inner.row + 4, from: inner.column + 2, to: inner.endColumn - 2)
    write(fitting(keyHints(entry), columns: keys.room, gap: 3), gap: 3, &keys)
  }

  /// The keys at the bottom; a click on one does the same.
  private func keyHints(_ entry: TextEntry) -> [KeyHint] {
    let completing: [(UserCommand, String)] =
      entry.purpose.isPath ? [(.otherPanel, "Complete")] : []
    let labels = [(.accept, "OK"), (.back, "Cancel")] + completing
    return labels.compactMap { command, label in
      style.hint(for: command).map { KeyHint(key: $0, label: label, command: command) }
    } + [KeyHint(key: "^U", label: "Clear", action: .typed(.clear))]
  }

  /// The text around the cursor, scrolled so that the cursor is always visible.
  private mutating func drawField(_ entry: TextEntry, _ pen: inout Cursor) {
    screen.fill(
      Area(column: pen.column, row: pen.row, columns: pen.room, rows: 1), role: .entry)
    var before = Substring(displayable(String(entry.text.prefix(entry.cursor))))
    let after = displayable(String(entry.text.dropFirst(entry.cursor)))
    while String(before).columns > max(0, pen.room - 2) { before.removeFirst() }
    skip(1, &pen)
    write(String(before), .entry, &pen)
    write(symbols.cursor, .cursor, &pen)
    screen.write(
      after, column: pen.column, row: pen.row, role: .entry,
      limits: Area(column: pen.column, row: pen.row, columns: pen.room, rows: 1))
  }
}

extension TextEntry.Purpose {
  /// The heading, in capitals.
  fileprivate func title(on page: Page) -> String {
    switch self {
    case .rename: "RENAME THE HEADPHONE"
    case .firmwareImage: "FIRMWARE IMAGE"
    case .saveEQ: "SAVE THE EQUALISER AS"
    case .renameEQ: "RENAME THE PRESET"
    case .saveScene: "SAVE AS A SCENE"
    case .renameScene: "RENAME THE SCENE"
    case .importEQ: "IMPORT AN EQUALISER"
    case .findCorrection: "SEARCH ALL CORRECTIONS"
    case .broadcastCode(_, let broadcast): "CODE OF \(broadcast.title.uppercased())"
    case .correctionFile: "CORRECTION OF YOUR OWN"
    case .attribute(let write): "BYTES FOR \(handleText(write.handle))"
    case .filter: PageKind(page) == .log ? "FILTER THE LOG" : "SEARCH"
    }
  }

  /// What is expected, in one line.
  fileprivate func explanation(on page: Page) -> String {
    switch self {
    case .rename: "Up to 32 characters, saved on the headphone."
    case .firmwareImage: "Path to a .fw file (nothing is installed yet)."
    case .saveEQ, .renameEQ: "A name for it, kept on this computer."
    case .saveScene, .renameScene: "1 to 40 letters, digits, - or _."
    case .importEQ, .correctionFile: "Path to a ParametricEQ.txt or GraphicEQ.txt."
    case .broadcastCode: "4 to 16 characters; it is kept nowhere."
    case .findCorrection: "A maker, a model, who measured it; in any order."
    case .attribute(let write):
      "Hexadecimal, \(write.withResponse ? "with" : "without") response (Tab switches)."
    case .filter:
      switch PageKind(page) {
      case .log: "Shows only lines with this text."
      case .main: "Finds a headphone by its name."
      default: "Goes to the first match; n and N to the others."
      }
    }
  }
}
