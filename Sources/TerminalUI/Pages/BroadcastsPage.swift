internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let broadcasts = PageView(.broadcasts, sheetColumns: 84) {
    $0.broadcastsPage($1, line: $2.line ?? 0)
  }
}

extension Drawing {
  /// Draws the page of the broadcasts: a line for each, and whether the headphone plays it.
  mutating func broadcastsPage(_ state: State, line: Int) {
    let headphone = state.headphones.selected
    let note = headphone.map { displayable(state.name(of: $0.id)) } ?? ""
    let box = Box(
      title: "AURACAST", isFocused: true, note: state.filter.isEmpty ? note : searchNote(state))
    page(state, box) { drawing, inner in
      let lines = state.broadcastLines
      let columns = BoardColumns(lines, room: inner.columns - 5)
      drawing.listed(lines.map { [$0] }, cursor: line, inner) {
        drawing, broadcast, isChosen, pen in
        let isPlaying = state.isPlaying(broadcast.id)
        drawing.mark(
          isPlaying ? drawing.symbols.full : drawing.symbols.empty,
          isPlaying ? .linkReady : .linkOff, &pen)
        let isMatch = state.isMatch(broadcast.title)
        drawing.cell(
          broadcast.title, isChosen || isMatch ? .rowSelected : .value, columns.title, &pen)
        if let details = columns.details, !drawing.symbols.areWords {
          drawing.cell(broadcast.programme ?? "", .value, details.programme, &pen)
          drawing.cell(broadcast.languageText ?? "", .label, details.language, &pen)
          drawing.cell(broadcast.qualityText ?? "", .label, details.quality, &pen)
          let end = min(pen.end, pen.column + BoardColumns.signal)
          if let rssi = broadcast.rssi { drawing.signalBars(SignalStrength(rssi), &pen) }
          pen.column = end
        }
        let reception = state.receptionText(of: broadcast.id)
        if headphone?.broadcastRequest?.broadcast == broadcast.id, !isPlaying {
          let now = reception.isEmpty ? "asked" : reception
          drawing.write(now + drawing.symbols.ellipsis + "  ", .pending, &pen)
        } else if !reception.isEmpty {
          drawing.write(reception + "  ", isPlaying ? .linkReady : .value, &pen)
        }
        if columns.details == nil || drawing.symbols.areWords {
          drawing.write(broadcast.detailText, .label, &pen)
        } else if reception.isEmpty {
          drawing.write(broadcast.stateText, .label, &pen)
        }
      }
      guard lines.isEmpty else { return }
      var row = inner.row
      for words in wrapped(state.broadcastsText, columns: max(1, inner.columns - 2)) {
        guard row < inner.endRow else { return }
        var pen = Cursor(row: row, from: inner.column + 1, to: inner.endColumn - 1)
        drawing.write(words, .muted, &pen)
        row += 1
      }
    }
  }
}

extension Drawing {
  /// Writes a text into a column, and moves to the next one, two columns after it.
  fileprivate mutating func cell(_ text: String, _ role: Role, _ columns: Int, _ pen: inout Cursor)
  {
    guard columns > 0 else { return }
    let end = min(pen.end, pen.column + columns)
    var cell = Cursor(row: pen.row, from: pen.column, to: end)
    write(text, role, &cell)
    pen.column = min(pen.end, end + 2)
  }
}

/// The columns of the broadcasts, as wide as their longest texts.
private struct BoardColumns {
  let title: Int
  /// The columns of the details, or nil where they have no room.
  let details: (programme: Int, language: Int, quality: Int)?

  /// The columns of the signal bars, or of their words, and two blanks.
  static let signal = 8
  private static let state = 12

  init(_ lines: [Broadcast], room: Int) {
    func longest(_ texts: [String?]) -> Int { texts.compactMap { $0?.columns }.max() ?? 0 }
    title = min(longest(lines.map(\.title)), room / 2)
    let language = longest(lines.map(\.languageText))
    let quality = longest(lines.map(\.qualityText))
    let gaps = 2 * [title, language, quality].count { $0 > 0 }
    let rest = room - title - language - quality - gaps - Self.signal - Self.state
    details =
      rest < 0
      ? nil : (rest < 10 ? 0 : min(longest(lines.map(\.programme)), rest - 2), language, quality)
  }
}

extension Broadcast {
  /// What keeps one from listening: "needs a code", "silent now", or an empty string.
  fileprivate var stateText: String {
    isLocked == true ? "needs a code" : hasSound == false ? "silent now" : ""
  }

  /// The details in one line: "open, deu, high quality, -54 dBm, Evening news".
  fileprivate var detailText: String {
    [
      lockText, languageText, qualityText, rssi.map { "\($0) dBm" },
      hasSound == false ? "silent now" : nil, programme,
    ].compactMap(\.self).joined(separator: ", ")
  }
}

extension State {
  fileprivate var broadcastsText: String {
    if let problem = broadcasts.problem { return "The search does not work: \(problem)." }
    return broadcasts.isSearching ? "Listening for broadcasts. None so far." : adapter.displayText
  }
}
