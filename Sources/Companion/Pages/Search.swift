extension UserCommand {
  /// Commands of pages with text.
  static let searchCommands = [filter, nextMatch, previousMatch, copy]

  /// Narrows the log, or searches the page.
  package static let filter = UserCommand(
    "filter", keys: ["/"], "search the page, or filter the log", shortSummary: "search",
    label: "Search"
  ) { state, _ in state.askForFilter() }
  /// Goes to another line with the text that was searched for.
  package static let nextMatch = UserCommand(
    "next-match", keys: ["n"], "next match", reach: .none, label: "Next"
  ) { $0.goToMatch(by: 1, at: $1) }
  package static let previousMatch = UserCommand(
    "previous-match", keys: ["N"], "previous match", reach: .none, label: "Previous"
  ) { $0.goToMatch(by: -1, at: $1) }
  /// Copies the line of the cursor, or what a page shows, to the clipboard.
  package static let copy = UserCommand(
    "copy", keys: ["y"], "copy the line, or the log as shown",
    shortSummary: "copy the line", reach: .none, label: "Copy"
  ) { $0.copyLine(at: $1) }
}

/// The search on pages with lines; the log shows only what matches.
extension State {
  /// Goes to the next line with the text that was searched for, round the ends.
  ///
  /// - Parameter step: 1 for the next match, -1 for the previous one.
  mutating func goToMatch(by step: Int, at timestamp: Timestamp) -> [Effect] {
    guard let line = page.kind.cursor(self) else { return [] }
    guard !filter.isEmpty else { return askForFilter() }
    guard let match = match(from: line + step, by: step) else { return noteNoMatch(at: timestamp) }
    page.kind.goTo(&self, match)
    return []
  }

  mutating func noteNoMatch(at timestamp: Timestamp) -> [Effect] {
    explain("no match for \"\(filter)\"", at: timestamp)
  }

  /// Whether a line of the page has the text that is searched for.
  ///
  /// Plain text without regard to case, no pattern language.
  public func isMatch(_ text: String) -> Bool {
    !filter.isEmpty && text.lowercased().contains(filter.lowercased())
  }

  /// The first line that matches, from one on and round the ends; nil: none does.
  ///
  /// - Parameters:
  ///   - line: Where to begin; this line itself may match.
  ///   - step: 1 or -1.
  func match(from line: Int, by step: Int) -> Int? {
    let texts = page.kind.lines(self).map(\.text)
    guard !filter.isEmpty, !texts.isEmpty else { return nil }
    return texts.indices.lazy.map { offset in
      let place = (line + offset * step) % texts.count
      return place < 0 ? place + texts.count : place
    }.first { isMatch(texts[$0]) }
  }

  /// Copies the line of the cursor, on the log's page all that is shown.
  ///
  /// The doctor's remedy is copied rather than what was found, since it is a command to run; of an
  /// attribute, its bytes.
  mutating func copyLine(at timestamp: Timestamp) -> [Effect] {
    let lines = page.kind.lines(self)
    let text = page.line.flatMap { lines.element(at: $0)?.copied }
    guard let text, !text.isEmpty else { return explain("nothing to copy", at: timestamp) }
    return [.copy(text)] + say("copied, if the terminal allows it: \(text)", at: timestamp)
  }

}

extension Collection where Index == Int {
  /// The element at a place; nil: there is none.
  func element(at place: Int) -> Element? {
    indices.contains(place) ? self[place] : nil
  }
}
