public import Companion
internal import CompanionRuntime
public import Configuration
internal import EventLoop
public import TerminalUI

/// The client's side of a screen that the owner of the link draws: sends input, presents rows.
///
/// Keys go to the owner, rows come back; the client knows neither state nor page. What belongs to
/// its terminal stays here: theme, size, suspension and clipboard.
///
/// An owner that does not answer an input within 1 s, if it was stopped, or 5 s is shown over the
/// last frame (``/TerminalUI/silentOwner(_:behind:process:style:)``), and quitting works without
/// it.
@MainActor
public final class ScreenClient {
  private let connection: LineConnection
  private let request: Request
  private let terminal: CursesTerminal
  private let runFix: (Fix) -> Int32
  private var configuration: Configuration
  private let inputs: AsyncStream<ScreenInput>
  private let outbox: AsyncStream<ScreenInput>.Continuation
  private var screen: Screen
  private var ending: ScreenEnding?
  private var hasResponded = false
  /// The time-out of the owner's answer to an input; nil: nothing is awaited.
  private var timeLimit: Task<Void, Never>?
  /// The owner runs a command of its own first.
  private var isOwnerBusy = false
  /// Why the owner does not answer, as the screen shows it; nil: it answers.
  private var silence: OwnerTimeout?

  /// - Parameters:
  ///   - request: the command line of this process; its purpose is the screen.
  ///   - configuration: as it was when the terminal was opened; changes are followed.
  ///   - runFix: runs the commands of a fix with this terminal; returns their exit status.
  public init(
    _ request: Request, on connection: LineConnection, terminal: CursesTerminal,
    configuration: Configuration, runFix: @escaping (Fix) -> Int32
  ) {
    self.runFix = runFix
    self.request = request
    self.connection = connection
    self.terminal = terminal
    self.configuration = configuration
    screen = Screen(size: terminal.size)
    (inputs, outbox) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
  }

  /// Runs until the user quits, a signal arrives, or the terminal or the owner goes away.
  public func run() async -> ScreenEnding {
    var request = request
    request.purpose = .screen(
      ScreenRequest(size: terminal.size, symbols: terminal.symbols).json)
    guard await connection.send(request.json) else {
      return ending ?? .ownerLeft(hasResponded: false)
    }
    let sending = Task {
      for await input in inputs where !(await connection.send(input)) { break }
    }
    let following = Task { await followConfiguration() }
    awaitResponse()
    while ending == nil, let line = await connection.next() {
      hasResponded = true
      if let output = ScreenOutput(line: line) {
        receive(output)
      } else {
        switch OwnerMessage(line: line) {
        case .message(let why): end(.refused(why))
        case .busy: isOwnerBusy = true
        default: break
        }
      }
    }
    timeLimit?.cancel()
    sending.cancel()
    following.cancel()
    await connection.close()
    return ending ?? .ownerLeft(hasResponded: hasResponded)
  }

  /// Receives an input of the terminal.
  public func receive(_ input: Input) {
    switch input {
    case .key(let key) where isOwnerSilent: quitIfAsked(by: key)
    case .key(let key): send(.key(key))
    case .paste(let text): send(.paste(text))
    case .mouse(let mouse): send(.mouse(mouse))
    case .resized(let size):
      send(.resized(size))
      reportTimeout()
    case .suspendRequested: terminal.suspend()
    case .endRequested(let signal): end(.signal(signal))
    }
  }

  /// Closes the connection; ``run()`` returns the first ending.
  public func end(_ ending: ScreenEnding) {
    self.ending = self.ending ?? ending
    Task { await connection.close() }
  }

  /// Queues an input, of which the newest 256 are kept, and starts to wait for an answer.
  private func send(_ input: ScreenInput) {
    outbox.yield(input)
    awaitResponse()
  }

  /// Any message is an answer: it ends the wait.
  private func receive(_ output: ScreenOutput) {
    timeLimit?.cancel()
    timeLimit = nil
    if output == .stopping { return report(.stopped) }
    silence = nil
    switch output {
    case .frame(let size, let rows):
      if size != screen.size { screen = Screen(size: size) }
      for (row, runs) in rows { screen.replace(row: row, with: runs) }
      terminal.present(screen)
    case .redraw: terminal.redraw()
    case .theme(let name): terminal.show(name, of: configuration)
    case .suspend: terminal.suspend()
    case .runFix(let fix):
      if let status = terminal.lend(to: { runFix(fix) }) { send(.fixEnded(status: status)) }
    case .copy(let text): terminal.copy(text)
    case .quit(let words): end(.quit(saying: words))
    case .stopping, .alive: terminal.present(screen)
    }
  }

  // MARK: An owner that does not answer

  /// Whether the screen says so; an owner that was continued meanwhile is not silent.
  private var isOwnerSilent: Bool {
    if silence == .stopped, connection.process?.isStopped == false {
      silence = nil
      terminal.present(screen)
    }
    return silence != nil
  }

  /// Starts the time-out of an answer: a screen must not freeze without an explanation.
  private func awaitResponse() {
    guard timeLimit == nil, silence == nil else { return }
    timeLimit = Task { [weak self] in
      // A stopped process is certain after 1 s; one that is busy may take 5 s.
      for seconds in [1, 4] {
        guard (try? await LoopClock(.shared).sleep(for: .seconds(seconds))) != nil, let self else {
          return
        }
        if connection.process?.isStopped == true { return report(.stopped) }
        if isOwnerBusy { return report(.busy) }
      }
      self?.report(.unknown)
    }
  }

  /// Shows why nothing happens.
  private func report(_ silence: OwnerTimeout) {
    timeLimit = nil
    self.silence = silence
    reportTimeout()
  }

  /// Draws the notice over the last frame, also after a change of size.
  private func reportTimeout() {
    guard let silence, let process = connection.process else { return }
    let style = Style(configuration, symbols: terminal.symbols)
    let behind = screen.size == terminal.size ? screen : Screen(size: terminal.size)
    terminal.present(silentOwner(silence, behind: behind, process: process.id, style: style))
  }

  /// Handles the keys that need no owner.
  private func quitIfAsked(by key: Key) {
    switch configuration.keys.command(for: key) {
    case .quit: end(.quit(saying: nil))
    case .suspend: terminal.suspend()
    default: break
    }
  }

  /// Applies changes of the theme, which belongs to this terminal; all else arrives drawn.
  private func followConfiguration() async {
    for await (new, _) in ConfigurationFile().changes() {
      terminal.apply(new.screen, insteadOf: configuration.screen)
      configuration = new
    }
  }
}
