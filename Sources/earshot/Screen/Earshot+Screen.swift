import ArgumentParser
import Companion
import CompanionRuntime
import Configuration
import Glibc
import Logging
import Persistence
import TerminalUI

extension Earshot {
  /// Without a command: the screen.
  @MainActor
  func run() async throws {
    let configuration = ConfigurationFile().read().configuration
    let terminal: CursesTerminal
    do {
      terminal = try CursesTerminal(terminalOptions(configuration.screen))
    } catch {
      Output.message("\(error)")
      throw ExitCode(ExitStatus.failed.rawValue)
    }
    let inputs = ScreenInputs(terminal)
    let ending = try await show(on: terminal, inputs)
    inputs.stop()
    terminal.close()
    switch ending {
    case .quit(let words): words.map(Output.message)
    case .ownerLeft: return
    case .hangUp: throw ExitCode(ExitStatus.failed.rawValue)
    case .refused(let why):
      Output.message(why)
      throw ExitCode(ExitStatus.failed.rawValue)
    case .signal(let number): die(of: number)
    }
  }

  /// Shows what another process has, or owns the link itself as soon as none does.
  @MainActor
  private func show(
    on terminal: CursesTerminal, _ inputs: ScreenInputs
  ) async throws -> ScreenEnding {
    while true {
      let endpoint = common.capture == nil ? common.endpoint : nil
      let role = await endpoint?.join(within: Self.joinTimeout)
      if endpoint != nil, role == nil {
        return .refused(OwnerUnavailable.Kind.silent(nil).whileWaiting)
      }
      switch role {
      case .client(let channel):
        let mirror = ScreenClient(channel, terminal: terminal)
        inputs.receiver = mirror.receive
        inputs.hangUp = { mirror.end(.hangUp) }
        let ending = await mirror.run()
        if case .ownerLeft = ending { continue }
        return ending
      case .owner, nil:
        let wiring = try wire(terminal)
        let program = ScreenProgram(wiring, terminal: terminal, autoPause: autoPause)
        inputs.receiver = program.receive
        inputs.hangUp = { program.end(.hangUp) }
        let ending = await program.run(
          autoConnect: wiring.autoConnect(common), listener: role?.listener)
        await wiring.finish()
        return ending
      }
    }
  }

  /// Until then the terminal shows nothing.
  private static let joinTimeout = Duration.seconds(5)

  /// - Throws: the exit code, when the terminal is back and what is wrong is told.
  @MainActor
  private func wire(_ terminal: CursesTerminal) throws -> LiveDependencies {
    do throws(DependencyError) {
      return try LiveDependencies(common, trusting: trust)
    } catch {
      terminal.close()
      Output.message(error.text)
      throw ExitCode(ExitStatus.failed.rawValue)
    }
  }

  /// What the command line says goes before what the configuration says.
  private func terminalOptions(_ preferences: ScreenPreferences) -> TerminalOptions {
    var options = TerminalOptions()
    options.hasColors = !common.noColor
    options.hasMouse = mouse ?? preferences.hasMouse
    options.theme = preferences.theme
    options.ground = preferences.ground
    options.symbols = ascii ? .ascii : preferences.symbols.symbols
    return options
  }

  /// Ends as whoever sent the signal expects, now that all is in order.
  private func die(of number: Int32) -> Never {
    LogFile.flush()
    signal(number, SIG_DFL)
    var only = sigset_t()
    sigemptyset(&only)
    sigaddset(&only, number)
    pthread_sigmask(SIG_UNBLOCK, &only, nil)
    kill(getpid(), number)
    Glibc.exit(128 + number)
  }
}

extension ScreenPreferences.SymbolSet {
  /// Nil: as locale and terminal allow.
  fileprivate var symbols: Symbols? {
    switch self {
    case .auto: nil
    case .unicode: .unicode
    case .console: .console
    case .ascii: .ascii
    }
  }
}
