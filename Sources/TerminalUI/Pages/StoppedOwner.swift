internal import Companion

/// A screen that another process draws and that process is stopped: says so over what it drew last.
///
/// - Parameter process: of the owner of the link.
public func stoppedOwner(behind: Screen, process: Int32, style: Style = Style()) -> Screen {
  var drawing = Drawing(size: behind.size, style: style)
  for row in 0..<behind.size.rows { drawing.screen.replace(row: row, with: behind.runs(row: row)) }
  let columns = min(58, behind.size.columns)
  let sentences = [
    "The earshot that owns the link (process \(process)) is stopped, by ^Z for example. What you "
      + "see is from before, and no key reaches the headphone.",
    "Bring it back with fg in its terminal. Or end it with kill -9 \(process): this screen takes over.",
  ]
  let lines = Array(sentences.map { wrapped($0, columns: columns - 4) }.joined(separator: [""]))
  guard behind.size.rows >= 3, columns >= 8 else {
    drawing.screen.recede()
    var pen = Pen(row: 0, from: 0, to: behind.size.columns)
    if behind.size.rows > 0 { drawing.write("owner is stopped", .warning, &pen) }
    return drawing.screen
  }
  let quit = style.keys.hint(for: .quit).map { [KeyHint(key: $0, label: "Quit")] } ?? []
  let inner = drawing.dialog("THE OWNER IS STOPPED", columns: columns, lines: lines.count + 2)
  let isRoomy = inner.rows >= lines.count + 2
  for (place, line) in lines.prefix(max(0, inner.rows - (isRoomy ? 2 : 0))).enumerated() {
    var pen = Pen(row: inner.row + place, from: inner.column + 1, to: inner.endColumn - 1)
    drawing.write(line, .value, &pen)
  }
  if isRoomy {
    var pen = Pen(row: inner.endRow - 1, from: inner.column + 1, to: inner.endColumn - 1)
    drawing.write(quit, gap: 0, &pen)
  }
  return drawing.screen
}
