import Companion
import CompanionRuntime
import Configuration
import EventLoop
import TerminalUI

/// The screen of a process that another one lets share its link: inputs out, frames in.
@MainActor
final class ScreenClient {
  private let channel: LineConnection
  private let terminal: CursesTerminal
  private let inputs: AsyncStream<ScreenInput>
  private let outbox: AsyncStream<ScreenInput>.Continuation
  private var screen: Screen
  private var ending: ScreenEnding?
  /// Waits for the owner's answer to an input; nil: nothing is awaited.
  private var timeLimit: Task<Void, Never>?
  /// The owner does a command of its own first.
  private var isOwnerBusy = false
  /// The owner does not answer, and the person has been told.
  private var silence: OwnerTimeout?

  init(_ channel: LineConnection, terminal: CursesTerminal) {
    self.channel = channel
    self.terminal = terminal
    screen = Screen(size: terminal.size)
    (inputs, outbox) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
  }

  /// Runs until the person quits, a signal comes, or the terminal or the owner goes away.
  func run() async -> ScreenEnding {
    let request = ScreenRequest(size: terminal.size, symbols: terminal.symbols)
    let words = Array(CommandLine.arguments.dropFirst())
    let wanted = Request(
      arguments: words, directory: WorkingFolder.path, purpose: .screen(request.json))
    guard await channel.send(wanted.json) else { return .ownerLeft }
    let sending = Task {
      for await input in inputs where !(await channel.send(input.json)) { break }
    }
    let following = Task { await followTheme() }
    awaitAnswer()
    while ending == nil, let line = await channel.next() {
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
    await channel.close()
    return ending ?? .ownerLeft
  }

  /// Takes an input of the terminal.
  func receive(_ input: Input) {
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

  func end(_ ending: ScreenEnding) {
    self.ending = self.ending ?? ending
    Task { await channel.close() }
  }

  private func send(_ input: ScreenInput) {
    outbox.yield(input)
    awaitAnswer()
  }

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
    case .nextTheme: terminal.applyNextTheme()
    case .suspend: terminal.suspend()
    case .copy(let text): terminal.copy(text)
    case .quit(let words): end(.quit(saying: words))
    case .stopping, .alive: terminal.present(screen)
    }
  }

  // MARK: An owner that does not answer

  /// As told to the person, unless a stopped one goes on meanwhile.
  private var isOwnerSilent: Bool {
    if silence == .stopped, channel.process?.isStopped == false {
      silence = nil
      terminal.present(screen)
    }
    return silence != nil
  }

  /// Looks at the owner if it does not answer soon; a screen must not stand still without words.
  private func awaitAnswer() {
    guard timeLimit == nil, silence == nil else { return }
    timeLimit = Task { [weak self] in
      // A stopped one is told soon; one that has much to do may take a while.
      for seconds in [1, 4] {
        guard (try? await ContinuousClock().sleep(for: .seconds(seconds))) != nil, let self else {
          return
        }
        if channel.process?.isStopped == true { return report(.stopped) }
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
    guard let silence, let process = channel.process else { return }
    let style = Style(ConfigurationFile().read().configuration, symbols: terminal.symbols)
    let behind = screen.size == terminal.size ? screen : Screen(size: terminal.size)
    terminal.present(silentOwner(silence, behind: behind, process: process.id, style: style))
  }

  /// Who is silent cannot be asked what a key means.
  private func quitIfAsked(by key: Key) {
    switch ConfigurationFile().read().configuration.keys.command(for: key) {
    case .quit: end(.quit(saying: nil))
    case .suspend: terminal.suspend()
    default: break
    }
  }

  /// The theme is this terminal's own; all else comes drawn.
  private func followTheme() async {
    let file = ConfigurationFile()
    var shown: ScreenPreferences?
    for await _ in PollLoop.shared.changes(ofFile: file.path) {
      let wanted = file.read().configuration.screen
      if let shown, shown.theme != wanted.theme || shown.ground != wanted.ground {
        terminal.apply(wanted.theme, ground: wanted.ground)
      }
      shown = wanted
    }
  }
}
