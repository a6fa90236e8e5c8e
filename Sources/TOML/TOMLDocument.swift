/// A TOML 1.0 document in which a syntax error costs only its line.
package struct TOMLDocument: Hashable, Sendable {
  package private(set) var root = TOMLTable()
  /// The syntax errors in the order of their lines; empty for a valid document.
  package private(set) var mistakes: [TOMLMistake] = []

  private(set) var statements: [TOMLStatement] = []

  /// The number of syntax errors after which the rest of the document is ignored.
  static let mostMistakes = 20

  /// Parses a document; never fails.
  ///
  /// Text that is not UTF-8 or has a zero byte results in an empty table and one mistake. O(*n*) in
  /// the length of the text for each syntax error.
  package init(parsing text: some Sequence<UInt8>) {
    var text = TOMLText(text)
    if let line = text.brokenLine {
      mistakes = [TOMLMistake("this is not UTF-8 text", line: line)]
      return
    }
    while mistakes.count < Self.mostMistakes {
      do throws(TOMLMistake) {
        var parser = TOMLParser(text.bytes)
        root = try parser.parse()
        statements = parser.statements
        break
      } catch {
        let line = text.line(near: error.line)
        mistakes.append(TOMLMistake(error.what, line: line))
        text.drop(line)
      }
    }
    mistakes.sort { $0.line < $1.line }
  }
}
