internal import BluetoothRadio
internal import CNcurses
internal import CTerminalGuard
internal import EventLoop
internal import Glibc

/// A terminal that shows screens and reads keys through ncurses.
///
/// Only one can be open at a time. It is isolated to the main actor because ncurses is neither
/// thread-safe nor reentrant. ``close()`` restores the terminal; so do crashes and, while
/// ``inputs`` are not read, a second SIGTERM or SIGINT.
///
/// Output never blocks: while the terminal reads nothing, only the newest screen is kept.
@MainActor
package final class CursesTerminal {
  /// The events from the terminal; ends when the terminal hangs up or is closed.
  package let inputs: AsyncStream<Input>
  package let symbols: Symbols

  let feed: AsyncStream<Input>.Continuation
  let signals: SignalPipe
  let input: Int32
  /// A pad for reading keys, because reading from a window draws it.
  let keys: cn_window
  var paste: PasteBuffer?
  var pasteLimit: Task<Void, Never>?
  /// The time without input after which a paste without an end mark ends.
  static let pasteTimeout = Duration.seconds(1)
  var sequences = ControlSequenceParser()
  var readers: [Task<Void, Never>] = []
  var pressed: CellPosition?

  private let screen: OpaquePointer
  private let streams: [UnsafeMutablePointer<FILE>]
  private let colors: Int
  let hasMouse: Bool
  private var theme: Theme
  private var backgroundChoice: BackgroundChoice
  private var reportedBackground: TerminalBackground?
  /// Whether the terminal has said that it shows a frame at once (mode 2026).
  var synchronizes = false
  /// The title and progress that were sent, or nil if the terminal has its own ones.
  var sentWindow: WindowInfo?
  /// Whether the terminal has answered OSC 11, and can be asked again for its colours.
  var reportsBackground = false
  var isFocused = true
  private var palette: Palette
  let modes: TerminalModes
  private let lines: LineModes
  private let bytes: CursesBytes
  let emitter: TerminalWriter
  private let leaveBytes: [UInt8]
  private var encoder = CellEncoder()
  /// The contents of the terminal once it has read everything that is queued.
  private var presented: Screen?
  /// The screen to show; while the terminal reads nothing, newer screens replace it.
  private var wanted: Screen?
  private var clipboard: String?
  private(set) var isOpen = true
  private(set) var isForeground = true

  /// Takes over the terminal: alternate screen, raw keys, and restoration however the process ends.
  package init(_ options: TerminalOptions = TerminalOptions()) throws(TerminalError) {
    guard isatty(options.input) == 1, isatty(options.output) == 1 else { throw .notATerminal }
    setlocale(LC_CTYPE, "")
    input = options.input
    var lines = try LineModes(of: options.output)
    // Before ncurses changes anything, so that a crash restores the shell's modes.
    let code = terminal_guard_arm(options.input)
    guard code == 0 else { throw .system(errno: code, during: "tcgetattr") }
    // Before ncurses too, as it sets its handlers only where there are none.
    signals = try SignalPipe()
    emitter = try TerminalWriter(options.output)
    do throws(TerminalError) {
      let opened = try Self.open(options, &lines)
      (screen, streams, keys) = (opened.screen, opened.streams, opened.keys)
      (self.lines, bytes) = (lines, opened.bytes)
      signals.restore()
    } catch {
      emitter.close()
      signals.close()
      terminal_guard_disarm()
      throw error
    }
    (inputs, feed) = AsyncStream.makeStream()
    colors = Self.startColors(wanted: options.hasColors)
    (theme, backgroundChoice, hasMouse) = (options.theme, options.background, options.hasMouse)
    palette = Palette(
      colors: colors, theme: options.theme,
      background: options.background.background ?? Self.assumedBackground,
      isTrue: TrueColor.isOffered)
    let symbols = options.symbols ?? Self.symbols()
    self.symbols =
      !options.usesWords ? symbols : symbols.repertoire == .ascii ? .asciiWords : .words
    modes = TerminalModes(hasMouse: options.hasMouse)
    leaveBytes = modes.leaveBytes()
    leaveBytes.withUnsafeBytes { terminal_guard_set_leave($0.baseAddress, $0.count) }
    emitter.onEmpty = { [weak self] in self?.catchUp() }
    sendDrawn(modes.enter() + backgroundQuery + synchronizationQuery)
    startReading()
  }

  package var size: Size { Size(columns: Int(cn_cols()), rows: Int(cn_lines())) }

  /// Sends what differs from the last screen, without waiting; a stalled terminal gets it later.
  package func present(_ screen: Screen) {
    wanted = screen
    draw()
  }

  private func draw() {
    guard isOpen, isForeground, !emitter.isBusy, let screen = wanted else { return }
    let rows = min(screen.size.rows, size.rows)
    for row in 0..<rows where presented.map({ $0.differs(from: screen, row: row) }) ?? true {
      encoder.write(screen.row(row), row: row, columns: size.columns, palette: palette)
    }
    presented = screen
    if let cursor = screen.cursor {
      wmove(cn_stdscr(), Int32(cursor.row), Int32(cursor.column))
    }
    wnoutrefresh(cn_stdscr())
    doupdate()
    let frame = TrueColor.translated(bytes.drain(), palette.meanings)
    let window = windowChange(to: screen.window)
    guard synchronizes, !frame.isEmpty else { return emitter.send(frame + window.utf8) }
    emitter.send(
      Array(TerminalSequence.beginFrame.utf8) + frame
        + (TerminalSequence.endFrame + window).utf8)
  }

  func sendDrawn(_ more: String = "") {
    emitter.send(TrueColor.translated(bytes.drain(), palette.meanings) + more.utf8)
  }

  private func catchUp() {
    guard isOpen, isForeground else { return }
    if let text = clipboard { copy(text) }
    draw()
  }

  package func redraw() {
    clearok(cn_curscr(), true)
    presented = nil
    draw()
  }

  /// Asks the terminal to copy text to its clipboard, which no terminal confirms.
  ///
  /// While the terminal reads nothing, the newest text waits.
  package func copy(_ text: String) {
    guard isOpen, isForeground else { return }
    clipboard = emitter.isBusy ? text : nil
    if clipboard == nil { emitter.send(clipboardSequence(text)) }
  }

  /// Changes theme and background, and redraws; `auto` queries the terminal once.
  package func apply(_ theme: Theme, background: BackgroundChoice) {
    guard isOpen else { return }
    let wasAsked = backgroundChoice == .auto
    (self.theme, backgroundChoice) = (theme, background)
    if !wasAsked, isForeground { sendDrawn(backgroundQuery) }
    recolour()
  }

  func adopt(_ background: TerminalBackground) {
    guard isOpen, backgroundChoice == .auto, reportedBackground != background else { return }
    let before = reportedBackground ?? Self.assumedBackground
    reportedBackground = background
    if before != background { recolour() }
  }

  private func recolour() {
    let background = backgroundChoice.background ?? reportedBackground ?? Self.assumedBackground
    palette = Palette(
      colors: colors, theme: theme, background: background, isTrue: TrueColor.isOffered)
    redraw()
  }

  /// The background according to `COLORFGBG`, which few terminals set, else dark.
  private static var assumedBackground: TerminalBackground {
    getenv("COLORFGBG").flatMap { TerminalBackground(variable: String(cString: $0)) } ?? .dark
  }

  /// The OSC 11 query, or "" if its answer is not needed or the Linux console would show the query.
  var backgroundQuery: String {
    let name = termname().map { String(cString: $0) } ?? ""
    return colors >= 8 && backgroundChoice == .auto && name != "linux"
      ? TerminalBackground.query : ""
  }

  /// Stops the process as ^Z does; returns after SIGCONT and redraws the screen.
  package func suspend() {
    guard isOpen else { return }
    leave()
    terminal_guard_stop()
    // The SIGCONT that continued the process is handled here.
    for signal in signals.drain() where signal != SIGCONT { handle(signal: signal) }
    comeBack()
  }

  /// Lends the terminal to commands that the user follows, and takes it back afterwards.
  ///
  /// Nothing is drawn or read meanwhile, and signals from keys are ignored, as with system(3).
  ///
  /// - Returns: The result of `commands`, or nil if the terminal is closed.
  package func lend<Result>(to commands: () -> Result) -> Result? {
    guard isOpen else { return nil }
    leave()
    var ignoring = sigaction()
    ignoring.__sigaction_handler.sa_handler = SIG_IGN
    let actions = [SIGINT, SIGQUIT, SIGTSTP].map { number in
      var before = sigaction()
      sigaction(number, &ignoring, &before)
      return (number, before)
    }
    let result = commands()
    for (number, before) in actions {
      var before = before
      sigaction(number, &before, nil)
    }
    comeBack()
    return result
  }

  /// Restores the terminal; nothing is drawn or read afterwards.
  ///
  /// Call this method before the process exits: a task may keep the object alive.
  package func close() {
    guard isOpen else { return }
    for reader in readers { reader.cancel() }
    for descriptor in [input, signals.readEnd] { PollLoop.shared.endWaits(for: descriptor) }
    feed.finish()
    leave()
    isOpen = false
    terminal_guard_disarm()
    emitter.close()
    delwin(keys.window)
    delscreen(screen)
    TerminalType.opened = nil
    for stream in streams { fclose(stream) }
    signals.close()
  }

  private func leave() {
    guard isForeground else { return }
    let more = modes.leave()
    endwin()
    sendDrawn(more)
    emitter.finish(orElse: leaveBytes)
    lines.giveToShell()
  }

  /// Takes the terminal again if the process is in the foreground.
  ///
  /// In the background, changing the terminal's modes would stop the process again.
  func comeBack() {
    let group = tcgetpgrp(input)
    isForeground = group == getpgrp() || group < 0
    // Another program has drawn on the terminal: queued output is obsolete.
    emitter.clear()
    guard isOpen, isForeground else { return }
    lines.giveToScreen()
    if !isendwin() { endwin() }
    sendDrawn(modes.enter())
    sentWindow = nil
    // The user who continues the process looks at it.
    if !isFocused { focus(true) }
    clearok(cn_curscr(), true)
    adoptSize()
  }

  func adoptSize() {
    if let size = Size(ofTerminal: input) { resizeterm(Int32(size.rows), Int32(size.columns)) }
    presented = nil
    werase(cn_stdscr())
    feed.yield(.resized(size))
  }
}

