internal import Companion
internal import HeadphoneProtocols

/// The columns of a panel: pointer, label, key and content.
///
/// ```
/// ▸Noise control  a  ▐Off▌ …
/// │└label         └key └content
/// └pointer
/// ```
struct PanelColumns {
  let area: Area
  let labelColumns: Int
  var keyColumns = 0

  func pointer(row: Int) -> Cursor { Cursor(row: row, from: area.column, to: area.column + 1) }

  func label(row: Int) -> Cursor {
    Cursor(row: row, from: area.column + 1, to: area.column + labelColumns)
  }

  func key(row: Int) -> Cursor {
    let start = area.column + 1 + labelColumns
    return Cursor(row: row, from: start, to: start + max(0, keyColumns - 1))
  }

  func content(row: Int) -> Cursor {
    Cursor(
      row: row, from: area.column + 1 + labelColumns + keyColumns, to: area.endColumn - 1)
  }

  func line(row: Int) -> Cursor { Cursor(row: row, from: area.column + 1, to: area.endColumn - 1) }
}

extension Drawing {
  /// Returns lines that explain the link's state, with advice.
  ///
  /// Without other advice, the key that connects is named if the headphone can be connected.
  func explanation(
    of headphone: HeadphoneState, _ adapter: AdapterState, columns: Int
  ) -> [(text: String, role: Role)] {
    let link = headphone.link
    let words = headphone.hasExplanation ? headphone.linkText.sentence : ""
    var advice = displayable(link.advice(adapter)).sentence
    if advice.isEmpty, headphone.canConnect, let key = style.hint(for: .connectOrDisconnect) {
      advice = "Press \(key) to connect."
    }
    return wrapped(displayable(words), columns: columns).map { ($0, link.role) }
      + wrapped(advice, columns: columns).map { ($0, .muted) }
  }

  mutating func controlPanel(
    _ lines: ControlLines, of headphone: HeadphoneState, wire: Int, _ state: State, _ area: Area
  ) {
    let titles = headphone.capabilities?.controlRows.filter { lines.shown.contains(.row($0.row)) }
      .map { title(of: $0).columns }
    let columns = PanelColumns(
      area: area,
      labelColumns: min(area.columns < 70 ? 23 : 30, max(7, titles?.max() ?? 7) + 1),
      keyColumns: area.columns < 56 ? 2 : 3)
    var row = area.row
    for line in lines.head + lines.shown {
      guard row + line.rows <= area.endRow else { return }
      draw(line, of: headphone, wire: wire, state, columns, row: row)
      row += symbols.areWords ? 1 : line.rows
    }
  }

  private var hasShortLabels: Bool { screen.size.columns < 60 && !symbols.areWords }

  private func title(of setting: SettingRow) -> String {
    hasShortLabels ? setting.declaration.label : setting.declaration.title
  }

  private mutating func draw(
    _ line: ControlLine, of headphone: HeadphoneState, wire: Int, _ state: State,
    _ columns: PanelColumns, row: Int
  ) {
    var pen = columns.line(row: row)
    var content = columns.content(row: row)
    switch line {
    case .space: return
    case .wire:
      self.wire(headphone.controlWire(symbols), columns: wire, &pen)
      // Colour says it elsewhere.
      if symbols.areWords, headphone.capabilities != nil, !headphone.isLive {
        write("; what follows was last known", .stale, &pen)
      }
    case .explanation(let number):
      let lines = explanation(of: headphone, state.adapter, columns: pen.room)
      if lines.indices.contains(number) { write(lines[number].text, lines[number].role, &pen) }
    case .batteries: batteries(headphone, pen)
    case .batteryNotes: batteryNotes(headphone, pen)
    case .update:
      label("Update", columns, &content)
      let progress = headphone.firmwareProgress.map(Int.init)
      bar(progress, columns: barColumns(content), .barFilled, &content)
      write(" " + percentage(progress), .value, &content)
    case .find:
      label("Find", key: .find, columns, &content)
      let words = headphone.hasOneBattery ? "" : (headphone.find.shown ?? []).displayText + " "
      write("\(words)ringing", headphone.find.pending == nil ? .warning : .pending, &content)
    case .heading(let title): write(title, .title, &pen)
    case .bands(let rows):
      bands(
        headphone.bands, of: headphone.capabilities.flatMap { EQBands($0) },
        isNearby: headphone.isLive, rows: rows, symbols.areWords ? pen : content)
    case .wearing:
      label("Worn", columns, &content)
      wear(headphone, &content)
    case .row(let place):
      guard let setting = headphone.capabilities?.controlRows.first(where: { $0.row == place })
      else { return }
      if state.focus == .control, state.controlCursor == place {
        var pen = columns.pointer(row: row)
        pointer(true, as: .titleFocused, &pen)
      }
      label(
        title(of: setting), at: place, key: UserCommand.stepping(on: place.id), columns, &content)
      value(of: setting, headphone, &content)
    }
  }

