internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// The equaliser as sliders under their curve, what is saved, and what an import has lost.
  ///
  /// Sliders show the gains as they are on the headphone, pending ones included; a hollow knob
  /// marks where each was when the page opened, which is where Esc returns to.
  ///
  /// ```
  /// ╭─┤ EQUALISER ├─────────────────────────────────── 100 Hz  -6 dB ─╮
  /// │   Preset     Balanced  Bass boost  Vocal ▐Custom▌               │
  /// │   +12    │       │       │       │       │                      │
  /// │          │       ●       │       │       │                      │
  /// │     0    ┃       ┃       ●       ○       ●                      │
  /// │          ●       │       │       │       │                      │
  /// │   -12    │       │       │       │       │                      │
  /// │       ▸100     200     400     800     1.6k                     │
  /// │        -6      +6      +2.5    +4      +2                       │
  /// ╰─────────────────────────────────────────────────────────────────╯
  /// ```
  ///
  /// | key | on the presets | on a band | on a saved preset |
  /// | --- | --- | --- | --- |
  /// | ← → | other preset | other band | |
  /// | ↑ ↓ | | 0.5 dB more, less | other saved preset |
  /// | PgUp PgDn | | 3 dB more, less | five lines |
  /// | 0 | all bands to 0 dB | band to 0 dB | |
  /// | Enter | keep all, leave | keep all, leave | use it |
  /// | Esc | discard all, leave | the same | the same |
  /// | Tab | next part | next part | next part |
  ///
  /// - Parameters:
  ///   - state: What is drawn.
  ///   - editor: The cursor and the sound at opening.
  mutating func equaliserPage(_ state: State, _ editor: EQEditor) {
    page(state) { drawing, area in
      guard let headphone = state.headphones.selected, headphone.id == editor.headphone,
        let able = headphone.capabilities
      else {
        let inner = drawing.frame(Box(title: "EQUALISER", isFocused: true), area)
        var pen = Cursor(row: inner.row, from: inner.column + 1, to: inner.endColumn - 1)
        return drawing.write("The headphone is gone.", .muted, &pen)
      }
      let inner = drawing.frame(
        Box(
          title: "EQUALISER", isFocused: true,
          note: drawing.equaliserNote(headphone, EQBands(able), editor)), area)
      var rest = inner.inset(columns: 1, rows: 0)
      if !able.eqPresets.isEmpty {
        let parts = rest.split(top: rest.rows > 8 ? 2 : 1)
        drawing.presetRow(headphone, isChosen: editor.row == .preset, parts.top)
        rest = parts.rest
      }
      drawing.slidersAndList(state, headphone, editor, rest)
    }
  }

  /// The band of the cursor and its gain, or why nothing can be changed.
  ///
  /// "1 kHz  +3 dB…", for the upper border.
  ///
  /// Words of the link stand there instead while the headphone is away, and "…" while a gain is
  /// pending.
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

  /// The headphone's own presets as segments.
  ///
  /// Where fewer than 50 columns are free, the label "Preset" is left out.
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

  /// The saved presets stand beside the sliders, below them, or, where there is room for one of both
  /// only, in their place while the cursor is there.
  ///
  /// | room | sliders | saved presets |
  /// | --- | --- | --- |
  /// | 76 columns or more | right of the list | 26 columns |
  /// | 16 rows or more | above | at most half of the rows |
  /// | less | while the cursor is on a band or preset | while it is on a saved preset |
  private mutating func slidersAndList(
    _ state: State, _ headphone: HeadphoneState, _ editor: EQEditor, _ area: Area
  ) {
    let isInList = if case .saved = editor.row { true } else { false }
    let hasBands = headphone.capabilities?.eqBands ?? 0 > 0
    let isBeside = area.columns >= 76
    let columns = isBeside ? 26 : area.columns
    let lines = savedLines(state, headphone, columns: columns - 2)
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

  /// Saved presets that fit the headphone, how many do not, and what the last import lost while its
  /// gains still apply.
  ///
  /// - Parameter columns: The width to wrap sentences to.
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

  /// The part of the list around the cursor; a click moves it.
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

  /// Curve, scale and sliders, as ``SliderLayout`` divides the area.
  ///
  /// Sliders that do not fit are scrolled in with the cursor.
  private mutating func sliders(_ headphone: HeadphoneState, _ editor: EQEditor, _ area: Area) {
    guard let able = headphone.capabilities, let bands = EQBands(able), !area.isEmpty else {
      return
    }
    let layout = SliderLayout(
      bands: able.eqBands, cursor: editor.row, area, hasCurves: symbols.steps.count == 8)
    let gains = headphone.gainsToEdit
    let isNearby = headphone.isLive && headphone.presetToCome == .custom
    if layout.curveRows > 0 {
      let limit = scale(of: gains + (editor.gains ?? []))
      func drawn(_ gains: [BandGain]) -> Curve {
        Curve(
          Array(gains[layout.bands]), limit: limit, columns: layout.columns * layout.bands.count,
          rows: layout.curveRows)
      }
      let before = editor.gains.flatMap { $0.count == gains.count ? drawn($0) : nil }
      let role: Role =
        !isNearby ? .stale : headphone.bands.pending == nil ? .barFilled : .pending
      var place = Cursor(row: area.row, from: layout.column, to: area.endColumn)
      if let preset = headphone.presetToCome, preset != .custom {
        // Its gains are not reported: a curve would show those of another.
        write("\(preset.title) is on; below are the gains of Custom", .muted, &place)
      } else {
        curve(drawn(gains), ghost: before, role, place)
      }
    }
    axis(layout, bands.limit)
    for (place, band) in layout.bands.enumerated() {
      let start = layout.column + place * layout.columns
      slider(headphone, band, bands, editor, isNearby, layout, column: start)
    }
  }

  /// The gains at both ends of the sliders and in the middle, where there is room beside them.
  private mutating func axis(_ layout: SliderLayout, _ limit: BandGain) {
    guard layout.axisColumns > 0 else { return }
    let half = layout.sliderRows / 2
    for (row, text) in [
      (0, "+\(text(limit).drop { $0 == "+" })"), (half, "0"),
      (layout.sliderRows - 1, "-\(text(limit).drop { $0 == "+" })"),
    ] where layout.sliderRows >= 3 {
      let end = layout.column - 1
      var pen = Cursor(row: layout.sliderRow + row, from: end - text.count, to: end)
      write(text, .muted, &pen)
    }
  }

  /// A knob, the stem from 0 dB to it, and its labels.
  ///
  /// A click on the slider sets the gain of its row, the wheel changes it by a step.
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
    let scale = SliderScale(cells: layout.sliderRows, limit: bands.limit)
    let knob = shown.map(scale.cell)
    let ghost = gain(editor.gains).map(scale.cell)
    let middle = column + (layout.columns - 1) / 2
    for cell in 0..<layout.sliderRows {
      let row = layout.sliderRow + layout.sliderRows - 1 - cell
      var pen = Cursor(row: row, from: middle, to: middle + 1)
      let between = knob.map { min($0, scale.middle)..<max($0, scale.middle) }
      if cell == knob {
        write(symbols.full, isChosen ? .rowSelected : role, &pen)
      } else if cell == ghost {
        write(symbols.empty, .muted, &pen)
      } else if between?.contains(cell) == true
        || knob.map({ $0 < cell }) == true && cell <= scale.middle
      {
        write(symbols.slider, times: 1, role, &pen)
      } else {
        write(
          cell == scale.middle ? symbols.horizontal : symbols.vertical, times: 1, .barEmpty, &pen)
      }
    }
    let rows = layout.sliderRows + layout.labelRows
    screen.add(
      Target(
        area: Area(column: column, row: layout.sliderRow, columns: layout.columns, rows: rows),
        aim: .actions([.pointed(.equaliser(.band(band)))])))
    screen.add(
      Target(
        area: Area(
          column: column, row: layout.sliderRow, columns: layout.columns, rows: layout.sliderRows),
        aim: .slider(band: band, limit: bands.limit), wheel: .value(.equaliser(.band(band)))))
    labels(
      bands.shortTitle(band), shown.map { text($0) } ?? "--", isChosen: isChosen,
      isPending ? .pending : isNearby ? .value : .stale, layout, column: column)
  }

  /// The frequency, and below it the gain, where there are rows for them.
  private mutating func labels(
    _ title: String, _ gain: String, isChosen: Bool, _ role: Role, _ layout: SliderLayout,
    column: Int
  ) {
    let first = layout.sliderRow + layout.sliderRows
    let end = column + layout.columns
    if layout.labelRows > 0 {
      var pen = Cursor(row: first, from: column, to: end)
      pointer(isChosen, &pen)
      if title.columns < layout.columns {
        write(title, isChosen ? .rowSelected : .label, &pen)
      }
    }
    if layout.labelRows > 1, gain.columns < layout.columns {
      var pen = Cursor(row: first + 1, from: column + 1, to: end)
      write(gain, role, &pen)
    }
  }

  /// What keys do on the row of the cursor.
  ///
  /// - Returns: The hints of the row under the cursor first; nil for commands without a key.
  func equaliserHints(_ state: State, _ editor: EQEditor) -> [KeyHint?] {
    func named(_ command: UserCommand, _ label: String) -> KeyHint? {
      style.hint(for: command).map { KeyHint(key: $0, label: label, command: command) }
    }
    let hasBands = state.headphones.selected?.capabilities?.eqBands ?? 0 > 0
    let own =
      hasBands
      ? [
        named(.otherPanel, "Next part"), hint(.undo, in: state), hint(.compare, in: state),
        hint(.savePreset, in: state), hint(.importPreset, in: state), hint(.redo, in: state),
      ] : []
    let ends = [named(.equaliser, "Keep"), named(.back, "Discard")]
    let row: [KeyHint?] =
      switch editor.row {
      case .preset: [pair(.left, .right, "Preset")]
      case .band:
        [pair(.left, .right, "Band"), pair(.up, .down, "0.5 dB"), hint(.flatten, in: state)]
      case .saved:
        [
          named(.accept, "Use"), pair(.up, .down, "Move"), named(.rename, "Rename"),
          named(.forget, "Delete"),
        ]
      }
    return row + own + ends
  }
}

