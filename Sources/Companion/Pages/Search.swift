import BluetoothCodec
import HeadphoneProtocols

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
    "next-match", keys: ["n"], "on other pages: next match", shortSummary: "next match",
    reach: .none, label: "Next"
  ) { $0.goToMatch(by: 1, at: $1) }
  package static let previousMatch = UserCommand(
    "previous-match", keys: ["N"], "on other pages: previous match",
    shortSummary: "previous match", reach: .none, label: "Previous"
  ) { $0.goToMatch(by: -1, at: $1) }
  /// Copies the line of the cursor, or what a page shows, to the clipboard.
  package static let copy = UserCommand(
    "copy", keys: ["y"], "on other pages: copy the line, or the log that is shown",
    shortSummary: "copy the line", reach: .none, label: "Copy"
  ) { $0.copyLine(at: $1) }
}

/// The search on pages with lines; the log shows only what matches.
extension State {
  /// Goes to the next line with the text that was searched for, round the ends.
  ///
  /// - Parameter step: 1 for the next match, -1 for the previous one.
  mutating func goToMatch(by step: Int, at timestamp: Timestamp) -> [Effect] {
    guard let line = searchedLine else { return [] }
    guard !filter.isEmpty else { return askForFilter() }
    guard let match = match(from: line + step, by: step) else {
      return explain("no match for \"\(filter)\"", at: timestamp)
    }
    goTo(searchedLine: match)
    return []
  }

  /// The line of the cursor among those that are searched; nil: the page has none.
  var searchedLine: Int? {
    switch page {
    case .main: headphones.firstIndex { $0.id == headphones.selected?.id }
    case .equaliser(let editor): equaliserRows.firstIndex(of: editor.row)
    default: page.line
    }
  }

  /// - Parameter line: An index of the lines that are searched, which must exist.
  mutating func goTo(searchedLine line: Int) {
    switch page {
    case .main:
      focus = .headphones
      _ = select(headphones[line].id)
    case .equaliser(var editor):
      editor.row = equaliserRows[line]
      page = .equaliser(editor)
    default: page = page.with(line: line)
    }
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
    case .main: headphones.map(\.name)
    case .firmware: []
    case .equaliser: equaliserRows.map { equaliserTitle($0) }
    case .help: UserCommand.allCases.map(\.summary)
    case .log: logLines.map(\.text)
    case .info: infoLines.map(\.text)
    case .doctor: diagnosis?.map(\.text) ?? []
    case .inspector: inspectorEntries.map(\.text)
    case .touch: TouchPlace.allCases.map(touchText)
    case .pairedDevices: pairedDeviceLines.map(pairedDeviceText)
    }
  }
}

extension State {
  /// What a search finds of a row of the equaliser's page.
  private func equaliserTitle(_ row: EQEditor.Row) -> String {
    switch row {
    case .preset:
      headphones.selected?.capabilities?.eqPresets.map(\.title).joined(separator: " ") ?? ""
    case .band(let band):
      headphones.selected?.capabilities.flatMap { EQBands($0) }?.title(band) ?? ""
    case .saved(let name): name
    }
  }

  // MARK: What a line is used for

  /// Copies the line of the cursor, on the log's page all that is shown.
  ///
  /// The doctor's remedy is copied rather than what was found, since it is a command to run; of an
  /// attribute, its bytes.
  mutating func copyLine(at timestamp: Timestamp) -> [Effect] {
    let text: String? =
      switch page {
      case .info(let line): infoLines.element(at: line)?.value
      case .doctor(let line): diagnosis?.element(at: line).map { $0.remedy ?? $0.what }
      case .inspector(let line): inspectorEntries.element(at: line).map(copyText)
      case .touch(let line): TouchPlace.allCases.element(at: line).map(touchText)
      case .pairedDevices(let line): pairedDeviceLines.element(at: line)?.address.description
      case .help(let line): UserCommand.allCases.element(at: line)?.name
      case .main, .log, .firmware, .equaliser: nil
      }
    guard let text, !text.isEmpty else { return explain("nothing to copy", at: timestamp) }
    return [.copy(text)] + say("copied, if the terminal allows it: \(text)", at: timestamp)
  }

  /// The value of an attribute as it was last seen, or its title.
  private func copyText(of entry: InspectorEntry) -> String {
    guard let handle = entry.handle,
      case .bytes(let bytes, _) = headphones.selected?.inspection?.values[handle]?.content
    else { return entry.text }
    return hexadecimalText(bytes)
  }

  /// Enter on a line of the help: what the key there does on the main page.
  mutating func runFromHelp(at timestamp: Timestamp) -> [Effect] {
    guard case .help(let line) = page, let command = UserCommand.allCases.element(at: line),
      command != .help
    else { return [] }
    page = .main
    filter = ""
    return pressAndClearNotice(command, at: timestamp)
  }
}

extension Collection where Index == Int {
  /// The element at a place; nil: there is none.
  func element(at place: Int) -> Element? {
    indices.contains(place) ? self[place] : nil
  }
}

extension InfoLine {
  /// What a search finds.
  public var text: String { "\(label) \(value ?? "")" }
}

extension DiagnosticResult {
  /// What a search finds.
  public var text: String { "\(check.title) \(check.rawValue) \(what) \(remedy ?? "")" }
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
