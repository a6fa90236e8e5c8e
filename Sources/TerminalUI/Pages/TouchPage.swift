internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let touch = PageView(.touch, sheetColumns: 76) {
    $0.touchPage($1, line: $2.line ?? 0)
  }
}

extension Drawing {
  /// Draws what each gesture does, with a column for each bud if both have the same gestures.
  mutating func touchPage(_ state: State, line: Int) {
    let headphone = state.headphones.selected
    let note = headphone.map { $0.isLive ? "" : displayable($0.linkText) } ?? ""
    let touch = state.touchLines
    let gestures = touch.gestures
    var box = Box(
      title: "TOUCH ACTIONS", isFocused: true,
      note: state.filter.isEmpty ? note : searchNote(state))
    // The titles of Earshot's protocol say everything.
    if headphone?.capabilities?.hasTouchActions == false, gestures.indices.contains(line) {
      box.captions = [gestures[line].explanation].compactMap(\.self)
    }
    page(state, box) { drawing, inner in
      guard let headphone else { return }
      if let columns = drawing.budColumns(touch, inner) {
        return drawing.buds(touch, headphone, state, line: line, columns, inner)
      }
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

  private typealias BudColumns = (titles: Int, actions: Int)

  /// Returns the columns of the titles and of each bud, or nil if there is one column for both.
  private func budColumns(_ touch: TouchLines, _ area: Area) -> BudColumns? {
    guard let longest = touch.shared.map({ displayable($0).columns }).max(), !symbols.areWords,
      area.rows > touch.shared.count
    else { return nil }
    let titles = longest + 3
    let actions = (area.columns - titles) / 2
    // Before an action is the pointer, and after it the mark of one that is pending.
    let room = touch.gestures.allSatisfy { $0.longestAction + 3 <= actions }
    return room ? (titles, actions) : nil
  }

  private mutating func buds(
    _ touch: TouchLines, _ headphone: HeadphoneState, _ state: State, line: Int,
    _ columns: BudColumns, _ area: Area
  ) {
    for (place, gesture) in touch.gestures.enumerated() {
      let (bud, row) = place.quotientAndRemainder(dividingBy: touch.shared.count)
      let start = area.column + columns.titles + bud * columns.actions
      var pen = Cursor(row: area.row + 1 + row, from: start, to: start + columns.actions - 1)
      pointer(place == line, &pen)
      action(of: gesture, headphone, &pen)
      let left = bud == 0 ? area.column : start
      screen.add(
        Target(
          area: Area(column: left, row: pen.row, columns: start + columns.actions - left, rows: 1),
          aim: .actions([.pointed(.line(place))])))
    }
    for (row, title) in touch.shared.enumerated() {
      var pen = Cursor(
        row: area.row + 1 + row, from: area.column + 1, to: area.column + columns.titles)
      let isMatch = state.isMatch(displayable(touch.gestures[row].title))
      let isChosen = line % touch.shared.count == row
      write(displayable(title).sentence, isChosen || isMatch ? .rowSelected : .label, &pen)
    }
    for (bud, title) in ["Left", "Right"].enumerated() {
      let start = area.column + columns.titles + bud * columns.actions
      var pen = Cursor(row: area.row, from: start + 1, to: start + columns.actions)
      write(title, .title, &pen)
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

extension SettingDeclaration {
  /// The columns of the longest action, or of "off" for a switch.
  fileprivate var longestAction: Int {
    guard case .choice(let choices) = kind else { return 3 }
    return choices.map { displayable($0.title).columns }.max() ?? 0
  }
}
