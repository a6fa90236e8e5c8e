/// A page without its cursor: its title, its commands, and its lines, which can be searched and copied.
///
/// A page declares one such value in its file, and everything else is a loop over ``allCases``: keys,
/// key table, docs, movement, search and copying.
///
/// ```swift
/// extension PageKind {
///   public static let touch = PageKind(
///     "Touch actions",
///     commands: PageCommand.lines + [PageCommand(.refresh, "read the actions again") { … }],
///     lines: { state in TouchPlace.allCases.map { PageLine(state.touchText($0)) } })
/// }
/// ```
public struct PageKind: Sendable {
  /// The heading in tables of keys; no two pages have the same.
  public let title: String
  /// The commands that the page lists, with its own words and actions.
  let commands: [PageCommand]
  /// What the cursor can be on, and what a search finds, from the top.
  let lines: @Sendable (State) -> [PageLine]
  let search: PageSearch
  /// The index of the cursor among the lines.
  let cursor: @Sendable (State) -> Int?
  /// Moves the cursor to a line, which exists.
  let goTo: @Sendable (inout State, Int) -> Void
  /// Whether something runs while a screen shows the page.
  let runsWhileShown: Bool

  /// - Parameters:
  ///   - cursor: Where it is not the page's ``Page/line``.
  ///   - goTo: The same.
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

  /// The kind of a page, wherever its cursor is.
  public init(_ page: Page) { self = page.kind }
}

extension PageKind: Hashable, CaseIterable, CustomStringConvertible {
  /// In the order of the key tables.
  public static let allCases: [PageKind] = [
    .main, .help, .log, .info, .doctor, .firmware, .inspector, .equaliser, .touch, .pairedDevices,
    .broadcasts, .scenes, .correction, .soundSettings, .finder,
  ]

  public static func == (one: PageKind, other: PageKind) -> Bool { one.title == other.title }
  public func hash(into hasher: inout Hasher) { hasher.combine(title) }
  public var description: String { title }
}

extension State {
  /// Counts the screens that show a page for which something runs, after an action on one of them.
  ///
  /// - Parameter before: The page that this screen showed before the action.
  mutating func countScreens(since before: PageKind) {
    for (kind, change) in [(before, -1), (page.kind, 1)] where kind.runsWhileShown {
      let count = screens[kind, default: 0] + change
      screens[kind] = count > 0 ? count : nil
    }
  }
}

/// A line of a page.
struct PageLine: Sendable {
  /// What a search finds.
  var text: String
  /// What is copied; nil: nothing.
  var copied: String?

  init(_ text: String, copied: String?) {
    self.text = text
    self.copied = copied
  }

  /// A line that is copied as it is.
  init(_ text: String) { self.init(text, copied: text) }
}
