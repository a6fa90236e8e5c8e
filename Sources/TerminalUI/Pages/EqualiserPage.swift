internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// The equaliser as sliders, what is saved, and what an import has lost.
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
          note: headphone.isLive ? "" : displayable(headphone.linkText)), area)
      let lines = drawing.equaliserLines(
        state, headphone, columns: max(1, inner.columns - 2))
      let cursor = lines.firstIndex { $0.row == editor.row } ?? 0
      let first = EqualiserLine.first(of: lines, cursor: cursor, rows: inner.rows)
      for (place, line) in lines.dropFirst(first).prefix(inner.rows).enumerated() {
        var pen = Cursor(row: inner.row + place, from: inner.column + 1, to: inner.endColumn - 1)
        drawing.equaliserLine(
          line, isChosen: line.row == editor.row, headphone, EQBands(able), &pen)
      }
    }
  }

  private func equaliserLines(
    _ state: State, _ headphone: HeadphoneState, columns: Int
  ) -> [EqualiserLine] {
    let rows = state.equaliserRows
    var lines: [EqualiserLine] = []
    for row in rows {
      switch row {
      case .preset: lines.append(.row(row))
      case .band(let band):
        if band == 0, !lines.isEmpty { lines.append(.space) }
        lines.append(.row(row))
      case .saved:
        let isFirst = lines.last.map { if case .row(.saved) = $0 { false } else { true } } ?? true
        if isFirst { lines += [.space, .heading("Saved")] }
        lines.append(.row(row))
      }
    }
    let others = state.savedEQs.count - rows.count { if case .saved = $0 { true } else { false } }
    if others > 0, headphone.capabilities?.eqBands ?? 0 > 0 {
      let words = others == 1 ? "preset has" : "presets have"
      lines += [.space, .sentence("\(others) saved \(words) a different number of bands.")]
    }
    guard let imported = headphone.eqImport, headphone.bands.shown == imported.fit.gains else {
      return lines
    }
    lines += [.space, .heading("Imported from \(displayable(imported.path))")]
    let losses = imported.fit.losses.isEmpty ? ["Nothing was lost"] : imported.fit.losses
    for loss in losses {
      lines += wrapped("\(symbols.separator) \(displayable(loss))", columns: columns)
        .map(EqualiserLine.sentence)
    }
    return lines
  }

  private mutating func equaliserLine(
    _ line: EqualiserLine, isChosen: Bool, _ headphone: HeadphoneState, _ bands: EQBands?,
    _ pen: inout Cursor
  ) {
    if case .row = line {
      pointer(isChosen, &pen)
      skip(1, &pen)
    }
    switch line {
    case .space: return
    case .heading(let text): write(text, .title, &pen)
    case .sentence(let text): write(text, .muted, &pen)
    case .row(.preset):
      write(pen.room < 50 ? "" : "Preset    ", isChosen ? .rowSelected : .label, &pen)
      segments(equaliserSegments(headphone), &pen)
    case .row(.saved(let name)):
      let start = pen.column
      write(displayable(name), isChosen ? .rowSelected : .value, &pen)
      clickable(from: start, to: pen, [.pointed(.equaliser(.saved(name)))])
    case .row(.band(let band)):
      let title = bands?.title(band) ?? ""
      skip(max(0, 9 - title.columns), &pen)
      let start = pen.column
      write(title, isChosen ? .rowSelected : .label, &pen)
      clickable(from: start, to: pen, [.pointed(.equaliser(.band(band)))])
      skip(1, &pen)
      slider(headphone, band, bands?.limit ?? .most, isChosen: isChosen, &pen)
    }
  }

  /// As far as the headphone goes, filled from the middle, and the gain in dB.
  private mutating func slider(
    _ headphone: HeadphoneState, _ band: Int, _ limit: BandGain, isChosen: Bool, _ pen: inout Cursor
  ) {
    let setting = headphone.bands
    let gain = setting.shown.flatMap { $0.indices.contains(band) ? $0[band] : nil }
    let confirmed = setting.confirmed.flatMap { $0.indices.contains(band) ? $0[band] : nil }
    let isPending = setting.pending != nil && gain != confirmed
    let isNearby = headphone.isLive && headphone.presetToCome == .custom
    let role: Role = !isNearby ? .stale : isPending ? .pending : .barFilled
    let numberColumns = 9
    var columns = min(61, pen.room - numberColumns - 1)
    if columns.isMultiple(of: 2) { columns -= 1 }
    if columns >= 7 {
      let scale = SliderScale(columns: columns, limit: limit)
      let middle = scale.middle
      let knob = gain.map(scale.column) ?? middle
      screen.add(
        Target(
          area: Area(column: pen.column, row: pen.row, columns: columns, rows: 1),
          aim: .slider(band: band, limit: limit), wheel: .value(.equaliser(.band(band)))))
      for column in 0..<columns {
        if gain != nil, column == knob {
          write(symbols.full, isChosen ? .rowSelected : role, &pen)
        } else if gain != nil, (min(knob, middle)..<max(knob, middle)).contains(column) {
          write(symbols.barFilled, times: 1, role, &pen)
        } else {
          write(column == middle ? symbols.vertical : symbols.barEmpty, times: 1, .barEmpty, &pen)
        }
      }
      skip(1, &pen)
    }
    guard let gain else { return write("--", .unknown, &pen) }
    let words = text(gain)
    skip(max(0, 5 - words.count), &pen)
    write(
      words + " dB" + (isPending ? symbols.ellipsis : ""),
      isPending ? .pending : isNearby ? .value : .stale, &pen)
  }

  /// What keys do on the row of the cursor.
  func equaliserHints(_ state: State, _ editor: EQEditor) -> [KeyHint?] {
    func named(_ command: UserCommand, _ label: String) -> KeyHint? {
      style.hint(for: command).map { KeyHint(key: $0, label: label, command: command) }
    }
    let hasBands = state.headphones.selected?.capabilities?.eqBands ?? 0 > 0
    let own = hasBands ? [hint(.savePreset, in: state), hint(.importPreset, in: state)] : []
    let ends = [named(.back, "Discard"), named(.equaliser, "Keep")]
    let row: [KeyHint?] =
      switch editor.row {
      case .preset: [pair(.left, .right, "Preset")]
      case .band: [pair(.left, .right, "0.5 dB"), hint(.flatten, in: state)]
      case .saved: [named(.accept, "Use"), named(.rename, "Rename"), named(.forget, "Delete")]
      }
    return row + [pair(.up, .down, "Move")] + own + ends
  }
}

/// A line of the page; those with a row can have the cursor.
private enum EqualiserLine: Hashable {
  case space
  case heading(String)
  case sentence(String)
  case row(EQEditor.Row)

  var row: EQEditor.Row? { if case .row(let row) = self { row } else { nil } }

  /// The first line to show, so that the cursor is in sight, and what follows its last row too.
  static func first(of lines: [EqualiserLine], cursor: Int, rows: Int) -> Int {
    let last = lines.lastIndex { $0.row != nil }
    if cursor == last { return max(0, min(cursor, lines.count - rows)) }
    return max(0, min(cursor - rows / 2, lines.count - rows))
  }
}
