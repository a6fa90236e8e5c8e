import Companion
import HeadphoneProtocols
import TerminalUI
import Testing

/// A headphone reports a choice that its protocol does not declare, by its number.
@Suite struct `A choice that is not declared` {
  private func state(_ id: SettingID) -> State {
    Example.state().receiving(.headphone(Example.aurora, .settingChanged(id, .choice("7"))))
      .changed {
        $0.focus = .control
        $0.controlRow = .setting(id)
      }
  }

  @Test(
    arguments: [(SettingID.noiseMode, "mode 7"), (.equaliserPreset, "7")],
    [Size.ordinary, .large, .small])
  func `is the segment that is marked, and the only one`(
    row: (id: SettingID, words: String), size: Size
  ) {
    let screen = view(state(row.id), size: size)
    #expect(marked(.segmentSelected, on: screen).contains(row.words))
    // The key goes on to the first one, while the headphone still has the other.
    let turned = view(state(row.id).receiving(.pressed(.right)), size: size)
    let first = row.id == .noiseMode ? "O" : "Bal"
    #expect(marked(.segmentPending, on: turned).contains { $0.contains(first) })
  }

  /// Returns the texts in a role, one for each row with any.
  private func marked(_ role: Role, on screen: Screen) -> [String] {
    (0..<screen.size.rows).map { row in
      (0..<screen.size.columns).filter { screen[$0, row].role == role }
        .map { screen[$0, row].text }.joined()
    }.filter { !$0.isEmpty }
  }

  @Test func `stands in the line of a status bar`() {
    let screen = view(state(.noiseMode), size: Size(columns: 40, rows: 1))
    #expect(screen.text(row: 0).contains("mode 7"))
  }
}
