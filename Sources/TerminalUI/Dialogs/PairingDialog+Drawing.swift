internal import BluetoothRadio
internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// Draws the dialog of a pairing: its question, a large number and the remaining time.
  ///
  /// On a small terminal the number and the answers take precedence over the text.
  ///
  /// | request | shows | answers |
  /// | --- | --- | --- |
  /// | consent | | Yes, No |
  /// | compare | six digits | Yes, No |
  /// | enter | the digits typed so far | Enter, Esc |
  /// | show | six digits, how many were entered | Esc |
  /// | enterPIN | what is typed so far, or the usual PIN | Enter, Esc |
  /// | showPIN | the PIN, in plain characters | Esc |
  mutating func pairing(_ open: PairingDialog, _ state: State) {
    let columns = min(58, screen.size.columns)
    let text = wrapped(displayable(state.displayText(for: open)), columns: columns - 6)
    let notes = [open.complaint, open.question.hint].compactMap { $0 }
    let parts = text.count + open.numberRows + notes.count + 1
    let inner = dialog(
      "PAIRING", columns: columns, lines: parts + (open.number == nil ? 3 : 4), note: timeLeft(open)
    )
    guard inner.rows > 0 else { return }
    var rows = Rows(inner, spare: inner.rows - parts)
    rows.skip()
    for line in text {
      guard var pen = rows.next(keeping: open.leastRowsBelow) else { break }
      write(line, .value, &pen)
    }
    if open.number != nil { rows.skip() }
    drawNumber(open, &rows)
    for (place, note) in notes.enumerated() {
      guard var pen = rows.next(keeping: 1) else { break }
      let isComplaint = open.complaint != nil && place == 0
      write(
        isComplaint ? "\(symbols.failed) \(displayable(note))" : displayable(note),
        isComplaint ? .error : .muted, &pen)
    }
    rows.skip()
    drawChoices(open, inner, &rows)
  }

  /// Draws the number: large where three rows and 25 columns are free, else as plain digits.
  private mutating func drawNumber(_ open: PairingDialog, _ rows: inout Rows) {
    guard let number = open.number else { return }
    if open.numberRows == LargeDigits.rows, rows.left > LargeDigits.rows, !symbols.areWords {
      for row in 0..<LargeDigits.rows {
        guard var pen = rows.next() else { return }
        guard pen.room >= LargeDigits.columns else { return write(number, .headline, &pen) }
        skip((pen.room - LargeDigits.columns) / 2, &pen)
        write(LargeDigits.row(row, of: number), .headline, &pen)
      }
    } else if var pen = rows.next(keeping: 1) {
      guard case .enterPIN = open.question.request else { return write(number, .headline, &pen) }
      let field = Area(column: pen.column, row: pen.row, columns: pen.room, rows: 1)
      screen.fill(field, role: .entry)
      skip(1, &pen)
      if !open.isOffered { write(number, .entry, &pen) }
      write(symbols.cursor, .cursor, &pen)
      if open.isOffered { write(number, .entry, &pen) }
    }
    if case .show(_, let entered) = open.question.request, entered > 0,
      var pen = rows.next(keeping: 1)
    {
      write("\(entered) digits entered on the headphone", .muted, &pen)
    }
  }

  private mutating func drawChoices(_ open: PairingDialog, _ inner: Area, _ rows: inout Rows) {
    guard var pen = rows.next() else { return }
    // Both answers matter more than a margin.
    if inner.columns < 24 { pen = Cursor(row: pen.row, from: inner.column, to: inner.endColumn) }
    switch open.question.request {
    case .consent, .compare: choices(isYesChosen: open.isYesChosen, inner, &pen)
    case .enter, .enterPIN:
      let accept = open.isOffered ? "Use \(PIN.usual)" : "OK"
      write(
        fitting(hints([(.accept, accept), (.back, "Don't pair")]), columns: pen.room, gap: 3),
        gap: 3, &pen)
    case .show, .showPIN:
      write(fitting(hints([(.back, "Don't pair")]), columns: pen.room, gap: 3), gap: 3, &pen)
    }
  }

  /// Returns "19 s left", in tens of seconds for a screen reader, which reads every change.
  private func timeLeft(_ open: PairingDialog) -> String {
    let seconds = open.secondsLeft
    return "\(symbols.areWords ? (seconds + 9) / 10 * 10 : seconds) s left"
  }

  private func hints(_ labels: [(UserCommand, String)]) -> [KeyHint] {
    labels.compactMap { command, label in
      style.hint(for: command).map { KeyHint(key: $0, label: label, command: command) }
    }
  }
}

private struct Rows {
  private let area: Area
  private var row: Int
  private var spare: Int

  init(_ area: Area, spare: Int) {
    self.area = area
    row = area.row
    self.spare = spare
  }

  var left: Int { area.endRow - row }

  mutating func skip() {
    guard spare > 0 else { return }
    spare -= 1
    row += 1
  }

  /// Returns the next row, two columns inside the frame, or nil if only `below` rows are left.
  mutating func next(keeping below: Int = 0) -> Cursor? {
    guard left > below else { return nil }
    defer { row += 1 }
    return Cursor(row: row, from: area.column + 2, to: area.endColumn - 2)
  }
}

extension PairingDialog {
  fileprivate var number: String? {
    switch question.request {
    case .consent: nil
    case .compare(let passkey), .show(let passkey, _): "\(passkey)"
    case .enter: typed + String(repeating: "_", count: Self.digitCount - typed.count)
    case .enterPIN: displayable(isOffered ? "\(PIN.usual)" : typed)
    case .showPIN(let pin): displayable("\(pin)")
    }
  }

  /// The height of the number; a PIN may have letters, which have no large shape.
  fileprivate var numberRows: Int {
    switch question.request {
    case .consent: 0
    case .compare, .show, .enter: LargeDigits.rows
    case .enterPIN, .showPIN: 1
    }
  }

  fileprivate var isOffered: Bool { question.request == .enterPIN && typed.isEmpty }

  fileprivate var leastRowsBelow: Int { number == nil ? 1 : 2 }
}

/// Digits three rows high, like a seven-segment display, to compare passkeys at arm's length.
enum LargeDigits {
  static let rows = 3
  static let columns = 25

  private static let shapes: [[String]] = [
    [" _ ", "| |", "|_|"], ["   ", "  |", "  |"], [" _ ", " _|", "|_ "], [" _ ", " _|", " _|"],
    ["   ", "|_|", "  |"], [" _ ", "|_ ", " _|"], [" _ ", "|_ ", "|_|"], [" _ ", "  |", "  |"],
    [" _ ", "|_|", "|_|"], [" _ ", "|_|", " _|"],
  ]
  private static let unknown = ["   ", "   ", " _ "]

  static func row(_ row: Int, of number: String) -> String {
    let places = number.map { character in
      (character.wholeNumberValue.map { shapes[$0] } ?? unknown)[row]
    }
    return stride(from: 0, to: places.count, by: 3).map { start in
      places[start..<min(start + 3, places.count)].joined(separator: " ")
    }.joined(separator: "   ")
  }
}
