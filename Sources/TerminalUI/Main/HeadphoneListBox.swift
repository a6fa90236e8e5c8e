internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// All headphones, the selected one in sight; the cursor is the selection.
  ///
  /// A row has the name, a dot for the sound and one for the controls, the charges and the signal; what
  /// the columns have no room for goes from the right. A click selects the headphone, and Enter
  /// connects it.
  ///
  /// ```
  /// ╭─ HEADPHONES ───────────────── sound ── controls ─────────────────────────────╮
  /// │•Aurora Pro                    ●        ● ready           L80 R75 C50+  ▂▄▆█  │
  /// │ Nimbus Lite                   ○        ○                 L34 R18       ▂▄··  │
  /// ╰─────────────────────────────────────────────── s Scan  [ ] Choose  X Forget ─╯
  /// ```
  ///
  /// - Parameters:
  ///   - state: What is drawn.
  ///   - area: The frame and its inside.
  ///   - nextPanel: What Tab leads to, named in the border where panels are tabs.
  mutating func headphoneList(_ state: State, _ area: Area, nextPanel: String = "") {
    guard !area.isEmpty else { return }
    let headphones = state.headphones
    let isFocused = state.focus == .headphones
    let words = scanText(state)
    let isNext = words.isEmpty && !nextPanel.isEmpty
    let box = Box(
      title: "HEADPHONES", isFocused: isFocused, panel: .headphones,
      note: isNext ? nextPanel : words,
      noteKey: isNext ? style.hint(for: .otherPanel) : nil,
      noteCommand: isNext ? .otherPanel : nil, hints: listHints(state))
    let inner = frame(box, area)
    guard !headphones.isEmpty else { return emptyList(state, inner) }
    let selected = headphones.selected?.id
    let columns = ListColumns(room: inner.columns - 2)
    listTitles(columns, inner)
    let middle = headphones.firstIndex { $0.id == selected } ?? 0
    let first = min(max(0, middle - inner.rows / 2), max(0, headphones.count - inner.rows))
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

  /// The keys of the lower border: only those that would do something for the list as it is.
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

  /// The scan in words; empty while there is none.
  private func scanText(_ state: State) -> String {
    switch state.scan {
    case .scanning: "scanning\(symbols.ellipsis)"
    case .denied: "scanning is not permitted"
    case .failed: "scanning failed"
    case .idle: ""
    }
  }

  /// One headphone; the selected one has the pointer, or a dot while another panel has the focus.
  private mutating func listRow(
    _ headphone: HeadphoneState, _ state: State, isSelected: Bool, isFocused: Bool,
    _ columns: ListColumns, _ place: Cursor
  ) {
    var pen = place
    let hasCursor = isSelected && isFocused
    let mark = hasCursor ? symbols.pointer : isSelected ? symbols.selected : " "
    write(mark, hasCursor ? .titleFocused : isSelected ? .rowSelected : .plain, &pen)
    func cell(_ offset: Int, _ columns: Int) -> Cursor {
      let start = place.column + 1 + offset
      return Cursor(row: place.row, from: start, to: min(place.end, start + columns))
    }
    pen = cell(0, columns.name)
    write(name(of: headphone), isSelected ? .rowSelected : .value, &pen)
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

  /// The headings of both dots, in the frame above them.
  private mutating func listTitles(_ columns: ListColumns, _ area: Area) {
    guard columns.hasTitles else { return }
    for (offset, title) in [(columns.sound, "sound"), (columns.controls, "controls")] {
      let start = area.column + offset
      var pen = Cursor(row: area.row - 1, from: start, to: area.endColumn)
      write(" \(title) ", .muted, &pen)
    }
  }

  /// The sentence in a list without headphones, with the key that scans.
  private mutating func emptyList(_ state: State, _ area: Area) {
    var pen = Cursor(row: area.row, from: area.column + 1, to: area.endColumn - 1)
    write("No headphones found.", .muted, &pen)
    guard state.scan != .scanning, state.adapter != .absent, let scan = hint(.scan, in: state)
    else { return }
    skip(2, &pen)
    write([scan], gap: 0, &pen)
  }
}

/// The columns of the list, counted from the name, which has what the others leave.
private struct ListColumns {
  let name: Int
  let hasWords: Bool
  let hasSignal: Bool

  static let batteryColumns = 16

  /// - Parameter room: Behind the mark.
  init(room: Int) {
    hasWords = room >= 66
    hasSignal = room >= 40
    let rest = (hasWords ? 31 : 5) + (room >= 28 ? Self.batteryColumns : 0) + (hasSignal ? 6 : 0)
    name = min(28, max(8, room - rest))
  }

  /// Whether both dots have headings.
  var hasTitles: Bool { hasWords }
  var sound: Int { name + (hasWords ? 3 : 1) }
  var controls: Int { sound + (hasWords ? 9 : 2) }
  var controlColumns: Int { hasWords ? 17 : 2 }
  var battery: Int { controls + controlColumns + 1 }
  var signal: Int { battery + Self.batteryColumns + 1 }
}
