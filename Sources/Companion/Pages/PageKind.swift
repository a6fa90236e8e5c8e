/// A page without its cursor: its title, commands and lines.
///
/// Each page declares one such value. The key table, documentation, movement, search and copying
/// are derived from ``allCases``.
///
/// ```swift
/// extension PageKind {
///   public static let touch = PageKind(
///     "Touch actions",
///     commands: PageCommand.lines + [PageCommand(.refresh, "read the actions again") { … }],
///     lines: { state in state.touchLines.gestures.map { PageLine(state.touchText($0)) } })
/// }
/// ```
package struct PageKind: Sendable {
  /// The unique title, a heading in key tables.
  package let title: String
  let commands: [PageCommand]
  /// The lines that the cursor moves over and that a search looks through.
  let lines: @Sendable (State) -> [PageLine]
  let search: PageSearch
  let cursor: @Sendable (State) -> Int?
  let goTo: @Sendable (inout State, Int) -> Void
  /// Whether something runs while a screen shows the page.
  let runsWhileShown: Bool

  /// Creates a page; `cursor` gives the cursor's index, by default the page's ``Page/line``.
  init(
    _ title: String, commands: [PageCommand],
    lines: @escaping @Sendable (State) -> [PageLine] = { _ in [] },
    search: PageSearch = PageSearch(),
    cursor: @escaping @Sendable (State) -> Int? = { $0.page.line },
    goTo: @escaping @Sendable (inout State, Int) -> Void = {
      $0.page = $0.page.with(line: $1)
    },
    runsWhileShown: Bool = false
  ) {
    self.title = title
    self.commands = commands
    self.lines = lines
    self.search = search
    self.cursor = cursor
    self.goTo = goTo
    self.runsWhileShown = runsWhileShown
  }

  package init(_ page: Page) { self = page.kind }
}

extension PageKind: Hashable, CaseIterable, CustomStringConvertible {
  package static let allCases: [PageKind] = [
    .main, .help, .log, .info, .doctor, .security, .firmware, .inspector, .equaliser, .touch,
    .pairedDevices,
    .broadcasts, .scenes, .correction, .soundSettings, .finder,
  ]

  package static func == (one: PageKind, other: PageKind) -> Bool { one.title == other.title }
  package func hash(into hasher: inout Hasher) { hasher.combine(title) }
  package var description: String { title }
}

extension State {
  /// The page for which something runs; in an unfocused window only the finder, read from afar.
  var runningPage: PageKind? {
    let kind = page.kind
    return kind.runsWhileShown && !(isUnfocused && kind == .info) ? kind : nil
  }

  /// Counts the screens with a page for which something runs; this screen's was `before`.
  mutating func countScreens(since before: PageKind?) {
    for case (let kind?, let change) in [(before, -1), (runningPage, 1)] {
      let count = screens[kind, default: 0] + change
      screens[kind] = count > 0 ? count : nil
    }
  }
}

struct PageLine: Sendable {
  /// The text that a search matches.
  var text: String
  var copied: String?

  init(_ text: String, copied: String?) {
    self.text = text
    self.copied = copied
  }

  init(_ text: String) { self.init(text, copied: text) }
}
