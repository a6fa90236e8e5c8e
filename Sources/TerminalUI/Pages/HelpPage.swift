internal import Companion

extension Drawing {
  /// All keys of the live map over the page behind, from the line of the cursor on.
  mutating func help(_ state: State, line: Int) {
    screen.recede()
    let (room, below) = screen.area.split(
      top: screen.size.rows >= 8 ? screen.size.rows - 1 : screen.size.rows)
    screen.fill(below, role: .plain)
    footer(state, below)
    let hasTwoColumns = screen.size.columns >= 100
    let entries = helpEntries(state)
    let half = (entries.count + 1) / 2
    let area = room.centred(
      columns: hasTwoColumns ? 120 : 66, rows: (hasTwoColumns ? half + 1 : entries.count) + 2)
    screen.fill(area, role: .plain)
    let shownRows = max(0, area.rows - 2) * (hasTwoColumns ? 2 : 1)
    let first = firstEntry(line, entries, shownRows)
    let isCut = entries.count > shownRows
    let inner = frame(
      Box(
        title: "KEYS",
        note: isCut
          ? "\(first + 1)\(symbols.dash)\(min(entries.count, first + shownRows)) of \(entries.count)"
          : "",
        hints: below.isEmpty ? [hint(.back, in: state)].compactMap { $0 } : [],
        border: .overlayBorder, titleRole: .overlayTitle), area)
    let shown = Array(entries.dropFirst(first).prefix(shownRows))
    guard hasTwoColumns else { return column(shown, inner) }
    let rows = firstColumn(shown, rows: inner.rows)
    let (left, right) = inner.split(left: inner.columns / 2)
    column(Array(shown.prefix(rows)), left)
    column(Array(shown.dropFirst(rows)), right)
  }

  /// How many entries stand in the first of two columns: a group's name is never its last.
  private func firstColumn(_ shown: [HelpEntry], rows: Int) -> Int {
    let half = min(rows, (shown.count + 1) / 2)
    guard half > 1, case .group = shown[half - 1], shown.count - half < rows else { return half }
    return half - 1
  }

  /// A group's name, or a command with its keys.
  private enum HelpEntry {
    case group(String)
    case command(keys: String, summary: String)
  }

  private func helpEntries(_ state: State) -> [HelpEntry] {
    CommandGroup.allCases.flatMap { group in
      [.group(group.rawValue)]
        + UserCommand.allCases.filter { $0.group == group }.map { command in
          let keys = style.keys.keys(for: command).map(\.name).joined(separator: " ")
          return .command(keys: keys.isEmpty ? "--" : keys, summary: command.summary)
        }
    }
  }

  /// The state counts commands; groups come on top.
  private func firstEntry(_ line: Int, _ entries: [HelpEntry], _ rows: Int) -> Int {
    var commands = -1
    let place =
      entries.firstIndex {
        if case .command = $0 { commands += 1 }
        return commands == line
      } ?? 0
    return min(line == 0 ? 0 : place, max(0, entries.count - rows))
  }

  private mutating func column(_ entries: [HelpEntry], _ area: Area) {
    for (place, entry) in entries.prefix(area.rows).enumerated() {
      var pen = Cursor(row: area.row + place, from: area.column + 1, to: area.endColumn - 1)
      switch entry {
      case .group(let name): write(name, .title, &pen)
      case .command(let keys, let summary):
        skip(1, &pen)
        var keyPen = Cursor(row: pen.row, from: pen.column, to: min(pen.end, pen.column + 11))
        write(keys, .key, &keyPen)
        skip(12, &pen)
        write(summary, .value, &pen)
      }
    }
  }
}

/// What a command is about.
private enum CommandGroup: String, CaseIterable {
  case headphone = "Headphone"
  case links = "Links"
  case sound = "Sound"
  case moving = "Moving"
  case pages = "Pages and program"
}

extension UserCommand {
  fileprivate var group: CommandGroup {
    switch self {
    case .nextANC, .previousANC, .setANC, .flipTransparency, .nextEQ, .equaliser, .flatten,
      .savePreset, .importPreset, .toggleWearDetection, .rename, .find, .firmware, .factoryReset:
      .headphone
    case .connectOrDisconnect, .dropControlLink, .scan, .pair, .forget, .refresh,
      .previousHeadphone,
      .nextHeadphone:
      .links
    case .raise, .lower, .routeSound, .toggleMute, .switchProfile: .sound
    case .otherPanel, .up, .down, .left, .right, .top, .bottom, .pageUp, .pageDown, .accept,
      .back:
      .moving
    case .filter, .copy, .write, .subscribe, .info, .log, .doctor, .help, .redraw, .suspend, .quit:
      .pages
    }
  }
}
