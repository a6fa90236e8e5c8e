extension UserCommand {
  static let searchCommands = [filter, nextMatch, previousMatch, copy]

  package static let filter = UserCommand(
    "filter", keys: ["/"], "search the page, or filter the log", shortSummary: "search",
    label: "Search"
  ) { state, _ in state.askForFilter() }
  package static let nextMatch = UserCommand(
    "next-match", keys: ["n"], "next match", reach: .none, label: "Next"
  ) { $0.goToMatch(by: 1, at: $1) }
  package static let previousMatch = UserCommand(
    "previous-match", keys: ["N"], "previous match", reach: .none, label: "Previous"
  ) { $0.goToMatch(by: -1, at: $1) }
  package static let copy = UserCommand(
    "copy", keys: ["y"], "copy the line, or the log as shown",
    shortSummary: "copy the line", reach: .none, label: "Copy"
  ) { $0.copyLine(at: $1) }
}

/// The behaviour of `/` on a page, and the words of its dialog.
struct PageSearch: Sendable {
  var title = "SEARCH"
  var explanation = "Goes to the first match; n and N to the others."
  /// Whether only matching lines are shown; otherwise the cursor goes to the first match.
  var narrows = false
}

extension TextEntry.Purpose {
  package static func search(on kind: PageKind) -> Self {
    Self(
      kind.search.title, kind.search.explanation, of: kind, follow: { $0.search(for: $1) }
    ) { state, _, timestamp in
      state.endSearch(at: timestamp)
    }
  }
}

extension State {
  fileprivate mutating func askForFilter() -> [Effect] {
    dialog = .entry(TextEntry(.search(on: page.kind), text: filter))
    return []
  }

  fileprivate mutating func search(for text: String) {
    filter = text
    if page.kind.search.narrows {
      page = page.with(line: 0)
    } else if let match = match(from: page.kind.cursor(self) ?? 0, by: 1) {
      page.kind.goTo(&self, match)
    }
  }

  /// Closes the entry; the cursor is already on the first match, if there is one.
  fileprivate mutating func endSearch(at timestamp: Timestamp) -> [Effect] {
    dialog = nil
    let isMissing =
      !filter.isEmpty && !page.kind.search.narrows
      && match(from: page.kind.cursor(self) ?? 0, by: 1) == nil
    guard isMissing else { return [] }
    let effects = noteNoMatch(at: timestamp)
    // Otherwise the footer would offer n.
    if page == .main { filter = "" }
    return effects
  }

  /// Moves the cursor to the next match, or to the previous one if `step` is -1, wrapping around.
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

  package func isMatch(_ text: String) -> Bool {
    !filter.isEmpty && text.lowercased().contains(filter.lowercased())
  }

  /// Returns the first match from `line` on, wrapping around, or nil if there is none.
  func match(from line: Int, by step: Int) -> Int? {
    let texts = page.kind.lines(self).map(\.text)
    guard !filter.isEmpty, !texts.isEmpty else { return nil }
    return texts.indices.lazy.map { offset in
      let place = (line + offset * step) % texts.count
      return place < 0 ? place + texts.count : place
    }.first { isMatch(texts[$0]) }
  }

  /// Copies the line under the cursor: the doctor's remedy, or the bytes in the inspector.
  mutating func copyLine(at timestamp: Timestamp) -> [Effect] {
    let lines = page.kind.lines(self)
    let text = page.line.flatMap { lines.element(at: $0)?.copied }
    guard let text, !text.isEmpty else { return explain("nothing to copy", at: timestamp) }
    return [.copy(text)] + say("copied, if the terminal allows it: \(text)", at: timestamp)
  }

}

extension Collection where Index == Int {
  func element(at place: Int) -> Element? {
    indices.contains(place) ? self[place] : nil
  }
}
