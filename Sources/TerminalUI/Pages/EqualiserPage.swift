internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let equaliser = PageView(
    .equaliser,
    hints: { drawing, state in
      guard case .equaliser(let editor) = state.page else { return [] }
      return drawing.equaliserHints(state, editor)
    },
    draw: { drawing, state, page in
      if case .equaliser(let editor) = page { drawing.equaliserPage(state, editor) }
    })
}

extension Drawing {
  /// Draws the sliders with their curve, the saved presets, and the losses of an import.
  ///
  /// The curve shows the current gains, including pending ones. A muted curve and hollow knobs show
  /// the gains of when the page was opened, to which Esc returns.
  ///
  /// | key | on the presets | on a band | on a saved preset |
  /// | --- | --- | --- | --- |
  /// | ← → | other preset | other band | |
  /// | ↑ ↓ | | one step more, less | other saved preset |
  /// | PgUp PgDn | | 3 dB more, less | five lines |
  /// | 0 | all bands to 0 dB | band to 0 dB | |
  /// | Enter | keep all, leave | keep all, leave | use it |
  /// | Esc | discard all, leave | the same | the same |
  /// | Tab | next part | next part | next part |
  mutating func equaliserPage(_ state: State, _ editor: EQEditor) {
    page(state) { drawing, area in
      guard let headphone = state.headphones.selected, headphone.id == editor.headphone,
        let able = headphone.capabilities
      else {
        let inner = drawing.frame(Box(title: "EQUALISER", isFocused: true), area)
        var pen = Cursor(row: inner.row, from: inner.column + 1, to: inner.endColumn - 1)
        return drawing.write("The headphone is gone.", .muted, &pen)
      }
      let isRoomy = area.rows > 11
      let active = headphone.presetToCome.flatMap { $0 == .custom ? nil : $0 }
      let words = active.map { "\($0.title) is active. These sliders edit Custom." } ?? ""
      let hasNote = able.eqBands > 0 && !words.isEmpty
      let inner = drawing.frame(
        Box(
          title: "EQUALISER", isFocused: true,
          note: drawing.equaliserNote(headphone, EQBands(able), editor),
          captions: hasNote && !isRoomy ? [words, "Sliders edit Custom."] : []), area)
      var rest = inner.inset(columns: 1, rows: 0)
      if !able.equaliserPresets.isEmpty {
        let parts = rest.split(top: isRoomy ? 2 : 1)
        drawing.presetRow(headphone, isChosen: editor.row == .preset, parts.top)
        rest = parts.rest
        if hasNote, isRoomy {
          var pen = Cursor(row: rest.row - 1, from: rest.column + 2, to: rest.endColumn)
          drawing.write(words, .muted, &pen)
        }
      }
      drawing.slidersAndList(state, headphone, editor, rest)
    }
  }

  /// Returns the band of the cursor and its gain, for the upper border: "1 kHz  +3 dB…".
  ///
  /// "…" marks a pending gain. While the headphone is away, the state of the link is returned
  /// instead.
  private func equaliserNote(
    _ headphone: HeadphoneState, _ bands: EQBands?, _ editor: EQEditor
  ) -> String {
    guard headphone.isLive else { return displayable(headphone.linkText) }
    guard case .band(let band) = editor.row, let bands else { return "" }
    let isPending = headphone.bands.pending != nil
    let gain = headphone.bands.shown.flatMap { $0.indices.contains(band) ? $0[band] : nil }
    let words = gain.map { text($0) + " dB" + (isPending ? symbols.ellipsis : "") } ?? "--"
    return "\(bands.title(band))  \(words)"
  }

  private mutating func presetRow(_ headphone: HeadphoneState, isChosen: Bool, _ area: Area) {
    guard !area.isEmpty else { return }
    var pen = Cursor(area)
    pointer(isChosen, &pen)
    skip(1, &pen)
    let start = pen.column
    write(pen.room < 50 ? "" : "Preset    ", isChosen ? .rowSelected : .label, &pen)
    clickable(from: start, to: pen, [.pointed(.equaliser(.preset))])
    segments(equaliserSegments(headphone), &pen)
  }

