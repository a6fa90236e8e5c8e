import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  static let commandSearches: [Golden] = [
    .screen("commands", showsRoles: true) { Example.searching("") },
    .screen("commands-40x12", .small) { Example.searching("noise") },
    .screen("commands-makers-120x40", .large) {
      Example.searching("sp", in: FamilyExample.airPodsLinked.state)
    },
    .rows("commands-scenes", unlike: { Example.searching("") }) {
      [
        ("refused", Example.searching("noise", in: away)), ("nothing", Example.searching("qqq")),
      ]
    },
  ]

  private static var away: State {
    Example.state().with { $0.link = .unwanted(.disconnected(.user)) }
  }
}

extension Example {
  /// Returns the state after typing these keys.
  static func pressing(_ keys: [Key], in state: State = state()) -> State {
    var state = state
    for key in keys {
      for action in KeyMap.standard.actions(for: key, in: state) {
        _ = state.reduce(action, at: now)
      }
    }
    return state
  }

  static func searching(_ text: String, in state: State = state()) -> State {
    pressing([.character(":")] + text.unicodeScalars.map(Key.character), in: state)
  }
}

@Suite struct `The search of commands` {
  private let sizes = [Size.ordinary, .large, .small, Size(columns: 200, rows: 60)]

  @Test func `is typed, moved in and run by keys`() {
    var state = Example.searching("noise off")
    #expect(view(state, size: .ordinary).text(row: 4).contains("noise control: off"))
    state = Example.pressing([.down, .up, .control("n"), .control("p"), .enter], in: state)
    #expect(state.dialog == nil)
    #expect(state.headphones.selected?.anc.pending == .off)
  }

  @Test func `letters that are keys elsewhere are text`() {
    for text in ["q", ":", "?", "1", "j", "  x"] {
      guard case .commands(let search) = Example.searching(text).dialog else {
        Issue.record("\(text) closed it")
        continue
      }
      #expect(search.entry.text == text)
    }
  }

  @Test func `shows the cursor on every line, at every size`() {
    for size in sizes {
      var state = Example.searching("")
      let count = state.foundCommands("").count
      for line in 0..<count {
        let screen = view(state, size: size)
        let rows = (0..<size.rows).map { screen.text(row: $0) }
        let text = state.foundCommands("")[line].text
        #expect(
          rows.contains { $0.contains("▸") && $0.contains(text.prefix(20)) }, "\(size) \(text)")
        // A list that goes on says so.
        #expect(rows.contains { $0.contains(" more ") })
        state = Example.pressing([.down], in: state)
      }
    }
  }

  @Test func `a click on a line runs it`() throws {
    let state = Example.searching("scan for")
    let screen = view(state, size: .ordinary)
    let row = try #require(
      (0..<24).first { screen.text(row: $0).contains("scan for headphones, or stop") })
    var clicked = state
    let effects = screen.actions(for: Mouse(.press, column: 30, row: row)).flatMap {
      clicked.reduce($0, at: Example.now)
    }
    #expect(effects.contains(.startScan) && clicked.dialog == nil)
  }

  @Test func `is drawn at any size`() {
    for columns in [0, 1, 5, 19, 20, 40, 44] {
      for rows in [0, 1, 2, 3, 4, 5, 9] {
        let screen = view(Example.searching("e"), size: Size(columns: columns, rows: rows))
        #expect((0..<rows).allSatisfy { screen.text(row: $0).columns == columns })
      }
    }
  }
}
