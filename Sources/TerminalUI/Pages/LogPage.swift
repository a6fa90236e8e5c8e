internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let log = PageView(.log) { $0.logPage($1, line: $2.line ?? 0) }
}

extension Drawing {
  /// Draws the log, with the newest line at the bottom.
  ///
  /// Line 0 is the newest and is followed; with the cursor elsewhere the page does not move when
  /// lines arrive. At level trace each packet is followed by its numbers and bytes.
  mutating func logPage(_ state: State, line: Int) {
    page(state) { drawing, area in
      let lines = state.logLines
      let room = area.inset(columns: 1, rows: 1)
      // The cursor's line is the lowest, unless there are too few older lines to fill the page.
      let isTrace = state.logLevel == .trace
      let skipped = min(line, max(0, lines.count - (isTrace ? 1 : room.rows)))
      var rows: [LogRow] = []
      var shown = 0
      for entry in lines.dropFirst(skipped) where rows.count < room.rows {
        let bytes = isTrace ? drawing.byteRows(entry, columns: room.columns - 6) : []
        rows += bytes.reversed() + [.line(entry)]
        shown += 1
      }
      let box = Box(
        title: drawing.logTitle(state),
        isFocused: true, note: drawing.logNote(state, line: line, count: lines.count),
        more: drawing.more(above: lines.count - skipped - shown, below: skipped))
      let inner = drawing.frame(box, area)
      drawing.hasHiddenLines = !box.more.isEmpty
      guard !lines.isEmpty else {
        var pen = Cursor(row: inner.row, from: inner.column + 1, to: inner.endColumn - 1)
        let words =
          state.log.lines.isEmpty
          ? "Nothing has happened yet."
          : state.filter.isEmpty ? "No lines at this level from this source." : "No matches."
        return drawing.write(words, .muted, &pen)
      }
      for (place, row) in rows.prefix(inner.rows).reversed().enumerated() {
        var pen = Cursor(
          row: inner.row + place, from: inner.column + 1, to: inner.endColumn - 1)
        drawing.moveCursor(to: pen)
        switch row {
        case .line(let entry): drawing.fullLogLine(entry, state, &pen)
        case .bytes(let text):
          drawing.skip(4, &pen)
          drawing.write(text, .value, &pen)
        }
      }
    }
  }

  private enum LogRow {
    case line(LogLine)
    case bytes(String)
  }

  /// Returns the numbers and bytes of a packet in at most six rows; the capture has longer packets.
  private func byteRows(_ line: LogLine, columns: Int) -> [LogRow] {
    guard let packet = line.packet else { return [] }
    let text = "[\(displayable(packet.displayText))] \(hexadecimalText(packet.bytes))"
    return wrapped(text, columns: columns).prefix(6).map { .bytes($0) }
  }

  private func logTitle(_ state: State) -> String {
    let part = state.logSubsystem.map { " \($0.rawValue)" } ?? ""
    let text = state.filter.isEmpty ? "" : ", filter \"\(displayable(state.filter))\""
    let least = symbols.repertoire == .unicode && !symbols.areWords ? "≥" : "from"
    return "LOG\(part) \(least) \(state.logLevel)\(text)"
  }

  private mutating func fullLogLine(_ line: LogLine, _ state: State, _ pen: inout Cursor) {
    if pen.room >= 32 { write(line.at.clock + " ", .muted, &pen) }
    mark(line.level.mark(symbols), line.level.role, &pen)
    if pen.room >= 60 {
      var part = Cursor(row: pen.row, from: pen.column, to: pen.column + 9)
      write(line.subsystem.rawValue, .label, &part)
      skip(10, &pen)
    }
    if let link = line.link, pen.room >= 100 { writeTrailing("(\(link.name))", .muted, &pen) }
    logText(line, state, &pen)
    guard let packet = line.packet, state.logLevel != .trace else { return }
    write(" [", .muted, &pen)
    write(displayable(packet.displayText), packet.error == nil ? .label : .warning, &pen)
    write("]", .muted, &pen)
  }

  private func logNote(_ state: State, line: Int, count: Int) -> String {
    let following = line == 0 ? "following" : "\(line) newer below"
    let tracing = state.logLevel < .info ? "all packets" + symbols.between : ""
    return "\(tracing)\(count) \(count == 1 ? "line" : "lines")\(symbols.between)\(following)"
  }
}
