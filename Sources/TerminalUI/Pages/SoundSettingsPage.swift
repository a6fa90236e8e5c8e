internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let soundSettings = PageView(.soundSettings, sheetColumns: 84) {
    $0.soundSettingsPage($1, line: $2.line ?? 0)
  }
}

extension Drawing {
  /// Draws the sound settings, with an explanation of the one under the cursor.
  mutating func soundSettingsPage(_ state: State, line: Int) {
    let name = state.headphones.selected.map { displayable(state.name(of: $0.id)) } ?? ""
    let box = Box(
      title: "SOUND SETTINGS", isFocused: true,
      note: state.filter.isEmpty ? name : searchNote(state))
    page(state, box) { drawing, inner in
      let rows = state.soundSettingRows
      let summaries = rows.map {
        wrapped($0.setting.displayText, columns: max(1, inner.columns - 7))
      }
      let lines = rows.enumerated().map { place, row in
        [.value(row)] + (place == line ? summaries[place].map(SoundSettingLine.summary) : [])
      }
      let titleColumns = 2 + (rows.map(\.setting.title.count).max() ?? 0)
      let valueColumns = 2 + (rows.map(\.value.count).max() ?? 0)
      drawing.listed(lines, cursor: line, inner) { drawing, line, isChosen, pen in
        switch line {
        case .value(let row):
          let start = pen.column
          let isMatch = state.isMatch(row.setting.title)
          drawing.write(row.setting.title, isChosen || isMatch ? .rowSelected : .label, &pen)
          pen.column = min(pen.end, start + titleColumns)
          drawing.write(row.value, .value, &pen)
          pen.column = min(pen.end, start + titleColumns + valueColumns)
          drawing.write(row.origin, .muted, &pen)
        case .summary(let words):
          drawing.skip(2, &pen)
          drawing.write(words, .muted, &pen)
        }
      }
      // A sheet has the height of the longest explanation, whichever it shows.
      let most = rows.count + (summaries.map(\.count).max() ?? 0)
      if most <= inner.rows { drawing.reserve(row: inner.row + most - 1, inner) }
    }
  }

  private enum SoundSettingLine {
    case value(SoundSettingRow)
    case summary(String)
  }
}
