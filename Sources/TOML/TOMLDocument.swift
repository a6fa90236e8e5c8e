internal import TOMLKit

/// A TOML 1.0 document that tolerates syntax errors.
///
/// TOMLKit parses it. Two things are added: the line of every key, so that a value that makes no
/// sense can be reported with its line, and recovery, so that a syntax error costs only its own
/// line.
public struct TOMLDocument: Hashable, Sendable {
  /// Everything outside of lines with syntax errors.
  public private(set) var root = TOMLTable()
  /// In the order of the lines.
  public private(set) var mistakes: [TOMLMistake] = []

  /// Parsing stops after this many syntax errors.
  static let mostMistakes = 20

  /// Parses UTF-8.
  ///
  /// - Parameter text: any bytes; ``mistakes`` says what was left out.
  public init(parsing text: some Sequence<UInt8>) {
    var text = TOMLText(text)
    // Most users have no configuration, and the program starts faster without TOMLKit.
    guard !text.isEmpty else { return }
    if let line = text.brokenLine {
      mistakes = [TOMLMistake("this is no text in UTF-8", line: line)]
      return
    }
    while mistakes.count < Self.mostMistakes {
      do {
        let table = try TOMLKit.TOMLTable(string: text.string)
        // Its values point into it.
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
  /// The description without its "Error while parsing …: ".
  fileprivate var what: String {
    let parts = description.split(separator: ": ", maxSplits: 1)
    return parts.count == 2 && description.hasPrefix("Error while") ? String(parts[1]) : description
  }
}
