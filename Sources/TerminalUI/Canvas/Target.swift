public import Companion
internal import HeadphoneProtocols

/// A part of the screen that asks for something when it is clicked.
struct Target: Hashable, Sendable {
  var area: Area
  var aim: TargetAction

  enum TargetAction: Hashable, Sendable {
    /// In order, as if their keys were pressed.
    case commands([UserCommand])
    /// The gain of a band, by the column of a slider that ends at the limit.
    case slider(band: Int, limit: BandGain)
  }

  /// Whether a press means anything.
  var isEmpty: Bool { area.isEmpty || aim == .commands([]) }
}

extension Screen {
  /// What a press or a turn of the wheel asks for; empty: nothing.
  public func actions(for mouse: Mouse) -> [Action] {
    switch mouse.act {
    case .wheelUp: [.pressed(.up)]
    case .wheelDown: [.pressed(.down)]
    case .press: press(atColumn: mouse.column, row: mouse.row)
    }
  }

  private func press(atColumn column: Int, row: Int) -> [Action] {
    guard let target = targets.last(where: { $0.area.contains(column: column, row: row) }) else {
      return []
    }
    switch target.aim {
    case .commands(let commands): return commands.map(Action.pressed)
    case .slider(let band, let limit):
      let scale = SliderScale(columns: target.area.columns, limit: limit)
      return [.sliderSet(band: band, scale.gain(at: column - target.area.column))]
    }
  }
}

extension Area {
  func contains(column: Int, row: Int) -> Bool {
    (self.column..<max(self.column, endColumn)).contains(column)
      && (self.row..<max(self.row, endRow)).contains(row)
  }
}
