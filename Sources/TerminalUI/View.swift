internal import AudioRoute
public import Companion

/// Whether something moves on the screen of a state: the sound on its way to the headphone.
///
/// Where nothing does, no timer is needed.
///
/// The program runs a timer only while this is true and the option for it is on, so that an idle
/// screen costs nothing.
public func hasMotion(_ state: State) -> Bool {
  guard state.page == .main, state.dialog == nil, let headphone = state.headphones.selected,
    case .connected(let sink, _) = state.route(of: headphone)
  else { return false }
  return sink.activity == .running
}

/// The screen of a state: pure, so that it can be compared in tests.
///
/// Every size is drawn, down to one cell.
///
/// The page first, then the dialog over it. What is drawn depends on nothing but the arguments: no
/// clock, no locale, no terminal.
///
/// ```swift
/// let screen = view(state, size: Size(columns: 80, rows: 24))
/// #expect(screen.text(row: 0).contains("Nothing Ear (2)"))
/// ```
///
/// - Parameters:
///   - state: As this screen sees it, see ``/Companion/State/seen(from:)``.
///   - size: Of the terminal; any size, also 0.
///   - style: Symbols, keys, and the frame of an animation.
/// - Returns: A screen of exactly that size.
public func view(_ state: State, size: Size, style: Style = Style()) -> Screen {
  var drawing = Drawing(size: size, style: style, thresholds: state.thresholds)
  guard !drawing.screen.area.isEmpty else { return drawing.screen }
  drawing.draw(state.page, state)
  switch state.dialog {
  case .question(let question): drawing.ask(question, state)
  case .entry(let entry): drawing.entry(entry, state)
  case .soundChoice(let choice): drawing.soundChoice(choice)
  case .theme(let choice): drawing.themeChoice(choice)
  case .pairing(let open): drawing.pairing(open, state)
  case nil: break
  }
  return drawing.screen
}

extension Drawing {
  fileprivate mutating func draw(_ page: Page, _ state: State) {
    switch page {
    case .plain(.firmware): firmwarePage(state)
    case .plain(.finder): finderPage(state)
    case .plain: mainPage(state)
    case .list(.log, let line): logPage(state, line: line)
    case .list(.info, let line): infoPage(state, line: line)
    case .list(.doctor, let line): doctorPage(state, line: line)
    case .list(.touch, let line): touchPage(state, line: line)
    case .list(.broadcasts, let line): broadcastsPage(state, line: line)
    case .list(.pairedDevices, let line): pairedDevicesPage(state, line: line)
    case .list(.correction, let line): correctionPage(state, line: line)
    case .list(.scenes, let line): scenesPage(state, line: line)
    case .list(.soundSettings, let line): soundSettingsPage(state, line: line)
    case .list(_, let line): inspectorPage(state, line: line)
    case .equaliser(let editor): equaliserPage(state, editor)
    case .help(let behind, let line):
      draw(behind, state)
      help(state, line: line)
    }
  }
}
