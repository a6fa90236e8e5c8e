import ArgumentParser
import Companion
import CompanionRuntime
import Configuration
import Glibc
import TerminalUI

extension Earshot {
  /// Without a command: the screen.
  @MainActor
  func run() async throws {
    let wiring: Wiring
    let terminal: CursesTerminal
    let configuration = ConfigurationFile().read().configuration
    do {
      terminal = try CursesTerminal(terminalOptions(configuration.screen))
    } catch {
      Output.message("\(error)")
      throw ExitCode(ExitStatus.failed.rawValue)
    }
    do {
      wiring = try Wiring(common)
    } catch {
      terminal.close()
      Output.message(error.text)
      throw ExitCode(ExitStatus.failed.rawValue)
    }
    let ending = await ScreenProgram(wiring, terminal: terminal).run(
      autoConnect: wiring.autoConnect(common))
    await wiring.finish()
    switch ending {
    case .quit: return
    case .hangUp: throw ExitCode(ExitStatus.failed.rawValue)
    case .signal(let number): die(of: number)
    }
  }

  /// What the command line says goes before what the configuration says.
  private func terminalOptions(_ wishes: ScreenWishes) -> TerminalOptions {
    var options = TerminalOptions()
    options.hasColors = !common.noColor
    options.hasMouse = mouse || wishes.hasMouse
    options.theme = wishes.theme
    options.symbols = ascii ? .ascii : wishes.symbols.symbols
    return options
  }

  /// Ends as whoever sent the signal expects, now that all is in order.
  private func die(of number: Int32) -> Never {
    signal(number, SIG_DFL)
    var only = sigset_t()
    sigemptyset(&only)
    sigaddset(&only, number)
    pthread_sigmask(SIG_UNBLOCK, &only, nil)
    kill(getpid(), number)
    Glibc.exit(128 + number)
  }
}

extension ScreenWishes.SymbolSet {
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
