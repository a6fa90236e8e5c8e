/// The search on pages with lines; the log shows only what matches.
extension State {
  /// Goes to the next line with the text that was searched for, round the ends.
  mutating func goToMatch(by step: Int, at timestamp: Timestamp) -> [Effect] {
    guard let line = page.line else { return [] }
    guard !filter.isEmpty else { return askForFilter() }
    guard let match = match(from: line + step, by: step) else {
      return say("no line has \"\(filter)\"", at: timestamp)
    }
    page = page.with(line: match)
    return []
  }

  /// Whether a line of the page has the text that is searched for.
  public func isMatch(_ text: String) -> Bool {
    !filter.isEmpty && text.lowercased().contains(filter.lowercased())
  }

  /// The first line that matches, from one on and round the ends; nil: none does.
  func match(from line: Int, by step: Int) -> Int? {
    let texts = searchedLines
    guard !filter.isEmpty, !texts.isEmpty else { return nil }
    return texts.indices.lazy.map { offset in
      let place = (line + offset * step) % texts.count
      return place < 0 ? place + texts.count : place
    }.first { isMatch(texts[$0]) }
  }

  /// The text of each line of the page.
  private var searchedLines: [String] {
    switch page {
    case .main, .firmware, .equaliser: []
    case .help: UserCommand.allCases.map(\.summary)
    case .log: logLines.map(\.text)
    case .info: infoLines.map(\.text)
    case .doctor: findings?.map(\.text) ?? []
    case .inspector: inspectorEntries.map(\.text)
    }
  }
}

extension InfoLine {
  /// What a search finds.
  public var text: String { "\(label) \(value ?? "")" }
}

extension Finding {
  /// What a search finds.
  public var text: String { "\(check.rawValue) \(what) \(remedy ?? "")" }
}

extension InspectorEntry {
  /// What a search finds.
  fileprivate var text: String {
    switch self {
    case .service(let service): service.title
    case .characteristic(let one): one.title
    case .descriptor(let one): one.title
    }
  }
}
