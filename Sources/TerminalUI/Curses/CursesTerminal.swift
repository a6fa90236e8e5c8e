internal import Bluetooth
internal import CNcurses
internal import CTerminalGuard
internal import EventLoop
internal import Glibc

/// A terminal that shows screens and reads keys through ncurses: the last step of output, the
/// first of input.
///
/// There is one at a time. It stands on the main actor because ncurses is neither thread-safe nor
/// reentrant. ``close()`` gives the terminal back; so do crashes and, while ``inputs`` are not
/// read, a second SIGTERM or SIGINT.
///
/// ```swift
/// let terminal = try CursesTerminal()
/// defer { terminal.close() }
/// terminal.present(view(state, size: terminal.size))
/// for await input in terminal.inputs {
///   if case .resized(let size) = input { terminal.present(view(state, size: size)) }
/// }
/// ```
///
/// Output never blocks: a frame is written as fast as the terminal reads, and while it reads
/// nothing only the newest screen is kept. Input is read when the descriptor is readable; nothing
/// polls.
@MainActor
public final class CursesTerminal {
  /// The input from the terminal; finishes when it hangs up or is closed.
  public let inputs: AsyncStream<Input>
  /// The symbols that this terminal can show.
  public let symbols: Symbols

  let feed: AsyncStream<Input>.Continuation
  let signals: SignalPipe
  let input: Int32
  /// Where keys are read: a pad, because reading from a window draws it.
  let keys: cn_window
  var paste: PasteBuffer?
  /// Ends ``paste``.
  var pasteLimit: Task<Void, Never>?
  /// The time without input after which a paste ends that has no end mark.
  static let pasteTimeout = Duration.seconds(1)
  var sequences = ControlSequenceParser()
  var readers: [Task<Void, Never>] = []

  private let screen: OpaquePointer
  private let streams: [UnsafeMutablePointer<FILE>]
  private let colors: Int
  let hasMouse: Bool
  private var theme: Theme
  private var backgroundChoice: BackgroundChoice
  /// What the terminal has answered; nil: nothing yet.
  private var reportedBackground: TerminalBackground?
  private var palette: Palette
  private let modes: TerminalModes
  private let lines: LineModes
  private let bytes: CursesBytes
  private let emitter: TerminalWriter
  private let leaveBytes: [UInt8]
  private var encoder = CellEncoder()
  /// What the terminal shows, as soon as it has read all that is on its way.
  private var presented: Screen?
  /// What it is to show: while it reads nothing, the newest takes the place of older ones.
  private var wanted: Screen?
  private var clipboard: String?
  private var isOpen = true
  /// False while a shell has the terminal.
  private var isForeground = true

  /// Takes over the terminal: alternate screen, raw keys, and a way back for whatever ends the
  /// process.
  ///
  /// - Throws: ``TerminalError``, with the terminal as it was.
  /// - Parameter options: Descriptors, colours, symbols and the mouse.
  public init(_ options: TerminalOptions = TerminalOptions()) throws(TerminalError) {
    guard isatty(options.input) == 1, isatty(options.output) == 1 else { throw .notATerminal }
    setlocale(LC_CTYPE, "")
    input = options.input
    var lines = try LineModes(of: options.output)
    // Before ncurses changes anything, so that what a crash restores is the shell's.
    let code = terminal_guard_arm(options.input)
    guard code == 0 else { throw .system(errno: code, during: "tcgetattr") }
    // Before ncurses too: it sets its own handlers only where there are none.
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
    symbols = options.symbols ?? Self.symbols()
    modes = TerminalModes(hasMouse: options.hasMouse)
    leaveBytes = modes.leaveBytes()
    leaveBytes.withUnsafeBytes { terminal_guard_set_leave($0.baseAddress, $0.count) }
    emitter.onEmpty = { [weak self] in self?.catchUp() }
    sendDrawn(modes.enter() + backgroundQuery)
    startReading()
  }

  /// Columns and rows of the terminal now.
  public var size: Size { Size(columns: Int(cn_cols()), rows: Int(cn_lines())) }

  /// Shows a screen; only what differs from the one before goes to the terminal.
  ///
  /// Never waits: a terminal that reads nothing now gets the newest screen when it reads again.
  public func present(_ screen: Screen) {
    wanted = screen
    draw()
  }

  /// One frame: the rows that differ go to curses, and what curses writes goes to the terminal.
  private func draw() {
    guard isOpen, isForeground, !emitter.isBusy, let screen = wanted else { return }
    let rows = min(screen.size.rows, size.rows)
    for row in 0..<rows where presented.map({ $0.differs(from: screen, row: row) }) ?? true {
      encoder.write(screen.row(row), row: row, columns: size.columns, palette: palette)
    }
    presented = screen
    wnoutrefresh(cn_stdscr())
    doupdate()
    sendDrawn()
  }

  /// Sends what curses has written since the last frame, with colours translated, and `more` after
  /// it.
  private func sendDrawn(_ more: String = "") {
    emitter.send(TrueColor.translated(bytes.drain(), palette.meanings) + more.utf8)
  }

  /// The terminal has read all that was on its way.
  private func catchUp() {
    guard isOpen, isForeground else { return }
    if let text = clipboard { copy(text) }
    draw()
  }

  /// Draws every cell again: something else has written on the terminal.
  public func redraw() {
    clearok(cn_curscr(), true)
    presented = nil
    draw()
  }

