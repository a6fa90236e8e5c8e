import Companion
import Testing

@testable import TerminalUI

extension Golden {
  /// The notice of a silent owner, over the last screen or none.
  static let owners: [Golden] = [
    owner("owner-stopped", .stopped, showsRoles: true),
    owner("owner-stopped-40x12", .stopped, .small),
    owner("owner-silent", .unknown),
    .drawn("owner-busy") {
      silentOwner(.busy, behind: Screen(size: .ordinary), process: 4217)
    },
  ]

  private static func owner(
    _ name: String, _ silence: OwnerTimeout, _ size: Size = .ordinary, showsRoles: Bool = false
  ) -> Golden {
    .drawn(name, showsRoles: showsRoles) {
      silentOwner(silence, behind: view(Example.state(), size: size), process: 4217)
    }
  }
}

@Suite struct `A silent owner` {
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
