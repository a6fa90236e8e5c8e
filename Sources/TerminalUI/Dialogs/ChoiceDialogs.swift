internal import AudioRoute
internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  mutating func soundChoice(_ choice: SoundChoice) {
    let (title, options) = choice.shown
    let inner = dialog(
      title, columns: min(58, screen.size.columns), lines: min(options.count + 2, 12))
    self.choice(options, line: choice.line, accept: "OK", clicking: [.pressed(.accept)], inner)
  }

  /// Draws the list of themes over the page, which shows the one under the cursor, undimmed.
  mutating func themeChoice(_ choice: ThemeChoice) {
    let names = choice.names.map { (text: displayable($0), mark: "") }
    let inner = dialog(
      "THEME", columns: min(44, screen.size.columns), lines: min(names.count + 2, 14),
      recedes: false)
    self.choice(names, line: choice.line, accept: "Keep", clicking: [], inner)
  }

  private mutating func choice(
    _ options: [(text: String, mark: String)], line chosen: Int, accept: String,
    clicking: [Action], _ inner: Area
  ) {
    guard inner.rows > 0 else { return }
    let isRoomy = inner.rows >= 3
    let rows = isRoomy ? inner.rows - 2 : inner.rows
    let first = min(max(0, chosen - rows / 2), max(0, options.count - rows))
    for (place, option) in options.dropFirst(first).prefix(rows).enumerated() {
      let line = first + place
      var pen = Cursor(row: inner.row + place, from: inner.column + 1, to: inner.endColumn - 1)
      pointer(line == chosen, &pen)
      skip(1, &pen)
      let isWords = symbols.areWords && !option.mark.isEmpty
      if !option.mark.isEmpty, !isWords, pen.room >= 40 {
        writeTrailing(option.mark, .muted, &pen)
      }
      write(option.text, line == chosen ? .rowSelected : .value, &pen)
      if isWords { write(", " + option.mark, .muted, &pen) }
      screen.add(
        Target(
          area: Area(column: inner.column, row: pen.row, columns: inner.columns, rows: 1),
          aim: .actions([.pointed(.line(line))] + clicking)))
    }
    guard isRoomy else { return }
    var rest = Cursor(row: inner.endRow - 2, from: inner.column, to: inner.endColumn - 2)
    writeTrailing(more(above: first, below: options.count - first - rows), .muted, &rest)
    var keys = Cursor(row: inner.endRow - 1, from: inner.column + 2, to: inner.endColumn - 2)
    let labels: [(UserCommand, String)] = [(.accept, accept), (.back, "Cancel")]
    let hints =
      [pair(.up, .down, "Move")]
      + labels.map { command, label in
        style.hint(for: command).map { KeyHint(key: $0, label: label, command: command) }
      }
    write(fitting(hints.compactMap(\.self), columns: keys.room, gap: 3), gap: 3, &keys)
  }
}

extension SoundChoice {
  fileprivate var shown: (title: String, lines: [(text: String, mark: String)]) {
    switch options {
    case .devices(let devices):
      let lines = devices.map { device in
        (text: displayable(device.description), mark: device.isBluetooth ? "Bluetooth" : "")
      }
      return ("AUDIO OUTPUT OF THIS HEADPHONE", [("Automatic", "")] + lines)
    case .modes(let modes):
      return (
        "PROFILE AND CODEC",
        modes.map { (text: $0.displayText, mark: $0.isActive ? "current" : "") }
      )
    case .microphones(let microphones):
      return (
        "MICROPHONE FOR CALLS",
        microphones.map {
          let name = displayable($0.source.description)
          let programs = displayable($0.source.programs.joined(separator: ", "))
          return (
            text: $0.isOwn ? "\(name) (call quality)" : name,
            mark: programs.isEmpty ? ($0.isDefault ? "in use" : "") : programs
          )
        }
      )
    }
  }
}
