internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// All headphones, the one under the cursor in sight, or else the selected one.
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
    let cursor = isFocused ? state.headphoneCursor : headphones.selected?.id
    let middle = headphones.firstIndex { $0.id == cursor } ?? 0
    let first = min(max(0, middle - inner.rows / 2), max(0, headphones.count - inner.rows))
    for (place, headphone) in headphones.dropFirst(first).prefix(inner.rows).enumerated() {
      let row = inner.row + place
      listRow(
        headphone, isSelected: headphone.id == headphones.selected?.id,
        hasCursor: isFocused && headphone.id == cursor,
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
      state.focus == .headphones
      ? style.hint(for: .accept).map { KeyHint(key: $0, label: "Connect", command: .accept) }
      : nil
    return [connect, hint(.scan, in: state), choose, forget].compactMap { $0 }
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
    _ headphone: HeadphoneState, isSelected: Bool, hasCursor: Bool, _ place: Cursor
  ) {
    var pen = place
    let link = headphone.link
    let mark = hasCursor ? symbols.pointer : isSelected ? symbols.selected : " "
    write(mark, hasCursor ? .titleFocused : .rowSelected, &pen)
    let nameColumns = min(28, max(12, pen.room * 2 / 5))
    var name = Cursor(row: pen.row, from: pen.column, to: min(pen.end, pen.column + nameColumns))
    write(self.name(of: headphone), isSelected ? .rowSelected : .value, &name)
    pen.column = min(pen.end, place.column + 1 + nameColumns + 1)
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

  private mutating func listBattery(_ headphone: HeadphoneState, _ pen: inout Cursor) {
    let columns = 16
    var place = Cursor(row: pen.row, from: pen.end - columns, to: pen.end)
    if headphone.battery != nil {
      batterySummary(headphone, &place)
    } else {
      write("--", .unknown, &place)
    }
    pen = Cursor(row: pen.row, from: pen.column, to: pen.end - columns - 1)
  }

  private mutating func listSignal(_ headphone: HeadphoneState, _ pen: inout Cursor) {
    let columns = 13
    var place = Cursor(row: pen.row, from: pen.end - columns, to: pen.end)
    signal(headphone.rssi, isLive: !headphone.link.isAway, &place)
    pen = Cursor(row: pen.row, from: pen.column, to: pen.end - columns - 1)
  }

  private mutating func emptyList(_ state: State, _ area: Area) {
    var pen = Cursor(row: area.row, from: area.column + 1, to: area.endColumn - 1)
    write("No headphones found.", .muted, &pen)
    guard state.scan != .scanning, let scan = hint(.scan, in: state) else { return }
    skip(2, &pen)
    write([scan], gap: 0, &pen)
  }
}

extension LinkState {
  /// A short form for a list; the panel shows the rest.
  fileprivate var shortText: String {
    switch self {
    case .disconnected(.user): "disconnected"
    case .disconnected: "link lost"
    case .reconnecting: "reconnecting"
    case .discoveringServices, .discoveringCharacteristics, .subscribing: "connecting"
    case .permissionDenied: "not permitted"
    case .unsupported: "not supported"
    case .failed: "failed"
    case .waitingForBluetooth(.adapter), .bluetoothOff: "no Bluetooth"
    case .waitingForBluetooth(.unblocking): "blocked"
    case .waitingForBluetooth(.turn): "next in turn"
    case .waitingForBluetooth(.room): "adapter full"
    case .firmwareUpdate: "updating"
    case .firmwareRestarting: "restarting"
    case .factoryReset: "resetting"
    default: displayText
    }
  }
}
