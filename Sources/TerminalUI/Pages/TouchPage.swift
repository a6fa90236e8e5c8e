internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let touch = PageView(.touch, sheetColumns: 68) {
    $0.touchPage($1, line: $2.line ?? 0)
  }
}

extension Drawing {
  mutating func touchPage(_ state: State, line: Int) {
    let headphone = state.headphones.selected
    let note = headphone.map { $0.isLive ? "" : displayable($0.linkText) } ?? ""
    let gestures = headphone?.capabilities?.gestures ?? []
    var box = Box(
      title: "TOUCH ACTIONS", isFocused: true,
      note: state.filter.isEmpty ? note : searchNote(state))
    // The titles of Earshot's protocol say everything.
    if headphone?.capabilities?.hasTouchActions == false, gestures.indices.contains(line) {
      box.captions = [gestures[line].explanation].compactMap(\.self)
    }
    page(state, box) { drawing, inner in
      guard let headphone else { return }
      let titleColumns = 2 + (gestures.map { displayable($0.title).columns }.max() ?? 0)
      drawing.listed(gestures.map { [$0] }, cursor: line, inner) {
        drawing, gesture, isChosen, pen in
        let title = displayable(gesture.title)
        let start = pen.column + titleColumns
        let isMatch = state.isMatch(title)
        drawing.write(title, isChosen || isMatch ? .rowSelected : .label, &pen)
        pen.column = min(pen.end, start)
        drawing.action(of: gesture, headphone, &pen)
      }
    }
  }

  private mutating func action(
    of gesture: SettingDeclaration, _ headphone: HeadphoneState, _ pen: inout Cursor
  ) {
    let setting = headphone.settings[gesture.id]
    guard let action = setting.shown else { return write("--", .unknown, &pen) }
    let isPending = setting.pending != nil
    write(
      headphone.words(for: action, of: gesture.id) + (isPending ? symbols.pending : ""),
      !headphone.isLive ? .stale : isPending ? .pending : .value, &pen)
  }
}
