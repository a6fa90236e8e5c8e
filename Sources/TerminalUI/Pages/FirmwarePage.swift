internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let firmware = PageView(.firmware, sheetColumns: 76) { drawing, state, _ in
    drawing.firmwarePage(state)
  }
}

extension Drawing {
  mutating func firmwarePage(_ state: State) {
    let name = state.headphones.selected.map { displayable(state.name(of: $0.id)) } ?? ""
    page(state, Box(title: "FIRMWARE", isFocused: true, note: name)) { drawing, inner in
      guard let headphone = state.headphones.selected else {
        var pen = Cursor(row: inner.row, from: inner.column + 1, to: inner.endColumn - 1)
        return drawing.write("No headphone selected.", .muted, &pen)
      }
      let lines = drawing.firmwareLines(headphone, columns: max(1, inner.columns - 2))
        .fitting(rows: inner.rows)
      for (place, line) in lines.enumerated() where place < inner.rows {
        drawing.firmwareLine(line, inner, row: inner.row + place)
      }
    }
  }

  private mutating func firmwareLine(_ line: FirmwareLine, _ area: Area, row: Int) {
    var pen = Cursor(row: row, from: area.column + 1, to: area.endColumn - 1)
    switch line.content {
    case .space: return
    case .fact(let label, let value):
      write(label, .label, &pen)
      pen.column = min(pen.end, area.column + 11)
      write(value, .value, &pen)
    case .sentence(let text, let mark, let role):
      if let mark {
        write(mark.symbol(symbols) + " ", mark.role, &pen)
      }
      write(text, role, &pen)
    case .bar(let percent):
      bar(percent, columns: min(60, pen.room - 5), .barFilled, &pen)
      write(" " + percentage(percent), .value, &pen)
    }
  }
}

extension FirmwareLine.Mark {
  fileprivate func symbol(_ symbols: Symbols) -> String {
    switch self {
    case .passed: symbols.done
    case .open: symbols.areWords ? "open:" : symbols.separator
    case .refused: symbols.failed
    }
  }

  fileprivate var role: Role {
    switch self {
    case .passed: .success
    case .open: .muted
    case .refused: .error
    }
  }
}
