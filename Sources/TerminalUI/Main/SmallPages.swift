internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// Draws "L80 R75 C50 NC" in the middle row, for very small terminals.
  mutating func oneLine(_ state: State) {
    guard screen.size.rows > 0 else { return }
    var pen = Cursor(row: (screen.size.rows - 1) / 2, from: 0, to: screen.size.columns)
    guard let headphone = state.headphones.selected else {
      return write("no headphone", .muted, &pen)
    }
    batterySummary(headphone, &pen)
    skip(1, &pen)
    let noise = headphone.setting(.noiseMode)
    guard let mode = noise.shown else { return }
    let short = headphone.anc.shown?.shortTitles.last ?? headphone.words(for: mode, of: .noiseMode)
    let isPending = noise.pending != nil
    write(
      short + (isPending ? symbols.pending : ""),
      !headphone.link.isReady ? .stale : isPending ? .pending : .headline, &pen)
  }

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
