internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  mutating func ask(_ question: Question, _ state: State) {
    let subject = question.subject
    let columns = min(58, screen.size.columns)
    let buds = state.isAskingWhichBud(question) ? budSegments(question) : nil
    let lines =
      wrapped(displayable(subject.text(state)), columns: columns - 6)
      + (buds == nil ? [] : [""])
    let inner = dialog(subject.title.uppercased(), columns: columns, lines: lines.count + 4)
    guard inner.rows > 0 else { return }
    // The text takes precedence: empty rows only where it fits completely.
    let (isRoomy, hasFoot) = (inner.rows >= lines.count + 4, inner.rows >= lines.count + 3)
    let room = max(0, inner.rows - (hasFoot ? 2 : 1))
    for (place, line) in lines.prefix(room).enumerated() {
      var pen = Cursor(
        row: inner.row + (isRoomy ? 1 : 0) + place,
        from: inner.column + 2, to: inner.endColumn - 2)
      if let buds, place == lines.count - 1 {
        let keys = [style.hint(for: .up), style.hint(for: .down)].compactMap(\.self)
        if pen.room >= 30 { write(keys.joined(separator: " ") + " ", .key, &pen) }
        segments([buds], &pen)
      } else {
        write(line, .value, &pen)
      }
    }
    let row = inner.endRow - (hasFoot ? 2 : 1)
    let margin = inner.columns < 24 ? 0 : 2
    var pen = Cursor(row: row, from: inner.column + margin, to: inner.endColumn - margin)
    choices(subject.choices, isYesChosen: question.isYesChosen, inner, &pen)
  }

  private func budSegments(_ question: Question) -> Segments? {
    guard let finding = question.subject.finding else { return nil }
    return Segments(
      labels: Question.buds.map { $0.map { $0.displayText.sentence } ?? "Both" },
      keys: Question.buds.map { _ in "" },
      actions: Question.buds.indices.map { .pointed(.line($0)) },
      selected: Question.buds.firstIndex(of: finding.sides))
  }

  /// Draws the two answers of a question, or No and Yes where the words do not fit.
  mutating func choices(
    _ words: (no: String, yes: String) = ("No", "Yes"), isYesChosen: Bool, _ inner: Area,
    _ pen: inout Cursor
  ) {
    let gap = inner.columns < 24 ? 0 : 4
    let columns = words.no.columns + words.yes.columns + 10 + gap
    guard columns <= pen.room || words.no == "No" else {
      return choices(isYesChosen: isYesChosen, inner, &pen)
    }
    if !symbols.areWords { skip(max(0, (pen.room - columns) / 2), &pen) }
    var start = pen.column
    button("n", words.no, isChosen: !isYesChosen, &pen)
    clickable(from: start, to: pen, .back)
    skip(gap, &pen)
    start = pen.column
    button("y", words.yes, isChosen: isYesChosen, &pen)
    clickable(from: start, to: pen, isYesChosen ? nil : .right, .accept)
  }

  private mutating func button(_ key: String, _ text: String, isChosen: Bool, _ pen: inout Cursor) {
    pointer(isChosen, as: .overlayTitle, &pen)
    let chosen = isChosen && symbols.areWords ? ", chosen" : ""
    write(" \(key) \(text)\(chosen) ", isChosen ? .buttonSelected : .button, &pen)
  }

  /// Draws a dialog frame in the centre, over the dimmed page, and returns the area inside it.
  mutating func dialog(
    _ title: String, columns: Int, lines: Int, note: String = "", recedes: Bool = true
  ) -> Area {
    screen.recede(isDimmed: recedes)
    let rows = lines + 2
    let area =
      symbols.areWords
      ? screen.area.split(top: rows).top : screen.area.centred(columns: columns, rows: rows)
    // A screen reader reads whatever is beside a dialog, too.
    screen.fill(symbols.areWords ? screen.area : area, role: .plain)
    return frame(
      Box(title: title, note: note, border: .overlayBorder, titleRole: .overlayTitle), area)
  }
}
