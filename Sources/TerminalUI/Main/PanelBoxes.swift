internal import AudioRoute
internal import BluetoothRadio
internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  mutating func drawPanels(
    _ arrangement: PanelLayout, _ state: State, _ area: Area, upperRows: Int
  ) {
    let widths = arrangement.widths(area.columns)
    let wire = wireColumns(room: widths.audio - 4)
    switch arrangement {
    case .beside:
      let (left, right) = area.split(left: widths.audio)
      audioBox(wire: wire, state, left)
      controlBox(wire: wire, state, right)
    case .stacked:
      let (upper, lower) = area.split(top: upperRows)
      audioBox(wire: wire, state, upper)
      controlBox(wire: wire, state, lower)
    case .tabs:
      switch state.focus {
      case .audio: audioBox(wire: wire, state, area, nextPanel: "CONTROL LINK")
      case .control: controlBox(wire: wire, state, area, nextPanel: "HEADPHONES")
      case .headphones: headphoneList(state, area, nextPanel: "AUDIO ROUTE")
      }
    }
  }

  private mutating func audioBox(
    wire: Int, _ state: State, _ area: Area, nextPanel: String = ""
  ) {
    var box = Box(
      title: "AUDIO ROUTE", isFocused: state.focus == .audio, panel: .audio, note: nextPanel,
      noteKey: style.hint(for: .otherPanel), noteCommand: .otherPanel)
    if nextPanel.isEmpty, case .running(let sound) = state.audio {
      (box.note, box.noteKey, box.noteCommand) = (displayable(sound.shortServerName), nil, nil)
    }
    var commands =
      state.headphones.selected.map {
        state.route(of: $0).commands(canBringSound: state.canBringSound)
      } ?? []
    if state.focus == .audio, case .output(let name) = state.audioCursor,
      name != state.output?.name
    {
      commands.removeAll { $0 == .routeSound && !symbols.areWords }
      box.hints =
        symbols.areWords
        ? []
        : style.hint(for: .accept).map {
          [KeyHint(key: $0, label: "Play there", command: .accept)]
        } ?? []
    }
    box.hints += commands.compactMap { hint($0, in: state) }
    if state.focus == .audio, state.audioCursor != .offset, !state.audioRows.isEmpty {
      box.captions = [pair(.left, .right, "5 %")].compactMap { $0.map { "\($0.key) \($0.label)" } }
    }
    let room = area.inset(columns: 1, rows: 1)
    let explanation = audioExplanation(state, columns: room.columns - 2)
    let lines = AudioLines(state, explanationRows: explanation.count, rows: room.rows)
    box.more = more(above: lines.above, below: lines.below)
    audioPanel(lines.shown, wire: wire, state, frame(box, area))
  }

  private mutating func controlBox(
    wire: Int, _ state: State, _ area: Area, nextPanel: String = ""
  ) {
    var box = Box(
      title: "CONTROL LINK", isFocused: state.focus == .control, panel: .control, note: nextPanel,
      noteKey: style.hint(for: .otherPanel), noteCommand: .otherPanel)
    guard let headphone = state.headphones.selected else {
      return noHeadphone(state, frame(box, area))
    }
    let commands: [UserCommand] =
      headphone.isAdvertisingOnly ? [.info] : [.connectOrDisconnect, .info]
    box.hints = commands.compactMap { hint($0, in: state) }
    let room = area.inset(columns: 1, rows: 1)
    let explanations = explanation(of: headphone, state.adapter, columns: room.columns - 2).count
    let lines = ControlLines(
      headphone, cursor: state.controlCursor, explanations: explanations, rows: room.rows)
    if let (shown, count) = lines.window {
      box.more = more(above: shown.lowerBound - 1, below: count - shown.upperBound)
      if nextPanel.isEmpty, !symbols.areWords {
        box.note = "\(shown.lowerBound)\(symbols.range)\(shown.upperBound) of \(count)"
        (box.noteKey, box.noteCommand) = (nil, nil)
      }
    }
    if state.focus == .control {
      box.captions = self.explanations(of: state.controlCursor, headphone)
    }
    controlPanel(lines, of: headphone, wire: wire, state, frame(box, area))
  }

  private mutating func noHeadphone(_ state: State, _ area: Area) {
    var pen = Cursor(row: area.row, from: area.column + 1, to: area.endColumn - 1)
    write(symbols.empty + " no headphone", .linkOff, &pen)
    let columns = min(56, area.columns - 2)
    var lines = invitation(state, columns: columns).map { ($0, Role.value) }
    if state.adapter == .absent {
      let words = "To look around without one: earshot demo"
      lines += [("", .plain)] + wrapped(words, columns: columns).map { ($0, .muted) }
    }
    let rest = area.split(top: 1).rest
    let middle = rest.centred(
      columns: lines.map(\.0.columns).max() ?? 0, rows: min(rest.rows, lines.count))
    for (place, line) in lines.prefix(middle.rows).enumerated() {
      var pen = Cursor(row: middle.row + place, from: middle.column, to: rest.endColumn - 1)
      write(line.0, line.1, &pen)
    }
  }

  /// Returns the first steps, wrapped to `columns`.
  ///
  /// In this order: the adapter's problem and remedy, a permission that scanning lacks, or how to
  /// make a headphone advertise.
  private func invitation(_ state: State, columns: Int) -> [String] {
    let adapter = state.adapter
    let more = style.hint(for: .doctor).map { "; \($0) shows more" } ?? ""
    guard adapter.advice.isEmpty else {
      return wrapped(
        displayable(adapter.displayText.sentence + ": " + adapter.advice + more), columns: columns)
    }
    if case .denied(_, isBluetoothdGone: true) = state.scan {
      return wrapped(
        "Headphones are found once bluetoothd runs: sudo systemctl start bluetooth\(more)",
        columns: columns)
    }
    if case .failed(let error) = state.scan {
      return wrapped(
        displayable("\(error)".sentence + ": " + error.advice + more), columns: columns)
    }
    if case .denied(let capability, _) = state.scan {
      let advice = AdapterState.denied(capability: capability).advice
      return wrapped(
        displayable("Scanning needs \(capability): \(advice)\(more)"),
        columns: columns)
    }
    let next = state.scan == .scanning ? "They appear below." : "Then scan."
    return wrapped(
      "Take the headphones out of their case and switch them on. \(next)", columns: columns)
  }
}
