internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// Charges and noise mode in the middle row, "L80 R75 C50 NC", for a terminal of a status bar's
  /// size.
  mutating func oneLine(_ state: State) {
    guard screen.size.rows > 0 else { return }
    var pen = Cursor(row: (screen.size.rows - 1) / 2, from: 0, to: screen.size.columns)
    guard let headphone = state.headphones.selected else {
      return write("no headphone", .muted, &pen)
    }
    batterySummary(headphone, &pen)
    skip(1, &pen)
    guard let mode = headphone.anc.shown, let short = mode.shortTitles.last else { return }
    let isPending = headphone.anc.pending != nil
    write(
      short + (isPending ? symbols.ellipsis : ""),
      !headphone.link.isReady ? .stale : isPending ? .pending : .headline, &pen)
  }

  /// Without frames, where rows are too few for them.
  ///
  /// Charges in one line, then the most important controls.
  mutating func frameless(_ state: State) {
    var (part, rest) = screen.area.split(top: 1)
    header(state, part)
    (rest, part) = rest.split(top: rest.rows - 1)
    status(state, part)
    guard let headphone = state.headphones.selected else { return }
    let lines = ControlLines(
      headphone, cursor: state.controlCursor, explanations: 0, rows: rest.rows)
    controlPanel(
      lines, of: headphone, wire: wireColumns(room: rest.columns - 2), state, rest)
  }
}
