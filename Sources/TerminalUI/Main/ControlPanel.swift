internal import Companion
internal import HeadphoneProtocols

/// The columns of a panel: a pointer, labels, keys, and what is said.
///
/// ```
/// ▸Noise control  a  ▐Off▌ …
/// │└label         └key └content
/// └pointer
/// ```
struct PanelColumns {
  /// The inside of the panel's frame.
  let area: Area
  /// Columns for the longest label, with a gap.
  let labelColumns: Int
  /// Columns for the key, with a gap.
  var keyColumns = 0

  /// The column of the cursor.
  func pointer(row: Int) -> Cursor { Cursor(row: row, from: area.column, to: area.column + 1) }

  /// The columns of the label.
  func label(row: Int) -> Cursor {
    Cursor(row: row, from: area.column + 1, to: area.column + labelColumns)
  }

  /// The columns of the key.
  func key(row: Int) -> Cursor {
    let start = area.column + 1 + labelColumns
    return Cursor(row: row, from: start, to: start + max(0, keyColumns - 1))
  }

  /// What is left for the content.
  func content(row: Int) -> Cursor {
    Cursor(
      row: row, from: area.column + 1 + labelColumns + keyColumns, to: area.endColumn - 1)
  }

  /// The whole row without the pointer's column.
  func line(row: Int) -> Cursor { Cursor(row: row, from: area.column + 1, to: area.endColumn - 1) }
}

extension Drawing {
  /// What the state of the link means and what to do about it, in lines of so many columns.
  ///
  /// Where a failure brings no advice of its own and nothing is under way, the key that connects is
  /// named.
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

  /// Draws the lines of the control panel from the top of the area.
  ///
  /// - Parameters:
  ///   - lines: As many as the area has rows for.
  ///   - headphone: The selected one.
  ///   - wire: The columns of the wire.
  ///   - state: Focus and cursor are taken from it.
  ///   - area: The inside of the frame.
  mutating func controlPanel(
    _ lines: ControlLines, of headphone: HeadphoneState, wire: Int, _ state: State, _ area: Area
  ) {
    let titles = headphone.capabilities?.controlRows.map { title(of: $0).columns }
    let columns = PanelColumns(
      area: area,
      labelColumns: min(area.columns < 70 ? 23 : 30, max(7, titles?.max() ?? 7) + 1),
      keyColumns: area.columns < 56 ? 2 : 3)
    var row = area.row
    for line in lines.head + lines.shown {
      guard row + line.rows <= area.endRow else { return }
      draw(line, of: headphone, wire: wire, state, columns, row: row)
      row += line.rows
    }
  }

  /// Whether settings have their short labels instead of their titles.
  private var hasShortLabels: Bool { screen.size.columns < 60 }

  /// The title of a setting, or its label where columns are few.
  private func title(of setting: SettingRow) -> String {
    hasShortLabels ? setting.declaration.label : setting.declaration.title
  }

  /// One line of the panel, with its label, key, value and targets.
  private mutating func draw(
    _ line: ControlLine, of headphone: HeadphoneState, wire: Int, _ state: State,
    _ columns: PanelColumns, row: Int
  ) {
    var pen = columns.line(row: row)
    var content = columns.content(row: row)
    switch line {
    case .space: return
    case .wire: self.wire(headphone.controlWire(symbols), columns: wire, &pen)
    case .explanation(let number):
      let lines = explanation(of: headphone, state.adapter, columns: pen.room)
      if lines.indices.contains(number) { write(lines[number].text, lines[number].role, &pen) }
    case .batteries: batteries(headphone, pen)
    case .batteryNotes: batteryNotes(headphone, pen)
    case .update:
      label("Update", columns, row: row)
      let progress = headphone.firmwareProgress.map(Int.init)
      bar(progress, columns: barColumns(content), .barFilled, &content)
      write(" " + percentage(progress), .value, &content)
    case .find:
      label("Find", key: .find, columns, row: row)
      let words = headphone.hasOneBattery ? "" : (headphone.find.shown ?? []).displayText + " "
      write("\(words)ringing", headphone.find.pending == nil ? .warning : .pending, &content)
    case .heading(let title): write(title, .title, &pen)
    case .bands(let rows):
      bands(
        headphone.bands, of: headphone.capabilities.flatMap { EQBands($0) },
        isNearby: headphone.isLive, rows: rows, content)
    case .wearing:
      label("Worn", columns, row: row)
      wear(headphone, &content)
    case .row(let place):
      guard let setting = headphone.capabilities?.controlRows.first(where: { $0.row == place })
      else { return }
      if state.focus == .control, state.controlCursor == place {
        var pen = columns.pointer(row: row)
        write(symbols.pointer, .titleFocused, &pen)
      }
      label(
        title(of: setting), at: place, key: UserCommand.stepping(on: place.id), columns, row: row)
      value(of: setting, headphone, &content)
    }
  }

  /// The value of a setting, which can be clicked.
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
      if case .level = setting.declaration.kind { return }
      clickable(
        from: start, to: pen, [.pointed(.control(setting.row)), .pressed(.right)])
      if showsWearing {
        skip(pen.room >= 33 ? 3 : 2, &pen)
        wear(headphone, &pen)
      }
    }
  }

  /// A label with its key; a click on the label moves the cursor there, one on the key does what the
  /// key does.
  private mutating func label(
    _ text: String, at place: ControlRow? = nil, key command: UserCommand? = nil,
    _ columns: PanelColumns, row: Int
  ) {
    var pen = columns.label(row: row)
    let start = pen.column
    write(text, .label, &pen)
    clickable(from: start, to: pen, place.map { [.pointed(.control($0))] } ?? [])
    guard let command, let key = style.hint(for: command) else { return }
    pen = columns.key(row: row)
    let keyStart = pen.column
    if key.columns <= pen.room { write(key, .key, &pen) }
    clickable(from: keyStart, to: pen, command)
  }

  /// What the row under the cursor is and how it is changed, for the frame, the longest form first.
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
    func joined(_ parts: [String]) -> String { parts.joined(separator: " \(symbols.separator) ") }
    return [title + words + keys, title + words, title + keys, words, keys].map(joined)
      .filter { !$0.isEmpty }
  }
}
