internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// Draws all headphones, scrolled to the selected one, which is the cursor.
  ///
  /// A row has the name, a dot each for sound and controls, the charges and the signal; columns
  /// without room are dropped from the right. A click selects the headphone, and Enter connects it.
  ///
  /// - Parameter nextPanel: The panel after Tab, named in the border where panels are tabs.
  mutating func headphoneList(_ state: State, _ area: Area, nextPanel: String = "") {
    guard !area.isEmpty else { return }
    let headphones = state.headphones
    let isFocused = state.focus == .headphones
    let words = scanText(state)
    let isNext = words.isEmpty && !nextPanel.isEmpty
    let selected = headphones.selected?.id
    let middle = headphones.firstIndex { $0.id == selected } ?? 0
    let rows = area.rows - 2
    let first = min(max(0, middle - rows / 2), max(0, headphones.count - rows))
    let box = Box(
      title: "HEADPHONES", isFocused: isFocused, panel: .headphones,
      note: isNext ? nextPanel : words,
      noteKey: isNext ? style.hint(for: .otherPanel) : nil,
      noteCommand: isNext ? .otherPanel : nil, hints: listHints(state),
      more: more(above: first, below: headphones.count - first - rows))
    let inner = frame(box, area)
    guard !headphones.isEmpty else { return emptyList(state, inner) }
    let columns = ListColumns(room: inner.columns - 2)
    listTitles(columns, inner)
    for (place, headphone) in headphones.dropFirst(first).prefix(inner.rows).enumerated() {
      let row = inner.row + place
      listRow(
        headphone, state, isSelected: headphone.id == selected, isFocused: isFocused, columns,
        Cursor(row: row, from: inner.column, to: inner.endColumn - 1))
      screen.add(
        Target(
          area: Area(column: inner.column, row: row, columns: inner.columns, rows: 1),
          aim: .actions([.pointed(.headphone(headphone.id))])))
    }
  }

  private func listHints(_ state: State) -> [KeyHint] {
    let choose =
      state.headphones.count > 1 ? pair(.previousHeadphone, .nextHeadphone, "Choose") : nil
    let forget = state.headphones.isEmpty ? nil : hint(.forget, in: state)
    let connect =
      state.focus == .headphones && state.headphones.selected?.canConnect == true
      ? style.hint(for: .accept).map { KeyHint(key: $0, label: "Connect", command: .accept) }
      : nil
    let scan = state.adapter == .absent ? nil : hint(.scan, in: state)
    return [connect, scan, choose, forget].compactMap { $0 }
  }

  private func scanText(_ state: State) -> String {
    switch state.scan {
    case .scanning: "scanning\(symbols.ellipsis)"
    case .denied: "scanning is not permitted"
    case .failed: "scanning failed"
    case .idle: ""
    }
  }

  private mutating func listRow(
    _ headphone: HeadphoneState, _ state: State, isSelected: Bool, isFocused: Bool,
    _ columns: ListColumns, _ place: Cursor
  ) {
    var pen = place
    let hasCursor = isSelected && isFocused
    guard !symbols.areWords else {
      pointer(hasCursor, &pen)
      return listWords(headphone, state, isSelected: isSelected, &pen)
    }
    if isSelected, !hasCursor {
      write(symbols.selected, .rowSelected, &pen)
    } else {
      pointer(hasCursor, as: .titleFocused, &pen)
    }
    func cell(_ offset: Int, _ columns: Int) -> Cursor {
      let start = place.column + 1 + offset
      return Cursor(row: place.row, from: start, to: min(place.end, start + columns))
    }
    pen = cell(0, columns.name)
    write(displayable(state.name(of: headphone.id)), isSelected ? .rowSelected : .value, &pen)
    let (route, link) = (state.route(of: headphone), headphone.link)
    pen = cell(columns.sound, 2)
    write(route.mark(symbols), route.role, &pen)
    pen = cell(columns.controls, columns.controlColumns)
    write(link.mark(symbols) + " ", link.role, &pen)
    let isQuiet = link == .unwanted(.idle) && !headphone.isAdvertisingOnly
    if columns.hasWords, !isQuiet {
      write(headphone.stateWord, link.role == .linkOff ? .muted : link.role, &pen)
    }
    pen = cell(columns.battery, ListColumns.batteryColumns)
    if headphone.battery != nil || headphone.onlyCharge != nil {
      batterySummary(headphone, &pen)
    } else {
      write("--", .unknown, &pen)
    }
    guard columns.hasSignal, let rssi = headphone.rssi else { return }
    pen = cell(columns.signal, 6)
    signalBars(SignalStrength(rssi), isLive: !link.isAway, &pen)
  }

  private mutating func listTitles(_ columns: ListColumns, _ area: Area) {
    guard columns.hasTitles, !symbols.areWords else { return }
    for (offset, title) in [(columns.sound, "sound"), (columns.controls, "controls")] {
      let start = area.column + offset
      var pen = Cursor(row: area.row - 1, from: start, to: area.endColumn)
      write(" \(title) ", .muted, &pen)
    }
  }

  private mutating func emptyList(_ state: State, _ area: Area) {
    var pen = Cursor(row: area.row, from: area.column + 1, to: area.endColumn - 1)
    write("No headphones found.", .muted, &pen)
    guard state.scan != .scanning, state.adapter != .absent, let scan = hint(.scan, in: state)
    else { return }
    skip(2, &pen)
    write([scan], gap: 0, &pen)
  }
}

private struct ListColumns {
  let name: Int
  let hasWords: Bool
  let hasSignal: Bool

  static let batteryColumns = 16

  init(room: Int) {
    hasWords = room >= 66
    hasSignal = room >= 40
    let rest = (hasWords ? 31 : 5) + (room >= 28 ? Self.batteryColumns : 0) + (hasSignal ? 6 : 0)
    name = min(28, max(8, room - rest))
  }

  var hasTitles: Bool { hasWords }
  var sound: Int { name + (hasWords ? 3 : 1) }
  var controls: Int { sound + (hasWords ? 9 : 2) }
  var controlColumns: Int { hasWords ? 17 : 2 }
  var battery: Int { controls + controlColumns + 1 }
  var signal: Int { battery + Self.batteryColumns + 1 }
}
