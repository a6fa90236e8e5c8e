internal import AudioRoute
package import Companion

/// Returns whether the way of the sound moves on screen; the animation timer runs only then.
package func hasMotion(_ state: State) -> Bool {
  guard state.page == .main, state.dialog == nil, let headphone = state.headphones.selected,
    case .connected(let sink, _) = state.route(of: headphone)
  else { return false }
  return sink.activity == .running
}

/// Returns the screen of `state`: the page, with an open dialog over it.
///
/// The result depends on the arguments only, not on a clock, a locale or a terminal. Every size is
/// drawn, down to one cell.
///
/// - Parameter state: The state as this screen sees it; see ``/Companion/State/seen(from:)``.
package func view(_ state: State, size: Size, style: Style = Style()) -> Screen {
  var drawing = Drawing(size: size, style: style, thresholds: state.preferences.thresholds)
  guard !drawing.screen.area.isEmpty else { return drawing.screen }
  drawing.screen.window = WindowInfo(state)
  drawing.places = state.headphonePlaces
  drawing.draw(state.page, state)
  switch state.dialog {
  case .question(let question): drawing.ask(question, state)
  case .entry(let entry): drawing.entry(entry)
  case .soundChoice(let choice): drawing.soundChoice(choice)
  case .theme(let choice): drawing.themeChoice(choice)
  case .commands(let search): drawing.commandSearch(search, state)
  case .pairing(let open): drawing.pairing(open, state)
  case nil: break
  }
  // The reader's cursor is never where curses has written last.
  if style.symbols.areWords, drawing.screen.cursor == nil {
    drawing.screen.cursor = CellPosition(column: 0, row: 0)
  }
  return drawing.screen
}

struct PageView: Sendable {
  let kind: PageKind
  /// The keys in the footer, the most important first; by default those that the page declares.
  let hints: @Sendable (Drawing, State) -> [KeyHint?]
  /// Draws the page; while help covers it, `state.page` is the help page.
  let draw: @Sendable (inout Drawing, State, Page) -> Void
  /// The columns of a sheet over the main page, or nil for a page that fills the screen.
  let sheetColumns: Int?

  init(
    _ kind: PageKind,
    sheetColumns: Int? = nil,
    hints: @escaping @Sendable (Drawing, State) -> [KeyHint?] = { $0.declaredHints($1) },
    draw: @escaping @Sendable (inout Drawing, State, Page) -> Void
  ) {
    self.kind = kind
    self.sheetColumns = sheetColumns
    self.hints = hints
    self.draw = draw
  }

  static let all: [PageView] = [
    .main, .help, .log, .info, .doctor, .security, .firmware, .inspector, .equaliser, .touch,
    .pairedDevices,
    .broadcasts, .scenes, .correction, .soundSettings, .finder,
  ]

  static func of(_ page: Page) -> PageView? { all.first { $0.kind == page.kind } }
}

extension Drawing {
  mutating func draw(_ page: Page, _ state: State) {
    guard let view = PageView.of(page) else { return }
    sheetColumns = view.sheetColumns
    view.draw(&self, state, page)
  }
}
