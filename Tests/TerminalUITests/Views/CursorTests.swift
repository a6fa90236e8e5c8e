import BluetoothCodec
import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

@Suite struct `The terminal's cursor` {
  private static let pages: [Page] = [
    .main, .help(line: 0), .log(line: 0), .info(line: 0),
    .equaliser(EQEditor(headphone: Example.aurora, row: .band(0))),
  ]
  private static let marks: Set<String> = ["▸", "●", "▏"]

  /// Returns the text of the cell under the cursor, or nil if there is no cursor.
  private func marked(_ screen: Screen) -> String? {
    screen.cursor.map { screen[$0.column, $0.row].text }
  }

  @Test(arguments: pages, [Size.small, .ordinary, .large])
  func `is on the selected row, the default button or the text after every key`(
    page: Page, size: Size
  ) throws {
    for command in UserCommand.allCases where command.isOn(PageKind(page)) {
      for key in KeyMap.standard.keys(for: command) {
        var state = Example.state().changed { $0.page = page }
        for action in KeyMap.standard.actions(for: key, in: state) {
          _ = state.reduce(action, at: Example.now)
        }
        let isList = Self.pages.contains { PageKind($0) == PageKind(state.page) }
        let hasRows =
          PageKind(state.page) == .log
          ? !state.logLines.isEmpty
          : state.focus != .control
            || state.headphones.selected?.capabilities?.controlRows.isEmpty == false
        guard state.dialog != nil || isList && hasRows else { continue }
        let screen = view(state, size: size)
        if PageKind(state.page) == .log, state.dialog == nil {
          #expect(screen.cursor != nil, "\(key.name)")
        } else {
          let mark = try #require(marked(screen), "\(key.name), \(state.page)")
          #expect(Self.marks.contains(mark), "\(key.name): \(mark)")
        }
      }
    }
  }

  @Test func `follows the row in the list of headphones`() throws {
    var state = Example.state().changed { $0.focus = .headphones }
    for name in ["Aurora Pro", "Nimbus Lite"] {
      let screen = view(state, size: .large)
      let row = try #require(screen.cursor?.row)
      #expect(screen.text(row: row).contains("▸\(name)"))
      for action in KeyMap.standard.actions(for: .control("n"), in: state) {
        _ = state.reduce(action, at: Example.now)
      }
    }
  }

  @Test func `is where the next letter appears`() throws {
    var state = Example.state()
    for key in [Key.function(2), .control("u"), .character("a"), .character("b")] {
      for action in KeyMap.standard.actions(for: key, in: state) {
        _ = state.reduce(action, at: Example.now)
      }
    }
    let screen = view(state, size: .ordinary)
    let place = try #require(screen.cursor)
    #expect(screen[place.column - 1, place.row].text == "b")
  }
}

@Suite struct `A list that does not fit` {
  @Test(arguments: [(0, "▼ 24 more"), (15, "▲ 12 ▼ 12 more"), (29, "▲ 24 more")])
  func `says how much of it is out of sight`(selected: Int, words: String) {
    var state = Example.state()
    state.headphones = HeadphoneList(
      (0..<30).map {
        HeadphoneState(
          id: HeadphoneID(rawValue: "h\($0)"), name: "Buds \($0)",
          address: PeerAddress(BluetoothAddress(value: UInt64($0)), .public))
      })
    state.headphones.select(HeadphoneID(rawValue: "h\(selected)"))
    let screen = view(state, size: .large)
    #expect((0..<40).contains { screen.text(row: $0).contains(words) })
  }

  @Test(arguments: [(20, true), (34, true), (300, false)])
  func `takes rows from the events beside it`(count: Int, isWhole: Bool) {
    var state = Example.state()
    state.headphones = HeadphoneList(
      (0..<count).map {
        HeadphoneState(
          id: HeadphoneID(rawValue: "h\($0)"), name: "Buds \($0)",
          address: PeerAddress(BluetoothAddress(value: UInt64($0)), .public))
      })
    let screen = view(state, size: Size(columns: 200, rows: 60))
    let rows = (0..<60).map { screen.text(row: $0) }
    #expect(rows.contains { $0.contains("Buds \(count - 1) ") } == isWhole)
    let events = rows.firstIndex { $0.contains("─ EVENTS") }
    #expect(events.map { (10...36).contains(58 - $0) } == true)
    #expect(rows.contains { $0.contains("Noise control: noise cancelling") })
  }
}

@Suite struct `A French keyboard` {
  @Test func `types digits without Shift, unless the character has a command`() {
    let state = Example.state()
    for (character, digit) in zip("&é\"'", "1234") {
      let actions = [character, digit].map {
        KeyMap.standard.actions(for: .character($0.unicodeScalars.first ?? " "), in: state)
      }
      #expect(actions[0] == actions[1] && actions[0] != [.unknownKey(String(character))])
    }
    #expect(
      KeyMap.standard.actions(for: .character("-"), in: state)
        != KeyMap.standard.actions(for: .character("6"), in: state))
  }
}
