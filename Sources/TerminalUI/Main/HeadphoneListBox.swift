internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// All headphones, the selected one in sight; the cursor is the selection.
  ///
  /// A row has the name and the state of the link; charge and signal are added where at least 30 or
  /// 44 columns are left. A click selects the headphone, and Enter connects it.
  ///
  /// ```
  /// ╭─ HEADPHONES ─────────────────────────────────────────────────────────────────╮
  /// │•Aurora Pro                   ● ready          ▂▄▆█ strong   L80 R75 C50+     │
  /// │ Nimbus Lite                  ○ not connected  ▂▄·· fair     L34 R18          │
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
    let middle = headphones.firstIndex { $0.id == selected } ?? 0
    let first = min(max(0, middle - inner.rows / 2), max(0, headphones.count - inner.rows))
    for (place, headphone) in headphones.dropFirst(first).prefix(inner.rows).enumerated() {
      let row = inner.row + place
      listRow(
        headphone, isSelected: headphone.id == selected, isFocused: isFocused,
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
    _ headphone: HeadphoneState, isSelected: Bool, isFocused: Bool, _ place: Cursor
  ) {
    var pen = place
    let link = headphone.link
    let hasCursor = isSelected && isFocused
    let mark = hasCursor ? symbols.pointer : isSelected ? symbols.selected : " "
    write(mark, hasCursor ? .titleFocused : .rowSelected, &pen)
    let nameColumns = min(28, max(12, pen.room * 2 / 5))
    var name = Cursor(row: pen.row, from: pen.column, to: min(pen.end, pen.column + nameColumns))
    write(self.name(of: headphone), isSelected ? .rowSelected : .value, &name)
    pen.column = min(pen.end, place.column + 1 + nameColumns + 1)
    // A name and what is known of it stay close to each other.
    pen = Cursor(row: pen.row, from: pen.column, to: min(pen.end, pen.column + 64))
    if pen.room >= 44 {
      listBattery(headphone, &pen)
      listSignal(headphone, &pen)
    } else if pen.room >= 30 {
      listBattery(headphone, &pen)
    }
    write(link.mark(symbols) + " ", link.role, &pen)
    let words = headphone.isAdvertisingOnly ? "nearby" : link.shortText
    write(words, link.role == .linkOff ? .muted : link.role, &pen)
  }

  /// The charge, in 16 columns at the right end of what is left; "--" where none was reported.
  private mutating func listBattery(_ headphone: HeadphoneState, _ pen: inout Cursor) {
    let columns = 16
    var place = Cursor(row: pen.row, from: pen.end - columns, to: pen.end)
    if headphone.battery != nil || headphone.onlyCharge != nil {
      batterySummary(headphone, &place)
    } else {
      write("--", .unknown, &place)
    }
    pen = Cursor(row: pen.row, from: pen.column, to: pen.end - columns - 1)
  }

  /// The signal strength, in 13 columns at the right end of what is left; an earlier one is drawn
  /// stale.
  private mutating func listSignal(_ headphone: HeadphoneState, _ pen: inout Cursor) {
    let columns = 11
    var place = Cursor(row: pen.row, from: pen.end - columns, to: pen.end)
    signal(headphone.rssi, isLive: !headphone.link.isAway, &place)
    pen = Cursor(row: pen.row, from: pen.column, to: pen.end - columns - 1)
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

extension LinkState {
  /// A short form for a list; the panel shows the rest.
  fileprivate var shortText: String {
    switch self {
    case .unwanted(.disconnected(.user)): "disconnected"
    case .unwanted(.disconnected): "link lost"
    case .unwanted(.permissionDenied): "not permitted"
    case .unwanted(.unsupported): "not supported"
    case .unwanted(.failed): "failed"
    case .pending(.waitingForBluetooth(let wait), _): wait.shortText
    case .connected(.starting, _): "connecting"
    case .connected(.firmwareUpdate, _): "updating"
    case .connected(.factoryReset, _): "resetting"
    case .reconnecting: "reconnecting"
    case .firmwareRestarting: "restarting"
    case .unwanted, .pending, .connected: displayText
    }
  }
}

extension AdapterWait {
  fileprivate var shortText: String {
    switch self {
    case .adapter, .power: "no Bluetooth"
    case .permission: "not permitted"
    case .unblocking: "blocked"
    case .turn: "next in turn"
    case .room: "adapter full"
    }
  }
}
