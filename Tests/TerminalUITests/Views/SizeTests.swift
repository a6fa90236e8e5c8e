import AudioRoute
import Companion
import Headphones
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
}
