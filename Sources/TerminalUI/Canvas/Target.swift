public import Companion
internal import HeadphoneProtocols

/// A part of the screen that acts when it is clicked, or when the wheel is turned over it.
///
/// Views add targets while they draw, so what can be clicked is where it is seen. A click yields
/// ``/Companion/Action`` values, the same as a key would: the mouse adds no behaviour of its own.
struct Target: Hashable, Sendable {
  /// The cells that react.
  var area: Area
  var aim: TargetAction
  /// Nil: the wheel does what it does around the target.
  var wheel: Wheel?

  /// What a press means.
  enum TargetAction: Hashable, Sendable {
    /// Sends actions, in order.
    case actions([Action])
    /// The gain of a band, by the row of a slider that ends at the limit, the highest gain on top.
    case slider(band: Int, limit: BandGain)
    /// The value of a bar in its row, by the column.
    case bar(Bar, Place)
  }

  /// What a turn of the wheel means.
  enum Wheel: Hashable, Sendable {
    /// Changes the value of a row.
    case value(Place)
    /// Moves the cursor of a panel.
    case cursor(Panel)
  }

  /// Whether it means anything.
  var isEmpty: Bool { area.isEmpty || aim == .actions([]) && wheel == nil }
}

extension Screen {
  /// What a press or a turn of the wheel asks for; empty: nothing.
  ///
  /// The innermost target under the pointer decides. A turn of the wheel where no target takes it
  /// moves the cursor of the page.
  ///
  /// - Parameter mouse: A press or a turn of the wheel, in cells of this screen.
  /// - Returns: Actions in the order in which they are to be reduced.
  public func actions(for mouse: Mouse) -> [Action] {
    let here = targets.reversed().filter { $0.area.contains(column: mouse.column, row: mouse.row) }
    switch mouse.act {
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
  /// A slider's row becomes a gain, a bar's column a percentage with both ends reachable.
  fileprivate func press(_ mouse: Mouse) -> [Action] {
    switch aim {
    case .actions(let actions): return actions
    case .slider(let band, let limit):
      let scale = SliderScale(rows: area.rows, limit: limit)
      return [.sliderSet(band: band, scale.gain(at: mouse.row - area.row))]
    case .bar(let bar, let place):
      // Each end of the bar is an end of its range.
      let last = max(1, area.columns - 1)
      let offset = mouse.column - area.column
      return [.pointed(place), .barSet(bar, percent: (offset * 100 + last / 2) / last)]
    }
  }
}

extension Area {
  /// Whether a cell lies in the area.
  func contains(column: Int, row: Int) -> Bool {
    (self.column..<max(self.column, endColumn)).contains(column)
      && (self.row..<max(self.row, endRow)).contains(row)
  }
}