package struct TerminalOptions: Sendable {
  /// The terminal type, or nil for that of the environment's TERM.
  package var type: String?
  package var input: Int32 = 0
  package var output: Int32 = 1
  /// Whether to use colours; otherwise only bold, dim and reversed, as with NO_COLOR.
  package var hasColors = true
  package var theme = Theme.standard
  package var background = BackgroundChoice.auto
  /// The symbols, or nil to choose them by locale and terminal.
  package var symbols: Symbols?
  /// Whether words replace symbols, and the terminal's cursor is visible, as screen readers need.
  package var usesWords = false
  /// Whether mouse presses are reported, which disables the terminal's text selection.
  package var hasMouse = false

  package init() {}
}

/// The reason why there is no screen; commands work without one.
package enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  case notATerminal
  /// The terminfo database has no entry for TERM or a similar type.
  case unknownType(String)
  case cannotPlace(String)
  case system(errno: Int32, during: String)

  package var description: String {
    switch self {
    case .notATerminal:
      "standard input and output are not a terminal; use a command such as `earshot status` here"
    case .unknownType(let type):
      "the terminal type \"\(type)\" (TERM) is not known on this machine; "
        + "try TERM=xterm-256color, or install the package ncurses-term"
    case .cannotPlace(let type):
      "the terminal type \"\(type)\" (TERM) has no screen to draw on; "
        + "use a command such as `earshot status` here, or set TERM to what the terminal is"
    case .system(let code, let during):
      "no screen: \(during): \(describeErrno(code))"
    }
  }
}
