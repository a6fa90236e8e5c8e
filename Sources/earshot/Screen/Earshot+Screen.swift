import ArgumentParser
import Companion
import CompanionRuntime
import Glibc
import TerminalUI

extension Earshot {
  /// Without a command: the screen.
  @MainActor
  func run() async throws {
    let wiring: Wiring
    let terminal: CursesTerminal
    do {
      terminal = try CursesTerminal(terminalOptions)
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
    let ending = await ScreenProgram(wiring, terminal: terminal).run(autoConnect: autoConnect)
    await wiring.finish()
    switch ending {
    case .quit: return
    case .hangUp: throw ExitCode(ExitStatus.failed.rawValue)
    case .signal(let number): die(of: number)
    }
  }

  private var terminalOptions: TerminalOptions {
    var options = TerminalOptions()
    options.hasColors = !common.noColor
    options.hasMouse = mouse
    if ascii { options.symbols = .ascii }
    return options
  }

  private var autoConnect: AutoConnect {
    common.device.map(AutoConnect.matching) ?? .lastUsed(else: common.newcomer)
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
