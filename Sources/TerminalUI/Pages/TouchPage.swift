internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let touch = PageView(.touch) { $0.touchPage($1, line: $2.line ?? 0) }
}

extension Drawing {
  mutating func touchPage(_ state: State, line: Int) {
    page(state) { drawing, area in
      let headphone = state.headphones.selected
      let isLive = headphone?.isLive == true
      let note = headphone.map { isLive ? "" : displayable($0.linkText) } ?? ""
      let inner = drawing.frame(
        Box(
          title: "TOUCH ACTIONS", isFocused: true,
          note: state.filter.isEmpty ? note : drawing.searchNote(state)), area)
      let rows = TouchPlace.allCases.map { place in
        [
          TouchRow(
            place: place,
            action: headphone?.settings[place.setting, as: TouchAction.self] ?? Setting())
        ]
      }
      drawing.listed(rows, cursor: line, inner) { drawing, row, isChosen, pen in
        let start = pen.column + Self.titleColumns
        let isMatch = state.isMatch(row.place.title)
        drawing.write(row.place.title, isChosen || isMatch ? .rowSelected : .label, &pen)
        pen.column = min(pen.end, start)
        drawing.write(row, isLive: isLive, &pen)
      }
    }
  }

  private struct TouchRow {
    var place: TouchPlace
    var action: Setting<TouchAction>
  }

  private static let titleColumns =
    2 + (TouchPlace.allCases.map(\.title.count).max() ?? 0)

  private mutating func write(_ row: TouchRow, isLive: Bool, _ pen: inout Cursor) {
    guard let action = row.action.shown else { return write("--", .unknown, &pen) }
    let isPending = row.action.pending != nil
    let mark = isPending ? symbols.pending : ""
    write(action.title + mark, !isLive ? .stale : isPending ? .pending : .value, &pen)
  }
}
