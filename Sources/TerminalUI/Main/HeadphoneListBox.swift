internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// Draws all headphones, scrolled to the selected one, which is the cursor.
  ///
  /// Columns without room are dropped from the right. A headphone that is not here has the time
  /// when it was last heard. A click selects the headphone, and Enter connects it.
  ///
  /// - Parameter nextPanel: The panel after Tab, named in the border where panels are tabs.
  mutating func headphoneList(_ state: State, _ area: Area, nextPanel: String = "") {
    guard !area.isEmpty else { return }
    let isFocused = state.focus == .headphones
    let words = scanText(state)
    let isNext = words.isEmpty && !nextPanel.isEmpty
    let selected = state.headphones.selected?.id
    let lines = listLines(rows: area.rows - 2)
    let middle = lines.firstIndex(of: .headphone(selected)) ?? 0
    let rows = area.rows - 2
    let first = min(max(0, middle - rows / 2), max(0, lines.count - rows))
    let shown = lines.dropFirst(first).prefix(max(0, rows))
    let box = Box(
      title: "HEADPHONES", isFocused: isFocused, panel: .headphones,
      note: isNext ? nextPanel : words,
      noteKey: isNext ? style.hint(for: .otherPanel) : nil,
      noteCommand: isNext ? .otherPanel : nil, hints: listHints(state),
      more: more(
        above: lines[..<shown.startIndex].count { $0 != .notHere },
        below: lines[shown.endIndex...].count { $0 != .notHere }))
    let inner = frame(box, area)
    guard !lines.isEmpty else { return emptyList(state, inner) }
    let visible = shown.compactMap { line -> HeadphoneState? in
      if case .headphone(let id?) = line { state.headphones[id] } else { nil }
    }
    let names = visible.map { displayable(state.name(of: $0.id)).columns }
    let columns = ListColumns(
      room: inner.columns - 2, longestName: names.max() ?? 0)
    listTitles(columns, noteColumns: box.note.isEmpty ? 0 : noteColumns(box) + 1, inner)
    for (place, line) in shown.enumerated() {
      let row = inner.row + place
      let pen = Cursor(row: row, from: inner.column, to: inner.endColumn - 1)
      guard case .headphone(let id?) = line, let headphone = state.headphones[id] else {
        notHereLine(pen)
        continue
      }
      listRow(headphone, state, isSelected: id == selected, isFocused: isFocused, columns, pen)
      screen.add(
        Target(
          area: Area(column: inner.column, row: row, columns: inner.columns, rows: 1),
          aim: .actions([.pointed(.headphone(id))])))
    }
  }

  private enum ListLine: Equatable {
    case headphone(HeadphoneID?)
    case notHere
  }

  private func listLines(rows: Int) -> [ListLine] {
    let lines = places.map { ListLine.headphone($0.id) }
    guard rows >= Self.roomyRows, let here = places.lastIndex(where: { $0.rank.isHere }),
      here + 1 < places.count
    else { return lines }
    return Array(lines[...here]) + [.notHere] + lines[(here + 1)...]
  }

  /// The rows, with the frame, in which all headphones are visible.
  var listRows: Int { listLines(rows: .max).count + 2 }

  private static let roomyRows = 5

  private mutating func notHereLine(_ place: Cursor) {
    var pen = place
    skip(1, &pen)
    write(symbols.routeBreak, times: 1, .border, &pen)
    write(" not here ", .muted, &pen)
    write(symbols.routeBreak, times: pen.room, .border, &pen)
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
    listState(headphone, state, columns, cell)
    pen = cell(columns.battery, ListColumns.batteryColumns)
    if headphone.battery != nil || headphone.onlyCharge != nil {
      charges(headphone, &pen)
    } else {
      write("--", .unknown, &pen)
    }
    guard columns.hasSignal else { return }
    pen = cell(columns.signal, ListColumns.signalColumns)
    if !columns.hasWords, let heard = lastHeard(headphone, state) {
      write(heard.short, .muted, &pen)
    } else if let rssi = headphone.rssi {
      signalBars(SignalStrength(rssi), isLive: !headphone.link.isAway, &pen)
    }
  }

  private mutating func listState(
    _ headphone: HeadphoneState, _ state: State, _ columns: ListColumns,
    _ cell: (Int, Int) -> Cursor
  ) {
    if columns.hasWords, let heard = lastHeard(headphone, state) {
      var pen = cell(columns.sound, columns.battery - columns.sound - 1)
      return write("last heard \(heard.long)", .muted, &pen)
    }
    let (route, link) = (state.route(of: headphone), headphone.link)
    var pen = cell(columns.sound, columns.soundColumns)
    write(route.mark(symbols) + " ", route.role, &pen)
    if columns.hasSoundWords, let word = route.listWord(symbols) { write(word, route.role, &pen) }
    pen = cell(columns.controls, columns.controlColumns)
    write(link.mark(symbols) + " ", link.role, &pen)
    let isQuiet = link == .unwanted(.idle) && !headphone.isAdvertisingOnly
    if columns.hasWords, !isQuiet {
      write(headphone.stateWord, link.role == .linkOff ? .muted : link.role, &pen)
    }
  }

  /// Returns when a headphone that is not here was last heard, or nil if its links say more.
  private func lastHeard(
    _ headphone: HeadphoneState, _ state: State
  ) -> (long: String, short: String)? {
    guard headphone.link == .unwanted(.idle), state.rank(of: headphone) == .known,
      let heard = headphone.lastHeard
    else { return nil }
    let now = state.latestTime ?? heard
    return (heard.words(at: now), heard.shortWords(at: now))
  }

  /// Draws the charges in columns: "L 80 R 75+C100", or " 70" for a single battery.
  private mutating func charges(_ headphone: HeadphoneState, _ pen: inout Cursor) {
    guard headphone.onlyCharge == nil else { return batterySummary(headphone, &pen) }
    let parts = headphone.shownParts
    for part in parts {
      let battery = headphone.battery?.value[part] ?? Battery(level: nil)
      let level = battery.level.map { (battery.steps == nil ? "" : "~") + "\($0)" } ?? "--"
      let letter = parts.count == 1 ? " " : headphone.name(of: part).prefix(1).uppercased()
      let mark = battery.isCharging == true && headphone.isLive ? "+" : " "
      write(
        letter + String(repeating: " ", count: max(0, 3 - level.count)) + level + mark,
        battery.role(isLive: headphone.isLive, thresholds), &pen)
    }
  }

  private mutating func listTitles(_ columns: ListColumns, noteColumns: Int, _ area: Area) {
    guard !symbols.areWords else { return }
    let sound = columns.hasWords ? "sound" : symbols.source
    let controls = columns.hasWords ? "controls" : symbols.control
    var titles = [(columns.sound, sound), (columns.controls, controls)]
    if columns.hasBattery { titles.append((columns.battery, "battery")) }
    if columns.hasSignal { titles.append((columns.signal, "signal")) }
    let begin = area.column + "HEADPHONES".count + 4
    for (offset, title) in titles {
      let start = area.column + offset
      let end = start + title.columns + 2
      guard start > begin, end <= area.endColumn - noteColumns else { continue }
      var pen = Cursor(row: area.row - 1, from: start, to: end)
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
  let hasSoundWords: Bool
  let hasBattery: Bool
  let hasSignal: Bool
  private let gap: Int

  static let batteryColumns = 15
  static let signalColumns = 6

  init(room: Int, longestName: Int) {
    hasWords = room >= 66
    hasSoundWords = room >= 84
    hasSignal = room >= 36
    hasBattery = room >= 28
    let gaps = 1 + (hasWords ? 2 : 0) + (hasBattery ? 1 : 0) + (hasSignal ? 1 : 0)
    let others =
      (hasSoundWords ? 10 : hasWords ? 6 : 2) + (hasWords ? 15 : 1)
      + (hasBattery ? Self.batteryColumns : 0) + (hasSignal ? Self.signalColumns : 0)
    let rest = room - others - gaps
    name = min(max(8, rest), max(Self.titleColumns, longestName))
    gap = hasWords ? min(5, 1 + max(0, rest - name) / gaps) : 1
  }

  private static let titleColumns = 16

  var sound: Int { name + gap }
  var soundColumns: Int { hasSoundWords ? 10 : 2 }
  var controls: Int { sound + (hasWords ? (hasSoundWords ? 10 : 6) + gap : 2) }
  var controlColumns: Int { hasWords ? 15 : 2 }
  var battery: Int { controls + (hasWords ? controlColumns + gap : 2) }
  var signal: Int { battery + Self.batteryColumns + gap }
}

extension RouteState {
  /// Returns the state of the sound in a list, or nil if the mark suffices.
  fileprivate func listWord(_ symbols: Symbols) -> String? {
    switch self {
    case .connected: wire(symbols).word
    case .notRouted: "can play"
    case .none, .unknown: nil
    }
  }
}