  /// Draws sliders and saved presets side by side, one above the other, or only one of them.
  ///
  /// | room | sliders | saved presets |
  /// | --- | --- | --- |
  /// | 76 columns or more | right of the list | a quarter, also where nothing is saved |
  /// | 16 rows or more | above | at most half of the rows |
  /// | less | while the cursor is on a band or preset | while it is on a saved preset |
  private mutating func slidersAndList(
    _ state: State, _ headphone: HeadphoneState, _ editor: EQEditor, _ area: Area
  ) {
    let isInList = if case .saved = editor.row { true } else { false }
    let hasBands = headphone.capabilities?.eqBands ?? 0 > 0
    let isBeside = area.columns >= 76
    let columns = isBeside ? min(26, area.columns / 4) : area.columns
    var lines = savedLines(state, headphone, columns: columns - 2)
    if isBeside, hasBands, lines.isEmpty { lines = emptyLines(columns: columns - 2) }
    guard hasBands, !lines.isEmpty else {
      return hasBands ? sliders(headphone, editor, area) : list(lines, editor, area)
    }
    if isBeside {
      let (left, right) = area.split(left: columns)
      list(lines, editor, left)
      sliders(headphone, editor, right)
    } else if area.rows >= 16 {
      let height = min(lines.count + 1, area.rows / 2)
      let (above, below) = area.split(top: area.rows - height)
      sliders(headphone, editor, above)
      list(lines, editor, below.split(top: 1).rest)
    } else if isInList {
      list(lines, editor, area)
    } else {
      sliders(headphone, editor, area)
    }
  }

  // MARK: The list

  /// The preset lists, and what the last import lost while its gains are in use.
  private func savedLines(
    _ state: State, _ headphone: HeadphoneState, columns: Int
  ) -> [SavedLine] {
    var lines: [SavedLine] = []
    for row in state.equaliserRows {
      guard case .saved(let name) = row else { continue }
      if lines.isEmpty { lines.append(.heading("Saved")) }
      lines.append(.saved(name))
    }
    func add(_ sentence: String) {
      lines += wrapped(sentence, columns: columns).map(SavedLine.sentence)
    }
    let others = state.savedEQs.count - lines.count { if case .saved = $0 { true } else { false } }
    if others > 0, headphone.capabilities?.eqBands ?? 0 > 0 {
      let words = others == 1 ? "preset has" : "presets have"
      add("\(others) saved \(words) a different number of bands.")
    }
    guard let imported = headphone.eqImport, headphone.bands.shown == imported.fit.gains else {
      return lines
    }
    lines.append(.heading("Imported"))
    add(displayable(imported.path))
    let losses = imported.fit.losses.isEmpty ? ["Nothing was lost"] : imported.fit.losses
    for loss in losses { add("\(symbols.separator) \(displayable(loss))") }
    return lines
  }

  private func emptyLines(columns: Int) -> [SavedLine] {
    let ways = [
      (UserCommand.savePreset, "saves these gains."), (.importPreset, "imports from AutoEq."),
    ]
    let sentences = ways.compactMap { command, words in
      style.hint(for: command).map { "\($0) \(words)" }
    }
    return [.heading("Saved")]
      + (["None yet."] + sentences).flatMap { wrapped($0, columns: columns) }.map(
        SavedLine.sentence)
  }

  private mutating func list(_ lines: [SavedLine], _ editor: EQEditor, _ area: Area) {
    let cursor = lines.firstIndex { $0.row == editor.row }
    let first = firstRow(of: lines.map { _ in 1 }, cursor: cursor ?? 0, rows: area.rows)
    for (place, line) in lines.dropFirst(first).prefix(area.rows).enumerated() {
      var pen = Cursor(row: area.row + place, from: area.column, to: area.endColumn)
      switch line {
      case .heading(let text): write(text, .title, &pen)
      case .sentence(let text): write(text, .muted, &pen)
      case .saved(let name):
        let isChosen = line.row == editor.row
        pointer(isChosen, &pen)
        skip(1, &pen)
        write(displayable(name), isChosen ? .rowSelected : .value, &pen)
        let row = Area(column: area.column, row: pen.row, columns: area.columns, rows: 1)
        screen.add(Target(area: row, aim: .actions([.pointed(.equaliser(.saved(name)))])))
      }
    }
  }

  // MARK: The sliders

  /// Draws the scale, the sliders and the curve; sliders that do not fit scroll with the cursor.
  private mutating func sliders(_ headphone: HeadphoneState, _ editor: EQEditor, _ area: Area) {
    guard let able = headphone.capabilities, let bands = EQBands(able), !area.isEmpty else {
      return
    }
    let layout = SliderLayout(bands: able.eqBands, limit: bands.limit, cursor: editor.row, area)
    let gains = headphone.gainsToEdit
    let isNearby = headphone.isLive && headphone.presetToCome == .custom
    let before = editor.opening.gains.flatMap { $0.count == gains.count ? $0 : nil }
    axis(layout, bands.limit)
    if symbols.steps.count == 8 {
      if let before { curve(of: before, .muted, layout) }
      curve(
        of: gains,
        !isNearby ? .stale : headphone.bands.pending == nil ? .barFilled : .pending, layout)
    }
    for (place, band) in layout.bands.enumerated() {
      let start = layout.column + place * layout.columns
      slider(headphone, band, bands, editor, isNearby, layout, column: start)
    }
  }

