internal import AudioRoute
internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// The way of the sound from this computer: to the headphone, elsewhere, or broken on the way.
  ///
  /// The line itself, not its colour alone, shows whether something plays and whether the route is
  /// broken.
  ///
  /// ```
  /// ♪ computer ━━━━━━━━━━▶ Nothing Ear (2)      playing
  /// ♪ computer ──────────▶ Nothing Ear (2)      connected, nothing plays
  /// ♪ computer ╌╌╌╌╌✕╌╌╌╌ Nothing Ear (2)       no route
  /// ```
  ///
  /// While something plays, a dot moves along the line, if the style has frames.
  mutating func route(_ route: RouteState, _ state: State, _ pen: inout Cursor) {
    guard let way = Way(route, state.headphones.selected.map(name(of:)), symbols) else { return }
    let source = symbols.source.isEmpty ? "" : symbols.source + " "
    write(source + (pen.room >= 36 ? "computer " : ""), way.role, &pen)
    let name = displayable(way.destination)
      .truncated(to: max(4, pen.room - 8), ellipsis: symbols.ellipsis)
    let line = max(3, min(24, pen.room - name.columns - 2))
    if let cross = way.cross {
      write(way.line, times: line / 2, way.role, &pen)
      write(cross, way.role, &pen)
      write(way.line, times: line - line / 2 - 1, way.role, &pen)
      write(" ", .plain, &pen)
    } else {
      let start = pen.column
      write(way.line, times: line - 1, way.role, &pen)
      write(symbols.routeHead + " ", way.role, &pen)
      if way.isMoving, let frame = style.frame {
        var dot = Cursor(row: pen.row, from: start + frame % (line - 1), to: pen.end)
        write(symbols.full, .headline, &dot)
      }
    }
    write(name, way.role == .linkOff ? .label : way.role, &pen)
  }
}

/// How a route is drawn.
private struct Way {
  var destination: String
  var line: Unicode.Scalar
  /// The mark in the middle of the line; nil: the sound goes there.
  var cross: String?
  var role: Role
  var isMoving = false

  /// - Parameter headphone: the name of the selected one; nil: there is none, and no route.
  init?(_ route: RouteState, _ headphone: String?, _ symbols: Symbols) {
    switch route {
    case .connected(let sink, _):
      isMoving = sink.activity == .running
      destination = headphone ?? sink.description
      line = isMoving ? symbols.routeLine : symbols.routeRest
      role = .linkReady
    case .notRouted(_, let elsewhere?):
      destination = elsewhere.description
      line = symbols.routeLine
      role = .linkWorking
    case .notRouted(_, nil), .none:
      guard let headphone else { return nil }
      destination = headphone
      line = symbols.routeBreak
      cross = symbols.routeCross
      role = .linkLost
    case .unknown: return nil
    }
  }
}
