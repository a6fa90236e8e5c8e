internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let correction = PageView(.correction, sheetColumns: 84) {
    $0.correctionPage($1, line: $2.line ?? 0)
  }
}

extension Drawing {
  /// Draws the page of the correction: its settings, the corrections that match, and the curve.
  mutating func correctionPage(_ state: State, line: Int) {
    let headphone = state.headphones.selected
    let box = Box(
      title: "CORRECTION", isFocused: true,
      note: headphone.map { state.correctionStatus(of: $0).displayText } ?? "")
    page(state, box) { drawing, inner in
      guard let headphone else {
        var pen = Cursor(row: inner.row, from: inner.column + 1, to: inner.endColumn - 1)
        return drawing.write("The headphone is gone.", .muted, &pen)
      }
      let inForce = state.correction(of: headphone)
      let lines = state.correctionLines
      let isMissing = inForce == nil && headphone.correction.match == .missing
      let hasCurve = !isMissing && drawing.symbols.steps.count == 8 && inner.rows >= 14
      let listed = isMissing || hasCurve ? lines.count + 1 : inner.rows
      let (list, below) = inner.split(top: min(listed, inner.rows - (hasCurve ? 8 : 0)))
      drawing.listed(
        lines.map { [$0] }, cursor: min(max(0, line), lines.count - 1), list,
        isFramed: list.endRow == inner.endRow
      ) {
        drawing, row, isChosen, pen in
        drawing.skip(1, &pen)
        drawing.correctionRow(row, state, headphone, inForce, isChosen: isChosen, &pen)
      }
      if hasCurve { drawing.correctionCurves(state, headphone, below.split(top: 16).top) }
      guard isMissing, below.rows > 0 else { return }
      drawing.explanation(
        "The table does not have this headphone. Search it, or use a file of your own.", below)
    }
  }

  private mutating func correctionRow(
    _ row: CorrectionLine, _ state: State, _ headphone: HeadphoneState, _ inForce: Correction?,
    isChosen: Bool, _ pen: inout Cursor
  ) {
    let wanted = headphone.correction.choice
    func label(_ text: String) { write(text, isChosen ? .rowSelected : .label, &pen) }
    switch row {
    case .isOn:
      label("Correction  ")
      let role: Role = wanted.isOn ? .linkReady : .linkOff
      mark(wanted.isOn ? symbols.full : symbols.empty, role, &pen)
      write(wanted.isOn ? "on" : "off", role, &pen)
      if headphone.correction.isComparing { write(", compared with none", .warning, &pen) }
    case .place:
      label("Applied by  ")
      let place = state.correctionPlace(of: headphone)
      let words = place == .headphone ? "headphone" : "computer"
      write(words + (wanted.place == .automatic ? " (automatic)" : ""), .value, &pen)
    case .strength:
      label("Strength    ")
      bar(wanted.strength, columns: min(20, pen.room - 5), .barFilled, &pen)
      write(" \(percentage(wanted.strength))", .value, &pen)
    case .bass:
      label("Bass        ")
      bar(
        Int(wanted.bass.halfDecibels), in: -12...12, columns: min(21, pen.room - 9), .barFilled,
        &pen)
      write(" \(text(wanted.bass)) dB", .value, &pen)
    case .correction(let correction):
      let isChoice = wanted.file == nil && wanted.name == correction?.name
      mark(
        isChoice ? symbols.full : symbols.empty, isChoice ? .linkReady : .muted,
        says: isChoice ? "chosen:" : "", &pen)
      guard let correction else {
        write("automatic", isChosen ? .rowSelected : .value, &pen)
        if isChoice, let inForce { write("  \(displayable(inForce.name))", .muted, &pen) }
        return
      }
      write(displayable(correction.name), isChosen ? .rowSelected : .value, &pen)
      write("  \(displayable(correction.source)), \(displayable(correction.form))", .muted, &pen)
    }
  }

  /// Draws the correction from 20 Hz to 20 kHz between -12 and +12 dB.
  ///
  /// A muted curve shows what the headphone's bands make of it.
  private mutating func correctionCurves(
    _ state: State, _ headphone: HeadphoneState, _ area: Area
  ) {
    let plot = Area(
      column: area.column + 5, row: area.row, columns: max(0, area.columns - 6), rows: area.rows - 1
    )
    guard plot.columns >= 20, plot.rows >= 3,
      let curves = state.correctionCurves(of: headphone, count: plot.columns * 2)
    else { return }
    for (text, row) in [("+12", 0), ("0", plot.rows / 2), ("-12", plot.rows - 1)] {
      let end = plot.column - 1
      var pen = Cursor(row: plot.row + row, from: end - text.count, to: end)
      write(text, .muted, &pen)
    }
    var zero = Cursor(row: plot.row + plot.rows / 2, from: plot.column, to: plot.endColumn)
    write(symbols.horizontal, times: zero.room, .barEmpty, &zero)
    if let bands = curves.bands { braille(bands, .muted, plot) }
    braille(curves.wanted, headphone.correction.choice.isOn ? .barFilled : .stale, plot)
    // The positions of 100 Hz, 1 kHz and 10 kHz on three logarithmic decades.
    for (text, place) in [("20", 0.0), ("100", 0.233), ("1k", 0.566), ("10k", 0.9)] {
      let column = plot.column + Int(Double(plot.columns) * place)
      var pen = Cursor(row: plot.row + plot.rows, from: column, to: area.endColumn)
      write(text, .muted, &pen)
    }
  }

  private mutating func braille(_ gains: [Double], _ role: Role, _ area: Area) {
    let curve = Curve(
      heights: gains.map { min(max(0, ($0 + 12) / 24), 1) }, columns: area.columns, rows: area.rows)
    for (row, cells) in curve.rows.enumerated() {
      for (column, dots) in cells.enumerated() where dots != 0 {
        let start = area.column + column
        var pen = Cursor(row: area.row + row, from: start, to: start + 1)
        write(Self.braille(dots), times: 1, role, &pen)
      }
    }
  }
}