/// A line of the list beside the sliders.
private enum SavedLine: Hashable {
  /// "Saved" or "Imported".
  case heading(String)
  /// A row of a wrapped sentence.
  case sentence(String)
  /// A saved preset by its name, which alone can have the cursor.
  case saved(String)

  /// The cursor's row that the line stands for; nil: the cursor skips it.
  var row: EQEditor.Row? { if case .saved(let name) = self { .saved(name) } else { nil } }
}

/// The division of an area among curve, sliders and labels, for the bands around the cursor.
///
/// A band has 3 to 20 columns. The curve needs 12 rows beside the labels; sliders are at most 25
/// rows high, one for each decibel, and their number is odd.
private struct SliderLayout {
  /// The bands that are shown.
  let bands: Range<Int>
  /// Columns of each band.
  let columns: Int
  /// Columns of the gains beside the sliders; 0: they are left out.
  let axisColumns: Int
  /// The first band's first column.
  let column: Int
  /// Rows of the curve; 0: there is no room for it.
  let curveRows: Int
  /// The uppermost row of the sliders.
  let sliderRow: Int
  /// Rows of the sliders, odd so that 0 dB has one of its own.
  let sliderRows: Int
  /// 2: frequency and gain, 1: the frequency, 0: neither.
  let labelRows: Int

  /// - Parameters:
  ///   - count: The bands of the headphone, at least 1.
  ///   - cursor: The bands around it are shown.
  ///   - area: What is divided.
  ///   - hasCurves: Whether the terminal has braille characters.
  init(bands count: Int, cursor: EQEditor.Row, _ area: Area, hasCurves: Bool) {
    let fitting = min(count, max(1, area.columns / 3))
    let chosen = if case .band(let band) = cursor { band } else { 0 }
    let first = max(0, min(chosen - fitting / 2, count - fitting))
    bands = first..<first + fitting
    axisColumns = area.columns - fitting * 3 >= 6 ? 6 : 0
    columns = max(1, min(20, (area.columns - axisColumns) / fitting))
    column = area.column + axisColumns
    labelRows = area.rows >= 5 ? 2 : area.rows >= 3 ? 1 : 0
    let room = area.rows - labelRows
    curveRows = hasCurves && room >= 12 ? min(16, room / 3) : 0
    let sliders = min(25, room - curveRows)
    sliderRows = max(1, sliders - (sliders.isMultiple(of: 2) ? 1 : 0))
    sliderRow = area.row + curveRows
  }
}
