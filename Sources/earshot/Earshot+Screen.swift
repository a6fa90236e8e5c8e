import ArgumentParser
import Companion
import CompanionRuntime
import Configuration
import Diagnostics
import EventLoop
import Glibc
import Logging
import Persistence
import Sharing
import TerminalUI

extension Earshot {
  /// Opens the screen and shows it until its end.
  ///
  /// The terminal is restored before any message is written, on every way out.
  ///
  /// | end | exit status |
  /// | --- | --- |
  /// | `q`, or the owner asked for it | 0 |
  /// | the terminal hung up, or it could not be opened | 1 |
  /// | another process of this user does not answer | 1 |
  /// | `q`, and the capture is incomplete or empty | 1 |
  /// | a signal | by that signal |
  @MainActor
  func run() async throws {
    let configuration = await ConfigurationFile().load().configuration
    LogFile.startThread()
    let terminal: CursesTerminal
    do {
      terminal = try CursesTerminal(terminalOptions(configuration.screen))
    } catch {
      StandardConsole.shared.message("\(error)")
      throw ExitCode(ExitStatus.failed.rawValue)
    }
    let inputs = ScreenInputs(terminal.inputs)
    let ending = try await show(on: terminal, inputs, configuration)
    inputs.stop()
    terminal.close()
    switch ending {
    case .quit(let words): words.map(StandardConsole.shared.message)
    // ``show(on:_:_:)`` joins the next owner.
    case .ownerLeft: return
    case .hangUp: throw ExitCode(ExitStatus.failed.rawValue)
    case .refused(let why):
      StandardConsole.shared.message(why)
      throw ExitCode(ExitStatus.failed.rawValue)
    case .signal(let number): EndSignals.end(by: number)
    }
  }

  /// Shows the owner's screen, and becomes the owner if there is none.
  ///
  /// When the owner ends, a client's screen becomes that of the new owner without closing the
  /// terminal. With `--capture` this process is always an owner, because the capture needs the
  /// radio.
  @MainActor
  private func show(
    on terminal: CursesTerminal, _ inputs: ScreenInputs, _ configuration: Configuration
  ) async throws -> ScreenEnding {
    var backOff = JoinBackOff()
    while true {
      let endpoint = options.capture == nil ? options.endpoint : nil
      let role = await endpoint?.join(within: Self.joinTimeout)
      if endpoint != nil, role == nil {
        return .refused(OwnerUnavailable.Problem.silent(nil).messageAndAdvice)
      }
      switch role {
      case .client(let connection):
        let process = connection.process?.id
        let client = ScreenClient(
          Request(ofThisProcess: .run(step: nil)), on: connection, terminal: terminal,
          configuration: configuration, runFix: { $0.runVisibly() })
        inputs.receiver = client.receive
        inputs.hangUp = { client.end(.hangUp) }
        let ending = await client.run()
        guard case .ownerLeft(let hasResponded) = ending else { return ending }
        // Meanwhile a request to end waits for the next program.
        (inputs.receiver, inputs.hangUp) = (nil, nil)
        if client.hasUnansweredKey { inputs.noteLostKeys() }
        guard let pause = backOff.pause(hasResponded: hasResponded) else {
          return .refused(OwnerUnavailable.Problem.silent(process).messageAndAdvice)
        }
        try? await MainLoop.clock.sleep(for: pause)
      case .owner, nil:
        let parts = try await dependencies(for: terminal)
        let program = ScreenProgram(
          dependencies: parts.dependencies, configuration: parts.configuration, terminal: terminal,
          autoPause: autoPause, handler: ArgumentHandler()
        ) { parts.logger.write($0) }
        inputs.receiver = program.receive
        inputs.hangUp = { program.end(.hangUp) }
        let ending = await program.run(
          autoConnect: parts.autoConnect(options), listener: role?.listener)
        let failure = await parts.finish().map(FailureReport.init)
        if case .quit = ending, let failure { return .refused(failure.text) }
        return ending
      }
    }
  }

  /// The time limit for joining an owner, during which the terminal shows nothing.
  private static let joinTimeout = Duration.seconds(5)

  /// Creates the app's dependencies; on an error, restores the terminal and reports the error.
  @MainActor
  private func dependencies(for terminal: CursesTerminal) async throws -> LiveDependencies {
    do throws(DependencyError) {
      return try await LiveDependencies(options, trusting: trust)
    } catch {
      terminal.close()
      StandardConsole.shared.message(error.failure.text)
      throw ExitCode(ExitStatus.failed.rawValue)
    }
  }

  private var options: CommonOptions { common.completed }

  private func terminalOptions(_ preferences: ScreenPreferences) -> TerminalOptions {
    var options = TerminalOptions()
    options.hasColors = !common.noColor
    options.hasMouse = mouse ?? preferences.hasMouse
    options.theme = preferences.theme
    options.background = preferences.background
    options.usesWords = accessible || preferences.isAccessible
    options.symbols = ascii ? .ascii : preferences.symbols.symbols
    return options
  }

}

extension ScreenPreferences.SymbolSet {
  fileprivate var symbols: Symbols? {
    switch self {
    case .auto: nil
    case .unicode: .unicode
    case .console: .console
    case .ascii: .ascii
    }
  }
}
