internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// All headphones, the selected one in sight.
  mutating func headphoneList(_ state: State, _ area: Area) {
    guard !area.isEmpty else { return }
    let count = state.headphones.count
    let box = Box(
      title: "HEADPHONES", note: scanText(state),
      hints: listHints(state))
    let inner = frame(box, area)
    guard count > 0 else { return emptyList(state, inner) }
    let selected = state.headphones.firstIndex { $0.id == state.headphones.selected?.id } ?? 0
    let first = min(max(0, selected - inner.rows / 2), max(0, count - inner.rows))
    for row in 0..<min(inner.rows, count - first) {
      let distance = first + row - selected
      listRow(
        state.headphones[first + row], isSelected: distance == 0,
        Cursor(row: inner.row + row, from: inner.column, to: inner.endColumn - 1))
      let step: UserCommand = distance < 0 ? .previousHeadphone : .nextHeadphone
      screen.add(
        Target(
          area: Area(
            column: inner.column, row: inner.row + row, columns: inner.columns, rows: 1),
          aim: .commands(Array(repeating: step, count: abs(distance)))))
    }
  }

  private func listHints(_ state: State) -> [KeyHint] {
    let choose =
      state.headphones.count > 1 ? pair(.previousHeadphone, .nextHeadphone, "Choose") : nil
    let forget = state.headphones.isEmpty ? nil : hint(.forget, in: state)
    return [hint(.scan, in: state), choose, forget].compactMap { $0 }
  }

  private func scanText(_ state: State) -> String {
    switch state.scan {
    case .scanning: "looking\(symbols.ellipsis)"
    case .denied: "looking is not permitted"
    case .failed: "looking failed"
    case .idle: ""
    }
  }

  private mutating func listRow(_ headphone: HeadphoneState, isSelected: Bool, _ place: Cursor) {
    var pen = place
    let link = headphone.link
    pointer(isSelected, &pen)
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
    let displayText = headphone.isAdvertisingOnly ? "heard" : link.shortText
    write(displayText, link.role == .linkOff ? .muted : link.role, &pen)
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
    write("None heard yet.", .muted, &pen)
    guard state.scan != .scanning, let scan = hint(.scan, in: state) else { return }
    skip(2, &pen)
    write([scan], gap: 0, &pen)
  }
}

extension LinkState {
  /// Short enough for a list; the panel tells the rest.
  fileprivate var shortText: String {
    switch self {
    case .disconnected(.user): "disconnected"
    case .disconnected: "link lost"
    case .reconnecting: "reconnecting"
    case .discoveringServices, .discoveringCharacteristics, .subscribing: "connecting"
    case .permissionDenied: "not permitted"
    case .unsupported: "not understood"
    case .failed: "failed"
    case .waitingForBluetooth(.adapter), .bluetoothOff: "no Bluetooth"
    case .waitingForBluetooth(.unblocking): "blocked"
    case .waitingForBluetooth(.turn): "next in turn"
    case .waitingForBluetooth(.room): "no room"
    case .firmwareUpdate: "updating"
    case .firmwareRestarting: "restarting"
    case .factoryReset: "resetting"
    default: displayText
    }
  }
}
