import Companion
import Testing

@testable import TerminalUI

/// What a screen says whose owner is silent.
@Suite struct `A silent owner` {
  @Test(arguments: [(80, 24), (120, 40), (40, 12)])
  func `that is stopped is reported over what was drawn last`(columns: Int, rows: Int) {
    let behind = view(Example.state(), size: Size(columns: columns, rows: rows))
    expectScreen(
      silentOwner(.stopped, behind: behind, process: 4217), "stopped-owner-\(columns)x\(rows)")
  }

  @Test func `is reported where nothing is known of it`() {
    let behind = view(Example.state(), size: Size(columns: 80, rows: 24))
    expectScreen(silentOwner(.unknown, behind: behind, process: 4217), "silent-owner-80x24")
  }

  @Test func `that does a command of its own is reported before there is a screen`() {
    let behind = Screen(size: Size(columns: 80, rows: 24))
    expectScreen(silentOwner(.busy, behind: behind, process: 4217), "busy-owner-80x24")
  }

  @Test(
    arguments: [OwnerTimeout.stopped, .unknown, .busy],
    [0, 1, 5, 8, 20, 300].flatMap { columns in
      [0, 1, 2, 3, 6, 100].map { Size(columns: columns, rows: $0) }
    })
  func `is reported at any size`(silence: OwnerTimeout, size: Size) {
    let screen = silentOwner(silence, behind: Screen(size: size), process: .max)
    #expect(screen.size == size)
  }
}