  private mutating func value(
    of setting: SettingRow, _ headphone: HeadphoneState, _ pen: inout Cursor
  ) {
    switch setting.row {
    case .anc: segments(noiseSegments(headphone), &pen)
    case .ancLevel: level(headphone, &pen)
    case .eq: segments(equaliserSegments(headphone), &pen)
    case .volume: ownVolume(headphone, &pen)
    case .setting(let id):
      let start = pen.column
      let showsWearing = id == .wearDetection && headphone.wearing != nil
      if showsWearing, pen.room < 32, headphone.setting(id).shown == nil {
        return wear(headphone, &pen)
      }
      self.setting(setting.declaration, headphone, &pen)
      switch setting.declaration.kind {
      // Each choice, and each position of a bar, is already a target.
      case .choice, .level: return
      default:
        clickable(
          from: start, to: pen, [.pointed(.control(setting.row)), .pressed(.right)])
      }
      if showsWearing {
        if symbols.areWords {
          write(", ", .label, &pen)
        } else {
          skip(pen.room >= 33 ? 3 : 2, &pen)
        }
        wear(headphone, &pen)
      }
    }
  }

  private mutating func label(
    _ text: String, at place: ControlRow? = nil, key command: UserCommand? = nil,
    _ columns: PanelColumns, _ content: inout Cursor
  ) {
    let row = content.row
    let key = command.flatMap(style.hint)
    var pen = symbols.areWords ? columns.line(row: row) : columns.label(row: row)
    let start = pen.column
    write(symbols.areWords ? words(text, key: key) : text, .label, &pen)
    clickable(from: start, to: pen, place.map { [.pointed(.control($0))] } ?? [])
    guard !symbols.areWords else { return content.column = pen.column }
    guard let command, let key else { return }
    pen = columns.key(row: row)
    let keyStart = pen.column
    if key.columns <= pen.room { write(key, .key, &pen) }
    clickable(from: keyStart, to: pen, command)
  }

  /// Returns a label before a value that follows at once: "Noise control (a): ".
  func words(_ label: String, key: String? = nil) -> String {
    label + (key.map { " (\($0))" } ?? "") + ": "
  }

  /// Returns explanations for the frame, the longest form first.
  func explanations(of row: ControlRow, _ headphone: HeadphoneState) -> [String] {
    guard
      let declaration = headphone.capabilities?.controlRows.first(where: { $0.row == row })?
        .declaration
    else { return [] }
    let turning = [style.hint(for: .left), style.hint(for: .right)].compactMap(\.self)
      .joined(separator: " ")
    let accept = style.hint(for: .accept) ?? ""
    let change =
      switch declaration.kind {
      case .choice: "\(turning) chooses"
      case .level(let range):
        "\(turning) \(range.bounds.lowerBound) to \(range.bounds.upperBound)\(range.unit)"
      case .toggle: "\(accept) switches"
      case .pairedDevices: "\(accept) opens the list"
      case .action: "\(accept) starts it"
      case .bands, .text, .reading: "reported by the headphone"
      }
    let keys = headphone.link.isReady ? [change] : []
    let differing = declaration.id == .preset ? headphone.differingPresets?.sentence : nil
    let words = [differing ?? declaration.explanation].compactMap(\.self)
    // A short label needs its title first.
    let title = hasShortLabels ? [declaration.title] : []
    func joined(_ parts: [String]) -> String { parts.joined(separator: symbols.between) }
    return [title + words + keys, title + words, title + keys, words, keys].map(joined)
      .filter { !$0.isEmpty }
  }
}
