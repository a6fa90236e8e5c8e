package import Companion
internal import CompanionRuntime
package import Configuration
internal import EventLoop
package import TerminalUI

/// The client's side of a screen that the owner of the link draws: sends input, shows rows.
///
/// If an owner does not answer an input within 5 s, or 1 s if it was stopped, a notice covers the
/// last frame (``/TerminalUI/silentOwner(_:behind:process:style:)``), and the user can quit without
/// the owner.
@MainActor
package final class ScreenClient {
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
  private var unanswered = UnansweredInputs()
  /// Whether the owner has not yet reported the last key as done.
  package var hasUnansweredKey: Bool { unanswered.hasKey }
  private var timeLimit: Task<Void, Never>?
  private var isOwnerBusy = false
  private var silence: OwnerTimeout?

  /// Creates the client's side; `runFix` runs the commands of a fix, and returns their exit status.
  package init(
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

  package func run() async -> ScreenEnding {
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
      if let answer = ScreenAnswer(line: line) {
        unanswered.answer(done: answer.done)
        receive(answer.output)
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

  package func receive(_ input: Input) {
    switch input {
    case .key(let key) where isOwnerSilent: quitIfAsked(by: key)
    case .key(let key): send(.key(key))
    case .paste(let text): send(.paste(text))
    case .mouse(let mouse): send(.mouse(mouse))
    case .resized(let size):
      send(.resized(size))
      reportTimeout()
    case .suspendRequested: terminal.suspend()
    case .keysLost: send(.keysLost)
    case .focusChanged(let isFocused): send(.focusChanged(isFocused))
    case .endRequested(let signal): end(.signal(signal))
    }
  }

  /// Closes the connection; ``run()`` returns the first ending.
  package func end(_ ending: ScreenEnding) {
    self.ending = self.ending ?? ending
    Task { await connection.close() }
  }

  /// Queues an input, of which the newest 256 are kept, and expects an answer.
  private func send(_ input: ScreenInput) {
    let isKey =
      switch input {
      case .key, .paste, .mouse, .keysLost: true
      case .resized, .fixEnded, .focusChanged: false
      }
    let isDropping = if case .dropped = outbox.yield(input) { true } else { false }
    unanswered.queue(isKey: isKey, replacesAnother: isDropping)
    awaitResponse()
  }

  /// Handles a message of the owner; any message is an answer.
  private func receive(_ output: ScreenOutput) {
    timeLimit?.cancel()
    timeLimit = nil
    if output == .stopping { return report(.stopped) }
    silence = nil
    switch output {
    case .frame(let size, let rows, let cursor, let window):
      if size != screen.size { screen = Screen(size: size) }
      for (row, runs) in rows { screen.replace(row: row, with: runs) }
      screen.cursor = cursor
      screen.window = window
      terminal.present(screen)
    case .redraw: terminal.redraw()
    case .theme(let name): terminal.show(name, of: configuration)
    case .suspend: terminal.suspend()
    case .runFix(let fix):
      if let status = terminal.lend(to: { runFix(fix) }) { send(.fixEnded(status: status)) }
    case .copy(let text): terminal.copy(text)
    case .notify(let summary, let body):
      terminal.notify(summary, body, of: configuration.preferences.notifications)
    case .quit(let words): end(.quit(saying: words))
    case .stopping, .alive: terminal.present(screen)
    }
  }

  /// Whether the notice is shown; an owner that was continued meanwhile is not silent.
  private var isOwnerSilent: Bool {
    if silence == .stopped, connection.process?.isStopped == false {
      silence = nil
      terminal.present(screen)
    }
    return silence != nil
  }

  private func awaitResponse() {
    guard timeLimit == nil, silence == nil else { return }
    timeLimit = Task { [weak self] in
      // A stopped process is detected after 1 s; a busy one may take 5 s.
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

  private func report(_ silence: OwnerTimeout) {
    timeLimit = nil
    self.silence = silence
    reportTimeout()
  }

  private func reportTimeout() {
    guard let silence, let process = connection.process else { return }
    let style = Style(configuration, symbols: terminal.symbols)
    let behind = screen.size == terminal.size ? screen : Screen(size: terminal.size)
    terminal.present(silentOwner(silence, behind: behind, process: process.id, style: style))
  }

  private func quitIfAsked(by key: Key) {
    switch configuration.keys.command(for: key) {
    case .quit: end(.quit(saying: nil))
    case .suspend: terminal.suspend()
    default: break
    }
  }

  /// Applies changes of the theme, which belongs to this terminal; the owner applies all others.
  private func followConfiguration() async {
    for await (new, _) in ConfigurationFile().changes() {
      terminal.apply(new.screen, insteadOf: configuration.screen)
      configuration = new
    }
  }
}
