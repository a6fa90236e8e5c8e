internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// Draws the page's keys that fit and are not in frames; help, quit and leaving stay longest.
  mutating func footer(_ state: State, _ area: Area) {
    guard !area.isEmpty else { return }
    var pen = Cursor(row: area.row, from: area.column + 1, to: area.endColumn - 1)
    // A dialog shows its keys, and no others are active.
    guard state.dialog == nil else { return }
    let kept = state.page == .main ? 2 : 1
    let hints = pageHints(state).filter { hint in
      hint.command.map { !framedCommands.contains($0) } ?? true
    }
    write(fitting(hints, columns: pen.room, gap: 2, kept: kept), gap: 2, &pen)
  }

  func pageHints(_ state: State) -> [KeyHint] {
    PageView.of(state.page)?.hints(self, state).compactMap(\.self) ?? []
  }

  func declaredHints(_ state: State) -> [KeyHint?] {
    let useful = state.footerHints.filter { hasHiddenLines || !$0.isForLongLists }
    let hints = useful.map { hint in
      hint.commands.count == 2
        ? pair(hint.commands[0], hint.commands[1], hint.label)
        : hint.commands.first.flatMap { command in
          style.hint(for: command).map { KeyHint(key: $0, label: hint.label, command: command) }
        }
    }
    return hints + (state.page == .main ? [] : [hint(.back, in: state)])
  }
}
