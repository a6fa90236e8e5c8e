internal import Companion
internal import HeadphoneProtocols

/// The columns of a panel: a pointer, labels, keys, and what is said.
///
/// ```
/// ▸Noise   a  ▐Off▌ …
/// │└label  └key └content
/// └pointer
/// ```
///
/// Labels have 8 columns and keys 3, or 6 and 2 where the panel is narrower than 42.
struct PanelColumns {
  /// The inside of the panel's frame.
  let area: Area
  /// Columns for the longest label, or for its short form.
  private let labelColumns: Int
  /// Columns for the key, with a gap.
  private let keyColumns: Int

  init(_ area: Area) {
    self.area = area
    labelColumns = area.columns < 42 ? 6 : 8
    keyColumns = area.columns < 42 ? 2 : 3
  }

  /// The column of the cursor.
  func pointer(row: Int) -> Cursor { Cursor(row: row, from: area.column, to: area.column + 1) }

  /// The columns of the label.
  func label(row: Int) -> Cursor {
    Cursor(row: row, from: area.column + 1, to: area.column + 1 + labelColumns - 1)
  }

  /// The columns of the key.
  func key(row: Int) -> Cursor {
    let start = area.column + 1 + labelColumns
    return Cursor(row: row, from: start, to: start + keyColumns - 1)
  }

  /// The columns of the value, up to one before the frame.
  func content(row: Int) -> Cursor {
    Cursor(
      row: row, from: area.column + 1 + labelColumns + keyColumns, to: area.endColumn - 1)
  }

  /// The whole row, for a line without a label.
  func line(row: Int) -> Cursor { Cursor(row: row, from: area.column + 1, to: area.endColumn - 1) }
}

extension Drawing {
  /// Draws the lines of the control panel from the top of the area.
  ///
  /// - Parameters:
  ///   - lines: Chosen and thinned out; a line that does not fit whole ends the drawing.
  ///   - headphone: The selected one.
  ///   - state: Focus and cursor are taken from it.
  ///   - area: The inside of the frame.
  mutating func controlPanel(
    _ lines: [ControlLine], of headphone: HeadphoneState, _ state: State, _ area: Area
  ) {
    let columns = PanelColumns(area)
    var row = area.row
    for line in lines {
      guard row + line.rows <= area.endRow else { return }
      draw(line, of: headphone, state, columns, row: row)
      row += line.rows
    }
  }

  /// One line of the panel, with its label, key, value and targets.
  private mutating func draw(
    _ line: ControlLine, of headphone: HeadphoneState, _ state: State, _ columns: PanelColumns,
    row: Int
  ) {
    var content = columns.content(row: row)
    switch line {
    case .space, .invitation: return
    case .state, .stateRest, .advice:
      linkLine(line, headphone, state.adapter, columns.line(row: row))
    case .battery(let part):
      label(headphone.name(of: part).sentence, columns, row: row)
      battery(part, headphone, content)
    case .overallBattery:
      label("Battery", columns, row: row)
      overallBattery(headphone.onlyCharge ?? 0, content)
    case .gauges: gauges(headphone, columns.line(row: row))
    case .batteries:
      var pen = columns.line(row: row)
      batterySummary(headphone, &pen)
    case .update:
      label("Update", columns, row: row)
      let progress = headphone.firmwareProgress.map(Int.init)
      bar(progress, columns: barColumns(content), .barFilled, &content)
      write(" " + percentage(progress), .value, &content)
    case .noise:
      label("Noise", .nextANC, .anc, state, columns, row: row)
      segments(noiseSegments(headphone), &content)
    case .level:
      sliderLabel("Level", .ancLevel, state, columns, row: row)
      level(headphone, &content)
    case .volume:
      sliderLabel("Volume", .volume, state, columns, row: row)
      ownVolume(headphone, &content)
    case .equaliser:
      label("EQ", .nextEQ, .eq, state, columns, row: row)
      segments(equaliserSegments(headphone), &content)
    case .bands(let rows):
      bands(
        headphone.bands, of: headphone.capabilities.flatMap { EQBands($0) },
        isNearby: headphone.isLive, rows: rows, content)
    case .wear:
      if headphone.capabilities?.declares(.wearDetection) == false {
        label("Wear", columns, row: row)
      } else {
        label("Wear", .toggleWearDetection, .setting(.wearDetection), state, columns, row: row)
      }
      wear(headphone, &content)
    case .setting(let declaration):
      settingLabel(declaration, state, columns, row: row)
      let start = content.column
      setting(declaration, headphone, &content)
      if case .level = declaration.kind { return }
      let row = Action.pointed(.control(.setting(declaration.id)))
      clickable(from: start, to: content, [row, .pressed(.right)])
    case .find:
      label("Find", .find, nil, state, columns, row: row)
      let words =
        headphone.hasOneBattery ? "" : (headphone.find.shown ?? []).displayText + " "
      write("\(words)sounding", headphone.find.pending == nil ? .warning : .pending, &content)
    case .model:
      label("Model", columns, row: row)
      model(headphone.information, &content)
    }
  }

