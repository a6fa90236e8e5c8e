internal import Companion

extension Drawing {
  func hint(_ command: UserCommand, in state: State) -> KeyHint? {
    style.hint(for: command).map {
      KeyHint(key: $0, label: command.label(in: state), command: command)
    }
  }

  /// Returns two opposite commands as one hint, or nil if one of them has no key.
  func pair(_ one: UserCommand, _ other: UserCommand, _ label: String) -> KeyHint? {
    guard let first = style.hint(for: one), let second = style.hint(for: other) else {
      return nil
    }
    return KeyHint(key: first + " " + second, label: label, command: other)
  }

  mutating func clickable(from start: Int, to pen: Cursor, _ commands: UserCommand?...) {
    clickable(from: start, to: pen, commands.compactMap { $0.map(Action.pressed) })
  }

  mutating func clickable(
    from start: Int, to pen: Cursor, _ actions: [Action], wheel: Target.Wheel? = nil
  ) {
    screen.add(
      Target(
        area: Area(column: start, row: pen.row, columns: pen.column - start, rows: 1),
        aim: .actions(actions), wheel: wheel))
  }

  mutating func settable(from start: Int, to pen: Cursor, _ bar: Bar, _ place: Place) {
    screen.add(
      Target(
        area: Area(column: start, row: pen.row, columns: pen.column - start, rows: 1),
        aim: .bar(bar, place), wheel: .value(place)))
  }

  /// Returns the hints that fit, in order; the last `kept` ones take precedence over the others.
  func fitting(_ hints: [KeyHint], columns: Int, gap: Int, kept: Int = 0) -> [KeyHint] {
    let ending = hints.suffix(kept)
    var room = columns - ending.reduce(0) { $0 + $1.columns + gap } + gap
    guard room >= 0 else { return Array(hints.suffix(max(0, kept - 1))) }
    var shown: [KeyHint] = []
    for hint in hints.dropLast(kept) {
      room -= hint.columns + gap
      guard room >= 0 else { break }
      shown.append(hint)
    }
    return shown + ending
  }

  mutating func write(_ hints: [KeyHint], gap: Int, _ pen: inout Cursor) {
    for (place, hint) in hints.enumerated() {
      if place > 0, symbols.areWords { write(", ", .label, &pen) }
      if place > 0, !symbols.areWords { write(" ", times: gap, .plain, &pen) }
      let start = pen.column
      write(hint.key, .key, &pen)
      write(" " + hint.label, .label, &pen)
      let action = hint.action ?? hint.command.map(Action.pressed)
      clickable(from: start, to: pen, action.map { [$0] } ?? [])
    }
  }
}
