internal import TOMLKit

/// A text in TOML 1.0, as far as it can be understood.
///
/// TOMLKit reads it. What that does not tell is added: the line of every key, so that whoever gives
/// a value its meaning can say which line is wrong; and what a mistake costs, which is its own
/// line.
public struct TOMLDocument: Hashable, Sendable {
  /// All that was understood; empty if nothing was.
  public private(set) var root = TOMLTable()
  /// In the order of the lines.
  public private(set) var mistakes: [TOMLMistake] = []

  /// A text with more mistakes than these is given up.
  static let mostMistakes = 20

  /// Reads UTF-8; it never fails, and ``mistakes`` says what was left out.
  public init(parsing text: some Sequence<UInt8>) {
    var text = TOMLText(text)
    // Most people have no such file, and a start without TOMLKit is a quicker one.
    guard !text.isEmpty else { return }
    if let line = text.brokenLine {
      mistakes = [TOMLMistake("this is no text in UTF-8", line: line)]
      return
    }
    while mistakes.count < Self.mostMistakes {
      do {
        let table = try TOMLKit.TOMLTable(string: text.string)
        // The values that it hands out are part of it.
        withExtendedLifetime(table) {
          root = TOMLTable(table, at: [], lines: TOMLLines(text))
        }
        break
      } catch let error as TOMLParseError {
        let line = text.line(near: error.source.begin.line)
        mistakes.append(TOMLMistake(error.what, line: line))
        text.drop(line)
      } catch {
        mistakes.append(TOMLMistake("\(error)", line: 1))
        break
      }
    }
    mistakes.sort { $0.line < $1.line }
  }
}

extension TOMLParseError {
  /// Without the "Error while parsing …: " before it.
  fileprivate var what: String {
    let parts = description.split(separator: ": ", maxSplits: 1)
    return parts.count == 2 && description.hasPrefix("Error while") ? String(parts[1]) : description
  }
}
