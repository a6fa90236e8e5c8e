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
  /// The filled curve shows the current gains, including pending ones, a muted line and hollow knobs
  /// those of when the page was opened, and a dotted line the measured correction.
  ///
  /// | key | on the presets | on a band | on a saved preset |
  /// | --- | --- | --- | --- |
  /// | ← → | other preset | other band | |
  /// | ↑ ↓ | other preset | one step more, less | other saved preset |
  /// | PgUp PgDn | | 3 dB more, less | five lines |
  /// | 0 | all bands to 0 dB | band to 0 dB | |
  /// | Enter | leave | leave | use it |
  /// | Esc | leave; u undoes | the same | the same |
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
      let words = drawing.slidersNote(headphone)
      let hasNote = !words.isEmpty
      let inner = drawing.frame(
        Box(
          title: "EQUALISER", isFocused: true,
          note: drawing.equaliserNote(headphone, EQBands(able), editor),
          captions: hasNote && !isRoomy
            ? [words, "Sliders edit Custom."] : drawing.measuredCaptions(state, headphone)), area)
      var rest = inner.inset(columns: 1, rows: 0)
      if !able.equaliserPresets.isEmpty, !drawing.hasListBeside(rest) {
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

  /// Returns whether the presets have a separate column, left of the sliders.
  private func hasListBeside(_ area: Area) -> Bool {
    area.columns >= Self.columnsBeside && !symbols.areWords
  }

  private static let columnsBeside = 76

  /// Explains the dotted line, or returns nothing if there is none.
  private func measuredCaptions(_ state: State, _ headphone: HeadphoneState) -> [String] {
    guard symbols.steps.count == 8, headphone.capabilities?.eqBands ?? 0 > 0,
      let correction = state.correction(of: headphone)
    else { return [] }
    let line = String(repeating: symbols.separator, count: 3) + " measured correction"
    let name = "\(displayable(correction.name)), \(displayable(correction.source))"
    return ["\(line) (\(name))", line]
  }

  /// Returns the band of the cursor and its gain, for the upper border: "1 kHz  +3 dB…".
  ///
  /// "…" marks a pending gain. While the headphone is away, the state of the link is returned
  /// instead.
  private func equaliserNote(
    _ headphone: HeadphoneState, _ bands: EQBands?, _ editor: EQEditor
  ) -> String {
    guard headphone.isLive else { return displayable(headphone.linkText) }
    guard case .band(let band) = editor.row, let bands, !symbols.areWords else { return "" }
    let isPending = headphone.bands.pending != nil
    let gain = headphone.bands.shown.flatMap { $0.indices.contains(band) ? $0[band] : nil }
    let words = gain.map { text($0) + " dB" + (isPending ? symbols.pending : "") } ?? "--"
    return "\(bands.title(band))  \(words)"
  }

  private mutating func presetRow(_ headphone: HeadphoneState, isChosen: Bool, _ area: Area) {
    guard !area.isEmpty else { return }
    var pen = Cursor(area)
    pointer(isChosen, &pen)
    skip(1, &pen)
    let start = pen.column
    let label = symbols.areWords ? words("Preset") : pen.room < 50 ? "" : "Preset    "
    write(label, isChosen ? .rowSelected : .label, &pen)
    clickable(from: start, to: pen, [.pointed(.equaliser(.preset))])
    segments(equaliserSegments(headphone), &pen)
  }

  /// Draws sliders and saved presets side by side, one above the other, or only one of them.
  ///
  /// | room | sliders | saved presets |
  /// | --- | --- | --- |
  /// | 76 columns or more | right of the list | a quarter, below the headphone's own |
  /// | 16 rows or more | above | at most half of the rows |
  /// | less | while the cursor is on a band or preset | while it is on a saved preset |
  private mutating func slidersAndList(
    _ state: State, _ headphone: HeadphoneState, _ editor: EQEditor, _ area: Area
  ) {
    let isInList = if case .saved = editor.row { true } else { false }
    let hasBands = headphone.capabilities?.eqBands ?? 0 > 0
    let isBeside = hasListBeside(area)
    let columns = isBeside ? min(26, area.columns / 4) : area.columns
    var lines = savedLines(state, headphone, columns: columns - 2)
    if isBeside, hasBands, lines.isEmpty { lines = emptyLines(columns: columns - 2) }
    if isBeside {
      lines = ownLines(headphone, columns: columns - 2) + lines
    }
    guard hasBands, !lines.isEmpty else {
      return hasBands
        ? sliders(state, headphone, editor, area) : list(lines, headphone, editor, area)
    }
    if isBeside {
      let (left, right) = area.split(left: columns)
      list(lines, headphone, editor, left)
      sliders(state, headphone, editor, right)
    } else if area.rows >= 16 {
      let height = min(lines.count + 1, area.rows / 2)
      let (above, below) = area.split(top: area.rows - height)
      sliders(state, headphone, editor, above)
      list(lines, headphone, editor, below.split(top: 1).rest)
    } else if isInList {
      list(lines, headphone, editor, area)
    } else {
      sliders(state, headphone, editor, area)
    }
  }

  // MARK: The list

  /// Returns the lines of the headphone's own presets, and whose gains the sliders have.
  private func ownLines(_ headphone: HeadphoneState, columns: Int) -> [SavedLine] {
    guard let own = equaliserSegments(headphone).first, !own.labels.isEmpty else { return [] }
    let words = slidersNote(headphone)
    return [.heading("Headphone's own")] + own.labels.indices.map(SavedLine.own)
      + (words.isEmpty ? [] : wrapped(words, columns: columns).map(SavedLine.sentence))
      + [.heading("")]
  }

  /// Says whose gains the sliders have, or nothing while those are heard.
  private func slidersNote(_ headphone: HeadphoneState) -> String {
    guard headphone.capabilities?.eqBands ?? 0 > 0, let active = headphone.presetToCome,
      active != .custom
    else { return "" }
    return "\(active.title) is active. These sliders edit Custom."
  }

  /// Returns the lines of the saved presets, and the losses of the last import while it is in use.
  private func savedLines(
    _ state: State, _ headphone: HeadphoneState, columns: Int
  ) -> [SavedLine] {
    var lines: [SavedLine] = []
    for row in state.equaliserRows {
      guard case .saved(let name) = row else { continue }
      if lines.isEmpty { lines.append(.heading("Yours")) }
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
    return [.heading("Yours")]
      + (["None yet."] + sentences).flatMap { wrapped($0, columns: columns) }.map(
        SavedLine.sentence)
  }

  private mutating func list(
    _ lines: [SavedLine], _ headphone: HeadphoneState, _ editor: EQEditor, _ area: Area
  ) {
    let own = equaliserSegments(headphone).first
    let chosen = own.flatMap { $0.pending ?? $0.selected }
    let cursor = lines.firstIndex {
      $0.row == editor.row || editor.row == .preset && $0 == .own(chosen ?? 0)
    }
    let first = firstRow(of: lines.map { _ in 1 }, cursor: cursor ?? 0, rows: area.rows)
    for (place, line) in lines.dropFirst(first).prefix(area.rows).enumerated() {
      var pen = Cursor(row: area.row + place, from: area.column, to: area.endColumn)
      switch line {
      case .heading(let text): write(text, .title, &pen)
      case .sentence(let text): write(text, .muted, &pen)
      case .own(let number):
        guard let own, own.labels.indices.contains(number) else { continue }
        ownPreset(own, number, isChosen: editor.row == .preset && number == chosen ?? 0, &pen)
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

  private mutating func ownPreset(
    _ own: Segments, _ number: Int, isChosen: Bool, _ pen: inout Cursor
  ) {
    let start = pen.column
    pointer(isChosen, &pen)
    let isPending = own.pending == number
    let isOn = isPending || own.pending == nil && own.selected == number
    mark(isOn ? symbols.full : symbols.empty, isOn ? .linkReady : .linkOff, &pen)
    let role: Role = isPending ? .pending : isChosen ? .rowSelected : own.isLive ? .value : .stale
    write(own.labels[number] + (isPending ? symbols.pending : ""), role, &pen)
    skip(pen.room, &pen)
    let action = own.actions.indices.contains(number) ? [own.actions[number]] : []
    clickable(from: start, to: pen, [.pointed(.equaliser(.preset))] + action)
  }

  /// Returns the hints, those of the row under the cursor first; nil for commands without a key.
  func equaliserHints(_ state: State, _ editor: EQEditor) -> [KeyHint?] {
    func named(_ command: UserCommand, _ label: String) -> KeyHint? {
      style.hint(for: command).map { KeyHint(key: $0, label: label, command: command) }
    }
    let bands = state.headphones.selected?.capabilities?.eqBands ?? 0
    let hasBands = bands > 0
    let rows = state.equaliserRows
    let saved = rows.count { if case .saved = $0 { true } else { false } }
    let next = hasBands && rows.count > bands ? [named(.otherPanel, "Next part")] : []
    let undo = editor.canUndo ? [hint(.undo, in: state)] : []
    let redo = editor.canRedo ? [hint(.redo, in: state)] : []
    let files = hasBands ? [hint(.savePreset, in: state), hint(.importPreset, in: state)] : []
    let own = next + undo + [hint(.compare, in: state)] + files + redo
    let ends = [hint(.back, in: state)]
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
          named(.accept, "Use"), saved > 1 ? pair(.up, .down, "Move") : nil,
          named(.rename, "Rename"),
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
  case sentence(String)
  /// A preset of the headphone, by its place among them.
  case own(Int)
  case saved(String)

  var row: EQEditor.Row? { if case .saved(let name) = self { .saved(name) } else { nil } }
}
