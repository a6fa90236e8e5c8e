import AudioRoute
import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

@Suite struct `The main page` {
  @Test(arguments: [
    (80, 24), (120, 40), (40, 12), (60, 30), (60, 24), (76, 24), (75, 24), (100, 30), (200, 60),
    (80, 12), (30, 10), (20, 5), (40, 8), (19, 4), (10, 1),
  ])
  func `is drawn at every size`(columns: Int, rows: Int) {
    expectScreen(
      view(Example.state(), size: Size(columns: columns, rows: rows)), "size-\(columns)x\(rows)")
  }

  /// Each row is as wide as the screen, whatever is cut: no wide character hangs over an edge.
  @Test(arguments: [Page.main, .help(line: 30), .log(line: 0), .info(line: 9)])
  func `is drawn at any size`(page: Page) {
    let states = [
      State(), Example.state().changed { $0.problem = Problem("went wrong", advice: "help it") },
      Example.state().changed { $0.dialog = .question(Question(.find(Example.aurora))) },
      Example.state().changed { $0.dialog = .entry(TextEntry(.filter, text: "音楽")) },
    ]
    var ragged: [String] = []
    for state in states {
      let state = state.changed { $0.page = page }
      for columns in [0, 1, 2, 3, 5, 9, 19, 20, 31, 43, 44, 76, 130] {
        for rows in [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 13, 17, 30] {
          let screen = view(state, size: Size(columns: columns, rows: rows))
          let texts = (0..<rows).map { screen.text(row: $0) }
          if texts.contains(where: { $0.columns != columns }) {
            ragged.append("\(columns)x\(rows)")
          }
        }
      }
    }
    #expect(ragged == [])
  }
}