  /// Asks the terminal to take text into its clipboard; the terminal does not report whether it
  /// does.
  ///
  /// The newest text waits while the terminal reads nothing.
  public func copy(_ text: String) {
    guard isOpen, isForeground else { return }
    clipboard = emitter.isBusy ? text : nil
    if clipboard == nil { emitter.send(clipboardSequence(text)) }
  }

  /// Draws in another theme, or for another background, from now on.
  ///
  /// - Parameters:
  ///   - theme: Built in or a user's own.
  ///   - background: With `auto`, the terminal is asked again if it was not before.
  public func apply(_ theme: Theme, background: BackgroundChoice) {
    guard isOpen else { return }
    let wasAsked = backgroundChoice == .auto
    (self.theme, backgroundChoice) = (theme, background)
    if !wasAsked, isForeground { sendDrawn(backgroundQuery) }
    recolour()
  }

  /// The terminal has answered which background it has; until then the likely one is drawn for, so that a
  /// terminal that never answers costs no wait.
  func adopt(_ background: TerminalBackground) {
    guard isOpen, backgroundChoice == .auto, reportedBackground != background else { return }
    let before = reportedBackground ?? Self.assumedBackground
    reportedBackground = background
    if before != background { recolour() }
  }

  /// A new palette for theme and background, and every cell drawn again.
  private func recolour() {
    let background = backgroundChoice.background ?? reportedBackground ?? Self.assumedBackground
    palette = Palette(
      colors: colors, theme: theme, background: background, isTrue: TrueColor.isOffered)
    redraw()
  }

  /// The background by `COLORFGBG`, which few terminals set; else dark.
  private static var assumedBackground: TerminalBackground {
    getenv("COLORFGBG").flatMap { TerminalBackground(variable: String(cString: $0)) } ?? .dark
  }

  /// Empty where no answer would matter, or the Linux console would take it for text.
  private var backgroundQuery: String {
    let name = termname().map { String(cString: $0) } ?? ""
    return colors >= 8 && backgroundChoice == .auto && name != "linux"
      ? TerminalBackground.query : ""
  }

  /// Stops the program as ^Z does, and comes back when the shell brings it to the front.
  ///
  /// Returns only after SIGCONT; the screen is then drawn again in full.
  public func suspend() {
    guard isOpen else { return }
    leave()
    terminal_guard_stop()
    // The SIGCONT that ended the stop is dealt with here.
    for signal in signals.drain() where signal != SIGCONT { handle(signal: signal) }
    comeBack()
  }

  /// Gives the terminal to commands that the user follows, and takes it again after them.
  ///
  /// As while the program is suspended, nothing is drawn or read meanwhile. The signals that keys
  /// cause are meant for the commands, as with system(3).
  ///
  /// - Parameter commands: Returns when they have ended.
  /// - Returns: what `commands` returns; nil: the terminal is closed.
  public func lend<Result>(to commands: () -> Result) -> Result? {
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

  /// Gives the terminal back; nothing is presented and nothing read any more.
  ///
  /// To be called before the process ends: a task may keep the object alive.
  public func close() {
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

  /// Gives the terminal to the shell, for a while or for good.
  private func leave() {
    guard isForeground else { return }
    let more = modes.leave()
    endwin()
    sendDrawn(more)
    emitter.finish(orElse: leaveBytes)
    lines.giveToShell()
  }

  /// Takes the terminal again, if the shell has given it.
  ///
  /// In the background a change of the terminal's modes would only stop the program again.
  func comeBack() {
    let group = tcgetpgrp(input)
    isForeground = group == getpgrp() || group < 0
    // Another program has drawn on the terminal meanwhile: what is still queued is useless.
    emitter.clear()
    guard isOpen, isForeground else { return }
    lines.giveToScreen()
    if !isendwin() { endwin() }
    sendDrawn(modes.enter())
    clearok(cn_curscr(), true)
    adoptSize()
  }

  /// Adopts the terminal's current size and returns it.
  func adoptSize() {
    if let size = Size(ofTerminal: input) { resizeterm(Int32(size.rows), Int32(size.columns)) }
    presented = nil
    werase(cn_stdscr())
    feed.yield(.resized(size))
  }
}

/// How to open a terminal.
public struct TerminalOptions: Sendable {
  /// Nil: as the environment's TERM says.
  public var type: String?
  /// Descriptor from which keys are read.
  public var input: Int32 = 0
  /// Descriptor of the terminal that shows the screen.
  public var output: Int32 = 1
  /// False: bold, dim and reversed only, as with NO_COLOR in the environment.
  public var hasColors = true
  /// The colours of the roles.
  public var theme = Theme.standard
  /// The background that they are chosen for.
  public var background = BackgroundChoice.auto
  /// Nil: as locale and terminal allow.
  public var symbols: Symbols?
  /// Takes mouse presses, and with them the terminal's own selection of text.
  public var hasMouse = false

  public init() {}
}

/// Why there is no screen; each says what happened and what to do.
///
/// The program prints the description and ends with status 1; the command line works without a
/// screen.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Standard input or output is a file or a pipe.
  case notATerminal
  /// The terminfo database has no entry for TERM, and nothing like it either.
  case unknownType(String)
  /// Nothing can be written at a place of this terminal's screen.
  case cannotPlace(String)
  /// A system call failed.
  case system(errno: Int32, during: String)

  public var description: String {
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
