import Companion
import Testing

@testable import TerminalUI

/// What a screen says whose owner is stopped.
@Suite struct `A stopped owner` {
  @Test(arguments: [(80, 24), (120, 40), (40, 12)])
  func `is told over what was drawn last`(columns: Int, rows: Int) {
    let behind = view(Example.state(), size: Size(columns: columns, rows: rows))
    expectScreen(stoppedOwner(behind: behind, process: 4217), "stopped-owner-\(columns)x\(rows)")
  }

  @Test(arguments: [0, 1, 5, 8, 20, 300], [0, 1, 2, 3, 6, 100])
  func `is told at any size`(columns: Int, rows: Int) {
    let screen = stoppedOwner(
      behind: Screen(size: Size(columns: columns, rows: rows)), process: .max)
    #expect(screen.size == Size(columns: columns, rows: rows))
  }
}