  private mutating func axis(_ layout: SliderLayout, _ limit: BandGain) {
    let whole = Int(limit.halfDecibels) / 2
    let marks =
      layout.sliderRows >= 11 && whole.isMultiple(of: 2) ? [2, 1, 0, -1, -2] : [2, 0, -2]
    for mark in marks where layout.sliderRows >= 3 && layout.axisColumns > 0 {
      guard let gain = BandGain(halfDecibels: Int8(Int(limit.halfDecibels) * mark / 2)) else {
        continue
      }
      let words = text(gain)
      let end = layout.column - 1
      let row = layout.sliderRow + layout.scale.row(of: gain)
      var pen = Cursor(row: row, from: end - words.count, to: end)
      write(words, .muted, &pen)
    }
    var zero = Cursor(
      row: layout.sliderRow + layout.scale.middle, from: layout.column,
      to: layout.column + layout.columns * layout.bands.count)
    write(symbols.horizontal, times: zero.room, .barEmpty, &zero)
  }

  private mutating func curve(of gains: [BandGain], _ role: Role, _ layout: SliderLayout) {
    let curve = Curve(
      Array(gains[layout.bands]), scale: layout.scale,
      columns: layout.columns * layout.bands.count)
    for (row, cells) in curve.rows.enumerated() {
      for (column, dots) in cells.enumerated() where dots != 0 {
        var pen = Cursor(
          row: layout.sliderRow + row, from: layout.column + column, to: layout.column + column + 1)
        write(Self.braille(dots), times: 1, role, &pen)
      }
    }
  }

  /// Draws one slider with its labels.
  ///
  /// A click on the track sets the gain of its row, a click on the knob only moves the cursor, and
  /// the wheel changes the gain by a step.
  private mutating func slider(
    _ headphone: HeadphoneState, _ band: Int, _ bands: EQBands, _ editor: EQEditor,
    _ isNearby: Bool, _ layout: SliderLayout, column: Int
  ) {
    func gain(_ gains: [BandGain]?) -> BandGain? {
      gains.flatMap { $0.indices.contains(band) ? $0[band] : nil }
    }
    let shown = gain(headphone.bands.shown)
    let isPending = headphone.bands.pending != nil && shown != gain(headphone.bands.confirmed)
    let role: Role = !isNearby ? .stale : isPending ? .pending : .barFilled
    let isChosen = editor.row == .band(band)
    let knob = shown.map(layout.scale.row)
    let ghost = gain(editor.opening.gains).map(layout.scale.row)
    let middle = column + layout.middle
    for cell in 0..<layout.sliderRows {
      var pen = Cursor(row: layout.sliderRow + cell, from: middle, to: middle + 1)
      if cell == knob {
        if isChosen { moveCursor(to: pen) }
        write(symbols.full, isChosen ? .rowSelected : role, &pen)
      } else if cell == ghost {
        write(symbols.empty, .muted, &pen)
      } else if let knob,
        cell == layout.scale.middle
          || (min(knob, layout.scale.middle)..<max(knob, layout.scale.middle)).contains(cell)
      {
        write(symbols.slider, times: 1, role, &pen)
      } else if cell != layout.scale.middle {
        write(symbols.vertical, times: 1, .barEmpty, &pen)
      }
    }
    let whole = Area(
      column: column, row: layout.sliderRow, columns: layout.columns,
      rows: layout.sliderRows + layout.labelRows)
    let pointing = Target.TargetAction.actions([.pointed(.equaliser(.band(band)))])
    screen.add(Target(area: whole, aim: pointing))
    screen.add(
      Target(
        area: whole.split(top: layout.sliderRows).top,
        aim: .slider(band: band, limit: bands.limit), wheel: .value(.equaliser(.band(band)))))
    if let knob {
      let cell = Area(column: middle, row: layout.sliderRow + knob, columns: 1, rows: 1)
      screen.add(Target(area: cell, aim: pointing))
    }
    labels(
      bands.shortTitle(band), shown, isChosen: isChosen,
      isPending ? .pending : isNearby ? .value : .stale, layout, middle: middle)
  }