  /// The label of a row with its key, and the pointer if the cursor is on it.
  ///
  /// A click on the label moves the cursor there, one on the key does what the key does.
  private mutating func label(
    _ text: String, _ command: UserCommand, _ place: ControlRow?, _ state: State,
    _ columns: PanelColumns, row: Int
  ) {
    if let place, state.focus == .control, state.controlCursor == place {
      var pen = columns.pointer(row: row)
      write(symbols.pointer, .titleFocused, &pen)
    }
    label(text, at: place, columns, row: row)
    var pen = columns.key(row: row)
    let start = pen.column
    if let key = style.hint(for: command), key.columns <= pen.room {
      write(key, .key, &pen)
    }
    clickable(from: start, to: pen, command)
  }

  /// The label of an amount, with `+` and `-` while the cursor is on it.
  ///
  /// Elsewhere those keys change the volume of the sound, so they are shown only where they act on
  /// this row.
  private mutating func sliderLabel(
    _ text: String, _ place: ControlRow, _ state: State, _ columns: PanelColumns, row: Int
  ) {
    guard state.focus == .control, state.controlCursor == place else {
      return label(text, at: place, columns, row: row)
    }
    label(text, .raise, place, state, columns, row: row)
    if let lower = style.hint(for: .lower) { keyBeside(lower, columns, row: row) }
  }

  /// The label of a declared setting, with the key that changes it while the cursor is on it.
  ///
  /// The equaliser's presets have a key of their own, as those of the protocol do.
  private mutating func settingLabel(
    _ declaration: SettingDeclaration, _ state: State, _ columns: PanelColumns, row: Int
  ) {
    let place = ControlRow.setting(declaration.id)
    if case .level = declaration.kind {
      return sliderLabel(declaration.label, place, state, columns, row: row)
    }
    if declaration.id == .equaliserPreset {
      return label(declaration.label, .nextEQ, place, state, columns, row: row)
    }
    guard state.focus == .control, state.controlCursor == place else {
      return label(declaration.label, at: place, columns, row: row)
    }
    label(declaration.label, .right, place, state, columns, row: row)
  }

  /// A second key after the first, if both are short.
  private mutating func keyBeside(_ key: String, _ columns: PanelColumns, row: Int) {
    var pen = columns.key(row: row)
    skip(1, &pen)
    let start = pen.column
    if key.columns <= pen.room { write(key, .key, &pen) }
    clickable(from: start, to: pen, .lower)
  }

  /// A label alone, or its short form; a click moves the cursor there.
  ///
  /// The side at the end of a label is kept: "Hold L" is "Hol L".
  private mutating func label(
    _ text: String, at place: ControlRow? = nil, _ columns: PanelColumns, row: Int
  ) {
    var pen = columns.label(row: row)
    let start = pen.column
    let short = ["Battery": "Batt", "Volume": "Vol", "Update": "Updt"]
    var shown = text.columns <= pen.room ? text : short[text] ?? text
    if shown.columns > pen.room, shown.hasSuffix(" L") || shown.hasSuffix(" R") {
      shown = String(shown.prefix(pen.room - 2) + shown.suffix(2))
    }
    write(shown, .label, &pen)
    clickable(from: start, to: pen, place.map { [.pointed(.control($0))] } ?? [])
  }

  /// Model and firmware version, as the headphone reports them.
  private mutating func model(_ information: DeviceInformation, _ pen: inout Cursor) {
    if let model = information.model { write(displayable(model), .value, &pen) }
    guard let firmware = information.firmware else { return }
    if information.model != nil { write(" \(symbols.separator) ", .muted, &pen) }
    write("firmware ", .muted, &pen)
    write(displayable(firmware), .value, &pen)
  }
}
