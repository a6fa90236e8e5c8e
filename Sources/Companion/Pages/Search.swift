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

/// What `/` does on a page, in the words of its dialog.
struct PageSearch: Sendable {
  var title = "SEARCH"
  var explanation = "Goes to the first match; n and N to the others."
  /// Whether only what matches is shown; otherwise the cursor goes to the first match.
  var narrows = false
}

extension TextEntry.Purpose {
  /// Narrows the log, or is searched for on other pages.
  package static func search(on kind: PageKind) -> Self {
    Self(
      kind.search.title, kind.search.explanation, of: kind, follow: { $0.search(for: $1) }
    ) { state, _, timestamp in
      state.endSearch(at: timestamp)
    }
  }
}

/// The search on pages with lines; the log shows only what matches.
extension State {
  /// `/`: the text that is searched for, or the log is narrowed to, beginning with the present one.
  fileprivate mutating func askForFilter() -> [Effect] {
    dialog = .entry(TextEntry(.search(on: page.kind), text: filter))
    return []
  }

  /// The log shows only what matches; on other pages the cursor goes to the first match at or after
  /// it.
  fileprivate mutating func search(for text: String) {
    filter = text
    if page.kind.search.narrows {
      page = page.with(line: 0)
    } else if let match = match(from: page.kind.cursor(self) ?? 0, by: 1) {
      page.kind.goTo(&self, match)
    }
  }

  /// Enter on the text: the cursor is on the match already, where there is one.
  fileprivate mutating func endSearch(at timestamp: Timestamp) -> [Effect] {
    dialog = nil
    let isMissing =
      !filter.isEmpty && !page.kind.search.narrows
      && match(from: page.kind.cursor(self) ?? 0, by: 1) == nil
    guard isMissing else { return [] }
    let effects = noteNoMatch(at: timestamp)
    // The footer would name n for it.
    if page == .main { filter = "" }
    return effects
  }

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
