internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// Draws the scale, the sliders and the curve; sliders that do not fit scroll with the cursor.
  mutating func sliders(
    _ state: State, _ headphone: HeadphoneState, _ editor: EQEditor, _ area: Area
  ) {
    guard let able = headphone.capabilities, let bands = EQBands(able), !area.isEmpty else {
      return
    }
    let layout = SliderLayout(bands: able.eqBands, limit: bands.limit, cursor: editor.row, area)
    let gains = headphone.gainsToEdit
    let isNearby = headphone.isLive && headphone.presetToCome == .custom
    let before = editor.opening.gains.flatMap { $0.count == gains.count ? $0 : nil }
    let role: Role =
      !isNearby ? .stale : headphone.bands.pending == nil ? .barFilled : .pending
    guard !symbols.areWords else {
      return bandWords(headphone, bands, editor, role == .barFilled ? .value : role, area)
    }
    axis(layout, bands.limit)
    if symbols.steps.count == 8 {
      track(of: editor.row, layout)
      let columns = layout.columns * layout.bands.count
      let shown = Array(gains[layout.bands])
      curve(Curve(shown, scale: layout.scale, columns: columns, isFilled: true), role, layout)
      if let before, before != gains {
        curve(
          Curve(Array(before[layout.bands]), scale: layout.scale, columns: columns), .muted, layout)
      }
      if let measured = measured(state, headphone, bands, layout, count: columns * 2) {
        curve(Curve(dotted: measured, scale: layout.scale, columns: columns), .value, layout)
      }
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

  private mutating func curve(_ curve: Curve, _ role: Role, _ layout: SliderLayout) {
    for (row, cells) in curve.rows.enumerated() {
      for (column, dots) in cells.enumerated() where dots != 0 {
        var pen = Cursor(
          row: layout.sliderRow + row, from: layout.column + column, to: layout.column + column + 1)
        write(Self.braille(dots), times: 1, role, &pen)
      }
    }
  }

  private mutating func track(of row: EQEditor.Row, _ layout: SliderLayout) {
    guard case .band(let band) = row, let place = layout.bands.firstIndex(of: band) else { return }
    let column =
      layout.column + (place - layout.bands.startIndex) * layout.columns + layout.middle
    for row in 0..<layout.sliderRows where row != layout.scale.middle {
      var pen = Cursor(row: layout.sliderRow + row, from: column, to: column + 1)
      write(symbols.vertical, times: 1, .barEmpty, &pen)
    }
  }

  private func measured(
    _ state: State, _ headphone: HeadphoneState, _ bands: EQBands, _ layout: SliderLayout,
    count: Int
  ) -> [Double]? {
    let shown = Double(layout.bands.count)
    let frequencies = (0..<count).map { dot in
      let place = (Double(dot) + 0.5) / Double(count) * shown - 0.5
      return bands.frequency(at: Double(layout.bands.lowerBound) + place)
    }
    return state.measuredCorrection(of: headphone, at: frequencies)?.map { $0 * 2 }
  }

  private mutating func bandWords(
    _ headphone: HeadphoneState, _ bands: EQBands, _ editor: EQEditor, _ role: Role, _ area: Area
  ) {
    let gains = headphone.gainsToEdit
    let chosen = if case .band(let band) = editor.row { band } else { 0 }
    let first = firstRow(of: gains.map { _ in 1 }, cursor: chosen, rows: area.rows)
    for (place, band) in gains.indices.dropFirst(first).prefix(area.rows).enumerated() {
      var pen = Cursor(row: area.row + place, from: area.column, to: area.endColumn)
      let start = pen.column
      pointer(editor.row == .band(band), &pen)
      write(words(bands.title(band)), .label, &pen)
      let isPending = headphone.bands.pending != nil
      write(text(gains[band]) + " dB" + (isPending ? symbols.pending : ""), role, &pen)
      clickable(
        from: start, to: pen, [.pointed(.equaliser(.band(band)))],
        wheel: .value(.equaliser(.band(band))))
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
        write(symbols.full, isChosen ? .rowSelected : role == .barFilled ? .headline : role, &pen)
      } else if cell == ghost {
        write(symbols.empty, .muted, &pen)
      } else if symbols.steps.count == 8 {
        continue
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

  /// Returns a gain for columns without room for ".5": "+3", "-11½".
  private func shortText(_ gain: BandGain) -> String {
    guard symbols.repertoire == .unicode, !gain.halfDecibels.isMultiple(of: 2) else {
      return text(gain)
    }
    let whole = abs(Int(gain.halfDecibels)) / 2
    return (gain.halfDecibels < 0 ? "-" : "+") + (whole == 0 ? "" : "\(whole)") + "½"
  }
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
  /// The rows of labels: 2 for frequency and gain, 1 for the frequency alone, or 0.
  let labelRows: Int

  var sliderRows: Int { scale.rows }
  var middle: Int { (columns - 1) / 2 }

  /// Creates the layout for `count` bands, at least 1; `limit` is the gain at the ends.
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
