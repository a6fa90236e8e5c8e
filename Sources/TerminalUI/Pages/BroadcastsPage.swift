internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let broadcasts = PageView(.broadcasts) { $0.broadcastsPage($1, line: $2.line ?? 0) }
}

extension Drawing {
  /// Draws the page of the broadcasts: a line for each, and whether the headphone plays it.
  mutating func broadcastsPage(_ state: State, line: Int) {
    page(state) { drawing, area in
      let headphone = state.headphones.selected
      let note = headphone.map { displayable(state.name(of: $0.id)) } ?? ""
      let inner = drawing.frame(
        Box(
          title: "AURACAST", isFocused: true,
          note: state.filter.isEmpty ? note : drawing.searchNote(state)), area)
      let lines = state.broadcastLines
      let columns = min(lines.map(\.title.columns).max() ?? 0, max(0, inner.columns / 2 - 4))
      drawing.listed(lines.map { [$0] }, cursor: line, inner) {
        drawing, broadcast, isChosen, pen in
        let isPlaying = state.isPlaying(broadcast.id)
        drawing.mark(
          isPlaying ? drawing.symbols.full : drawing.symbols.empty,
          isPlaying ? .linkReady : .linkOff, &pen)
        let end = min(pen.end, pen.column + columns)
        var title = Cursor(row: pen.row, from: pen.column, to: end)
        pen.column = min(pen.end, end + 2)
        let isMatch = state.isMatch(broadcast.title)
        drawing.write(broadcast.title, isChosen || isMatch ? .rowSelected : .value, &title)
        let reception = state.receptionText(of: broadcast.id)
        if headphone?.broadcastRequest?.broadcast == broadcast.id, !isPlaying {
          let now = reception.isEmpty ? "asked" : reception
          drawing.write(now + drawing.symbols.ellipsis + "  ", .pending, &pen)
        } else if !reception.isEmpty {
          drawing.write(reception + "  ", isPlaying ? .linkReady : .value, &pen)
        }
        drawing.write(broadcast.detailText, .label, &pen)
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

extension Broadcast {
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
