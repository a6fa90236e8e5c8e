internal import Companion

package enum OwnerTimeout: Hashable, Sendable {
  case stopped
  /// The owner is running, or waiting in the kernel.
  case unknown
  /// The owner is a single command, which serves no screen.
  case busy
}

/// Returns a screen with a notice that the process drawing the screen does not answer.
///
/// - Parameters:
///   - behind: The owner's last screen, which is dimmed.
///   - process: The process ID of the owner.
///
/// - Returns: A screen of the same size; one line where a dialog does not fit.
package func silentOwner(
  _ silence: OwnerTimeout, behind: Screen, process: Int32, style: Style = Style()
) -> Screen {
  var drawing = Drawing(size: behind.size, style: style)
  for row in 0..<behind.size.rows { drawing.screen.replace(row: row, with: behind.runs(row: row)) }
  let columns = min(58, behind.size.columns)
  let paragraphs = silence.sentences(process: process).map { wrapped($0, columns: columns - 4) }
  let lines = Array(paragraphs.joined(separator: [""]))
  guard behind.size.rows >= 3, columns >= 8 else {
    drawing.screen.recede()
    var pen = Cursor(row: 0, from: 0, to: behind.size.columns)
    if behind.size.rows > 0 { drawing.write(silence.displayText, .warning, &pen) }
    return drawing.screen
  }
  let quit = style.hint(for: .quit).map { [KeyHint(key: $0, label: "Quit")] } ?? []
  let inner = drawing.dialog(
    "THE \(silence.displayText.uppercased())", columns: columns, lines: lines.count + 2)
  let isRoomy = inner.rows >= lines.count + 2
  for (place, line) in lines.prefix(max(0, inner.rows - (isRoomy ? 2 : 0))).enumerated() {
    var pen = Cursor(row: inner.row + place, from: inner.column + 1, to: inner.endColumn - 1)
    drawing.write(line, .value, &pen)
  }
  if isRoomy {
    var pen = Cursor(row: inner.endRow - 1, from: inner.column + 1, to: inner.endColumn - 1)
    drawing.write(quit, gap: 0, &pen)
  }
  return drawing.screen
}

extension OwnerTimeout {
  fileprivate var displayText: String {
    switch self {
    case .stopped: "other earshot is paused"
    case .unknown: "other earshot does not answer"
    case .busy: "link is in use"
    }
  }

  fileprivate func sentences(process: Int32) -> [String] {
    let owner = "The earshot that has the link (process \(process))"
    let old = "What you see is from before, and no key reaches the headphone."
    let end = "it with kill -9 \(process): this screen takes over."
    return switch self {
    case .stopped:
      [
        "\(owner) is paused, by ^Z for example. \(old)",
        "Bring it back with fg in its terminal. Or end \(end)",
      ]
    case .unknown:
      ["\(owner) has not answered for 5 s. \(old)", "It may recover. Or end \(end)"]
    case .busy:
      [
        "A command of another terminal (process \(process)) has the link.",
        "This screen opens as soon as it ends.",
      ]
    }
  }
}
