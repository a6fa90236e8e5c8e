package import Companion
internal import HeadphoneProtocols

/// A part of the screen that turns clicks or the wheel into ``/Companion/Action`` values.
struct Target: Hashable, Sendable {
  var area: Area
  var aim: TargetAction
  /// The effect of the wheel, or nil to leave it to the target around this one.
  var wheel: Wheel?

  enum TargetAction: Hashable, Sendable {
    case actions([Action])
    /// Sets the gain of a band by the row; the top row is `limit`, the bottom row its negative.
    case slider(band: Int, limit: BandGain)
    case bar(Bar, Place)
  }

  enum Wheel: Hashable, Sendable {
    case value(Place)
    case cursor(Panel)
  }

  var isEmpty: Bool { area.isEmpty || aim == .actions([]) && wheel == nil }
}

extension Screen {
  /// Returns the actions of a press, a drag or a turn of the wheel, in the order to reduce them.
  ///
  /// A drag moves only the bar or slider where it began, wherever the pointer is. The innermost
  /// target under the pointer decides; the wheel moves the cursor of the page where no target
  /// handles it.
  package func actions(for mouse: Mouse) -> [Action] {
    let place = mouse.origin ?? CellPosition(column: mouse.column, row: mouse.row)
    let here = targets.reversed().filter { $0.area.contains(column: place.column, row: place.row) }
    switch mouse.act {
    case .drag: return here.first { $0.aim != .actions([]) }?.drag(mouse) ?? []
    case .press:
      return here.first { $0.aim != .actions([]) }?.press(mouse) ?? []
    case .wheelUp, .wheelDown:
      let isUp = mouse.act == .wheelUp
      switch here.compactMap(\.wheel).first {
      case .value(let place): return [.pointed(place), .pressed(isUp ? .raise : .lower)]
      case .cursor(let panel): return [.pointed(.panel(panel)), .pressed(isUp ? .up : .down)]
      case nil: return [.pressed(isUp ? .up : .down)]
      }
    }
  }
}

extension Target {
  fileprivate func drag(_ mouse: Mouse) -> [Action] {
    guard !area.isEmpty else { return [] }
    switch aim {
    case .actions: return []
    case .bar, .slider:
      var held = mouse
      held.column = min(max(area.column, mouse.column), area.endColumn - 1)
      held.row = min(max(area.row, mouse.row), area.endRow - 1)
      return press(held)
    }
  }

  fileprivate func press(_ mouse: Mouse) -> [Action] {
    switch aim {
    case .actions(let actions): return actions
    case .slider(let band, let limit):
      let scale = SliderScale(rows: area.rows, limit: limit)
      return [.sliderSet(band: band, scale.gain(at: mouse.row - area.row))]
    case .bar(let bar, let place):
      let last = max(1, area.columns - 1)
      let offset = mouse.column - area.column
      return [.pointed(place), .barSet(bar, percent: (offset * 100 + last / 2) / last)]
    }
  }
}

extension Area {
  func contains(column: Int, row: Int) -> Bool {
    (self.column..<max(self.column, endColumn)).contains(column)
      && (self.row..<max(self.row, endRow)).contains(row)
  }
}
