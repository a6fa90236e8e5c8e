public import Companion

/// A part of the screen that asks for something when it is clicked.
struct Target: Hashable, Sendable {
  var area: Area
  /// In order, as if their keys were pressed.
  var commands: [UserCommand]
}

extension Screen {
  /// What a press or a turn of the wheel asks for; empty: nothing.
  public func actions(for mouse: Mouse) -> [Action] {
    switch mouse.act {
    case .wheelUp: [.pressed(.up)]
    case .wheelDown: [.pressed(.down)]
    case .press: commands(atColumn: mouse.column, row: mouse.row).map(Action.pressed)
    }
  }

  private func commands(atColumn column: Int, row: Int) -> [UserCommand] {
    targets.last { $0.area.contains(column: column, row: row) }?.commands ?? []
  }
}

extension Area {
  func contains(column: Int, row: Int) -> Bool {
    (self.column..<max(self.column, endColumn)).contains(column)
      && (self.row..<max(self.row, endRow)).contains(row)
  }
}
