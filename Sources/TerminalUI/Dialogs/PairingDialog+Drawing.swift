internal import Bluetooth
internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// What pairing asks, with its number large and the time that is left.
  mutating func pairing(_ open: PairingDialog, _ state: State) {
    let columns = min(58, screen.size.columns)
    let text = wrapped(displayable(state.displayText(for: open)), columns: columns - 6)
    let notes = [open.complaint, open.question.hint].compactMap { $0 }
    // Text, number, remarks and answers; empty rows between them where there is room.
    let parts = text.count + (open.number == nil ? 0 : LargeDigits.rows) + notes.count + 1
    let inner = dialog(
      "PAIRING", columns: columns, lines: parts + (open.number == nil ? 3 : 4), note: open.timeLeft)
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
    drawAnswers(open, inner, &rows)
  }

  private mutating func drawNumber(_ open: PairingDialog, _ rows: inout Rows) {
    guard let number = open.number else { return }
    if rows.left > LargeDigits.rows {
      for row in 0..<LargeDigits.rows {
        guard var pen = rows.next() else { return }
        guard pen.room >= LargeDigits.columns else { return write(number, .headline, &pen) }
        skip((pen.room - LargeDigits.columns) / 2, &pen)
        write(LargeDigits.row(row, of: number), .headline, &pen)
      }
    } else if var pen = rows.next(keeping: 1) {
      write(number, .headline, &pen)
    }
    if case .show(_, let entered) = open.question.request, entered > 0,
      var pen = rows.next(keeping: 1)
    {
      write("\(entered) digits entered on the headphone", .muted, &pen)
    }
  }

  private mutating func drawAnswers(_ open: PairingDialog, _ inner: Area, _ rows: inout Rows) {
    guard var pen = rows.next() else { return }
    // Both answers are worth more than a margin.
    if inner.columns < 24 { pen = Cursor(row: pen.row, from: inner.column, to: inner.endColumn) }
    switch open.question.request {
    case .consent, .compare: answers(isYesChosen: open.isYesChosen, inner, &pen)
    case .enter:
      write(
        fitting(hints([(.accept, "OK"), (.back, "Don't pair")]), columns: pen.room, gap: 3),
        gap: 3, &pen)
    case .show:
      write(fitting(hints([(.back, "Don't pair")]), columns: pen.room, gap: 3), gap: 3, &pen)
    }
  }

  private func hints(_ labels: [(UserCommand, String)]) -> [KeyHint] {
    labels.compactMap { command, label in
      style.hint(for: command).map { KeyHint(key: $0, label: label, command: command) }
    }
  }
}

/// The rows of a dialog, from above.
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

  /// Leaves an empty row where there is room for one.
  mutating func skip() {
    guard spare > 0 else { return }
    spare -= 1
    row += 1
  }

  /// The next row; nil if no more than `below` are left.
  mutating func next(keeping below: Int = 0) -> Cursor? {
    guard left > below else { return nil }
    defer { row += 1 }
    return Cursor(row: row, from: area.column + 2, to: area.endColumn - 2)
  }
}

extension PairingDialog {
  /// Six places, those not typed yet as "_"; nil: there is no number.
  fileprivate var number: String? {
    switch question.request {
    case .consent: nil
    case .compare(let passkey), .show(let passkey, _): "\(passkey)"
    case .enter: digits + String(repeating: "_", count: Self.digitCount - digits.count)
    }
  }

  fileprivate var timeLeft: String { "\(secondsLeft) s left" }

  /// What must stay visible below the text: the number and the answers.
  fileprivate var leastRowsBelow: Int { number == nil ? 1 : 2 }
}
