internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let scenes = PageView(.scenes, sheetColumns: 76) {
    $0.scenesPage($1, line: $2.line ?? 0)
  }
}

extension Drawing {
  /// Draws the scenes, each with its key, its settings, and those that are not available.
  mutating func scenesPage(_ state: State, line: Int) {
    let scenes = state.preferences.scenes
    let box = Box(
      title: "SCENES", isFocused: true, note: state.filter.isEmpty ? "" : searchNote(state))
    page(state, box) { drawing, inner in
      guard !scenes.isEmpty else { return drawing.noScenes(inner) }
      let isRoomy = scenes.count * 3 <= inner.rows
      let lines = scenes.enumerated().map { number, scene in
        drawing.sceneRows(
          scene, number: number + 1, state, columns: inner.columns - 7, isRoomy: isRoomy)
      }
      drawing.listed(lines, cursor: min(max(0, line), scenes.count - 1), inner) {
        drawing, row, isChosen, pen in
        drawing.skip(1, &pen)
        switch row {
        case .name(let name, let key, let isActive):
          let mark = isActive ? drawing.symbols.full : drawing.symbols.empty
          drawing.mark(
            mark, isActive ? .linkReady : .linkOff, says: isActive ? "active:" : "", &pen)
          drawing.write(name, isChosen ? .rowSelected : .value, &pen)
          drawing.skip(2, &pen)
          drawing.write(key, .key, &pen)
        case .parts(let words): drawing.sentence(words, .muted, &pen)
        case .missing(let words): drawing.sentence(words, .warning, &pen)
        case .space: return
        }
      }
    }
  }

  private enum SceneRow {
    case name(String, key: String, isActive: Bool)
    case parts(String)
    case missing(String)
    case space
  }

  private mutating func sentence(_ words: String, _ role: Role, _ pen: inout Cursor) {
    skip(2, &pen)
    write(words, role, &pen)
  }

  private func sceneRows(
    _ scene: Scene, number: Int, _ state: State, columns: Int, isRoomy: Bool
  ) -> [SceneRow] {
    let hasKey = Scene.keys.contains(number)
    let key = hasKey ? style.hint(for: .scene(number)) ?? "" : ""
    let parts = state.parts(of: scene).joined(separator: symbols.between)
    let missing = state.missing(of: scene, on: nil).joined(separator: ", ")
    return [.name(displayable(scene.name), key: key, isActive: state.isActive(scene))]
      + wrapped(parts, columns: columns).map(SceneRow.parts)
      + (missing.isEmpty ? [] : wrapped("not available: \(missing)", columns: columns))
      .map(SceneRow.missing) + (isRoomy ? [.space] : [])
  }

  private mutating func noScenes(_ area: Area) {
    let key = style.hint(for: .savePreset).map { "\($0) saves" } ?? "earshot scene save NAME saves"
    let words =
      "No scenes yet. A scene is noise control, equaliser, output and more under one name. "
      + "\(key) the present settings as one."
    explanation(words, area)
  }

  mutating func explanation(_ text: String, _ area: Area) {
    let lines = wrapped(text, columns: min(64, area.columns - 4)).prefix(area.rows)
    for (place, line) in lines.enumerated() {
      var pen = Cursor(row: area.row + place, from: area.column + 2, to: area.endColumn - 1)
      write(line, .muted, &pen)
    }
  }
}
