import CompanionRuntime
import Configuration
import Descriptors
import TerminalUI

/// The screen of a process that another one lets share its link: inputs out, frames in.
@MainActor
final class MirrorProgram {
  private let channel: LineChannel
  private let terminal: CursesTerminal
  private let inputs: AsyncStream<ScreenInput>
  private let outbox: AsyncStream<ScreenInput>.Continuation
  private var screen: Screen
  private var ending: ScreenEnding?

  init(_ channel: LineChannel, terminal: CursesTerminal) {
    self.channel = channel
    self.terminal = terminal
    screen = Screen(size: terminal.size)
    (inputs, outbox) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
  }

  /// Runs until the person quits, a signal comes, or the terminal or the owner goes away.
  func run() async -> ScreenEnding {
    let request = ScreenRequest(size: terminal.size, symbols: terminal.symbols)
    guard await channel.send(Request(arguments: [], screen: request.json).json) else {
      return .ownerLeft
    }
    let sending = Task {
      for await input in inputs where !(await channel.send(input.json)) { break }
    }
    let following = Task { await followTheme() }
    while ending == nil, let line = await channel.next() {
      if let output = ScreenOutput(line: line) {
        receive(output)
      } else if case .message(let why)? = Answer(line: line) {
        end(.refused(why))
      }
    }
    sending.cancel()
    following.cancel()
    await channel.close()
    return ending ?? .ownerLeft
  }

  /// Takes an input of the terminal.
  func receive(_ input: Input) {
    switch input {
    case .key(let key): outbox.yield(.key(key))
    case .paste(let text): outbox.yield(.paste(text))
    case .mouse(let mouse): outbox.yield(.mouse(mouse))
    case .resized(let size): outbox.yield(.resized(size))
    case .suspendRequested: terminal.suspend()
    case .endRequested(let signal): end(.signal(signal))
    }
  }

  func end(_ ending: ScreenEnding) {
    self.ending = self.ending ?? ending
    Task { await channel.close() }
  }

  private func receive(_ output: ScreenOutput) {
    switch output {
    case .frame(let size, let rows):
      if size != screen.size { screen = Screen(size: size) }
      for (row, runs) in rows { screen.replace(row: row, with: runs) }
      terminal.present(screen)
    case .redraw: terminal.redraw()
    case .suspend: terminal.suspend()
    case .quit: end(.quit)
    }
  }

  /// The theme is this terminal's own; all else comes drawn.
  private func followTheme() async {
    let file = ConfigurationFile()
    var theme: Theme?
    for await _ in PollLoop.shared.changes(ofFile: file.path) {
      let wanted = file.read().configuration.screen.theme
      if let theme, theme != wanted { terminal.apply(wanted) }
      theme = wanted
    }
  }
}