  private mutating func labels(
    _ title: String, _ gain: BandGain?, isChosen: Bool, _ role: Role, _ layout: SliderLayout,
    middle: Int
  ) {
    func centred(_ text: String, row: Int) -> Cursor {
      let start = max(layout.column, middle - text.columns / 2)
      return Cursor(row: row, from: start, to: start + text.columns)
    }
    let first = layout.sliderRow + layout.sliderRows
    if layout.labelRows > 0, title.columns <= max(3, layout.columns - 1) {
      var pen = centred(title, row: first)
      write(title, isChosen ? .rowSelected : .label, &pen)
      if isChosen, pen.column - title.columns > layout.column - layout.axisColumns {
        let start = pen.column - title.columns - 1
        var mark = Cursor(row: first, from: start, to: start + 1)
        pointer(true, &mark)
      }
    }
    guard layout.labelRows > 1 else { return }
    let words = gain.map { layout.columns < 6 ? shortText($0) : text($0) } ?? "--"
    guard words.columns <= max(3, layout.columns) else { return }
    var pen = centred(words, row: first + 1)
    write(words, role, &pen)
  }

  /// "+3", "-11½", for columns without room for ".5".
  private func shortText(_ gain: BandGain) -> String {
    guard symbols.repertoire == .unicode, !gain.halfDecibels.isMultiple(of: 2) else {
      return text(gain)
    }
    let whole = abs(Int(gain.halfDecibels)) / 2
    return (gain.halfDecibels < 0 ? "-" : "+") + (whole == 0 ? "" : "\(whole)") + "½"
  }

  /// The hints of the row under the cursor first; nil for commands without a key.
  func equaliserHints(_ state: State, _ editor: EQEditor) -> [KeyHint?] {
    func named(_ command: UserCommand, _ label: String) -> KeyHint? {
      style.hint(for: command).map { KeyHint(key: $0, label: label, command: command) }
    }
    let hasBands = state.headphones.selected?.capabilities?.eqBands ?? 0 > 0
    let next = hasBands ? [named(.otherPanel, "Next part")] : []
    let files = hasBands ? [hint(.savePreset, in: state), hint(.importPreset, in: state)] : []
    let own =
      next + [hint(.undo, in: state), hint(.compare, in: state)] + files
      + [hint(.redo, in: state)]
    let ends = [named(.equaliser, "Keep"), named(.back, "Discard")]
    let row: [KeyHint?] =
      switch editor.row {
      case .preset: [pair(.left, .right, "Preset")]
      case .band:
        [
          pair(.left, .right, "Band"), pair(.up, .down, stepText(state)),
          hint(.flatten, in: state),
        ]
      case .saved:
        [
          named(.accept, "Use"), pair(.up, .down, "Move"), named(.rename, "Rename"),
          named(.forget, "Delete"),
        ]
      }
    return row + own + ends
  }

  private func stepText(_ state: State) -> String {
    state.headphones.selected?.capabilities.flatMap { EQBands($0) }?.stepText ?? ""
  }
}

private enum SavedLine: Hashable {
  case heading(String)
  /// A row of a wrapped sentence.
  case sentence(String)
  /// A saved preset, the only line that can have the cursor.
  case saved(String)

  var row: EQEditor.Row? { if case .saved(let name) = self { .saved(name) } else { nil } }
}

/// The layout of the sliders for the bands around the cursor.
///
/// A band has 4 to 32 columns. The number of slider rows is odd, at most one for each half decibel.
private struct SliderLayout {
  let bands: Range<Int>
  let columns: Int
  /// The width of the scale beside the sliders, or 0 without a scale.
  let axisColumns: Int
  let column: Int
  let sliderRow: Int
  let scale: SliderScale
  /// 2 for frequency and gain, 1 for the frequency only, or 0.
  let labelRows: Int

  var sliderRows: Int { scale.rows }
  var middle: Int { (columns - 1) / 2 }

  /// Creates the layout; `count` is the number of bands, at least 1, and `limit` the gain at the
  /// ends.
  init(bands count: Int, limit: BandGain, cursor: EQEditor.Row, _ area: Area) {
    let fitting = min(count, max(1, area.columns / 4))
    let chosen = if case .band(let band) = cursor { band } else { 0 }
    let first = max(0, min(chosen - fitting / 2, count - fitting))
    bands = first..<first + fitting
    axisColumns = area.columns - fitting * 4 >= 5 ? 5 : 0
    columns = max(1, min(32, (area.columns - axisColumns) / fitting))
    column = area.column + axisColumns
    labelRows = area.rows >= 5 ? 2 : area.rows >= 3 ? 1 : 0
    let rows = max(1, min(area.rows - labelRows, 2 * Int(limit.halfDecibels) + 1))
    scale = SliderScale(rows: rows.isMultiple(of: 2) ? rows - 1 : rows, limit: limit)
    sliderRow = area.row
  }
}
