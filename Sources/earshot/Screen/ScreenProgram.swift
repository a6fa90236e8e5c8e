import Bluetooth
import Companion
import CompanionRuntime
import Configuration
import Glibc
import Persistence
import TerminalUI

/// The program on the screen: keys in, states out as frames.
@MainActor
final class ScreenProgram {
  private let terminal: CursesTerminal
  private let store: Store
  private let effects: LiveEffectHandler
  private let suspension: Suspension
  private var style: Style
  private var configuration: Configuration
  /// What the command line says; nil: the configuration does.
  private let autoPause: AutoPause?
  private let clock: any Clock<Duration>
  private var pace = FramePace()
  /// What a click points at.
  private var presented = Screen(size: Size(columns: 0, rows: 0))
  private var ending: ScreenEnding?
  /// Runs while something moves; nil: nothing does.
  private var motion: Task<Void, Never>?
  /// Lets other processes share the link; nil: none can come.
  private var owner: Owner?

  init(_ wiring: LiveDependencies, terminal: CursesTerminal, autoPause: AutoPause?) {
    self.terminal = terminal
    self.autoPause = autoPause
    configuration = wiring.configuration
    style = Style(configuration, symbols: terminal.symbols)
    clock = wiring.world.clock
    let suspension = Suspension()
    self.suspension = suspension
    effects = LiveEffectHandler(
      world: wiring.world,
      screen: LiveEffectHandler.Screen(
        redraw: terminal.redraw, nextTheme: { suspension.changeTheme() },
        suspend: { suspension.begin() },
        copy: terminal.copy))
    store = Store(handler: effects, now: wiring.world.now) { wiring.logger.write($0) }
    store.send(.thresholdsChanged(wiring.configuration.thresholds))
  }

  /// Runs until the person quits, a signal comes or the terminal goes away.
  ///
  /// The terminal is given back before the links are closed: a slow radio must not hold it.
  func run(autoConnect: AutoConnect, listener: OwnerListener?) async -> ScreenEnding {
    present()
    suspension.begin = { [weak self] in self?.suspend() }
    suspension.changeTheme = { [weak self] in self?.changeTheme() }
    if let listener { share(through: listener) }
    let following = Task { await followConfiguration() }
    let store = store
    store.send(.autoPauseSet(autoPause ?? configuration.autoPause))
    effects.start(autoConnect: autoConnect) { store.send($0) }
    for await _ in store.states {
      if ending != nil { break }
      if store.state.isQuitting {
        ending = .quit(saying: nil)
        break
      }
      if let delay = pace.delay(at: .now) { try? await clock.sleep(for: delay) }
      present()
    }
    following.cancel()
    motion?.cancel()
    terminal.close()
    let timeLimit = Task { [clock] in
      try? await clock.sleep(for: .seconds(3))
      // A radio that does not let go must not keep the person's shell.
      if !Task.isCancelled { Glibc.exit(ExitStatus.failed.rawValue) }
    }
    await effects.stop()
    // Whoever owns the link next finds it free.
    await owner?.close()
    timeLimit.cancel()
    return ending ?? .quit(saying: nil)
  }

  /// Stops the process as a shell expects it, when those that share the link know.
  private func suspend() {
    Task {
      await owner?.reportStopping()
      terminal.suspend()
    }
  }

  /// Tries the next theme; which it is, and how to keep it, is an event.
  private func changeTheme() {
    let name = terminal.applyNextTheme()
    store.send(.noted(.notice, nil, "theme \(name); to keep it: theme = \"\(name)\" in [screen]"))
  }

  /// Steps what moves, four times a second for as long as something does.
  private func followMotion() {
    guard mayMove, hasMotion(store.state) else {
      motion?.cancel()
      motion = nil
      style.frame = nil
      return
    }
    guard motion == nil else { return }
    motion = Task { [clock] in
      while (try? await clock.sleep(for: .milliseconds(250))) != nil {
        style.frame = (style.frame ?? -1) + 1
        present()
      }
    }
  }

  private var mayMove: Bool {
    if let wanted = configuration.screen.hasMotion { return wanted }
    guard case .ready(let adapter) = store.state.adapter else { return false }
    return !adapter.isVirtual && getenv("SSH_CONNECTION") == nil
  }

  private func present() {
    followMotion()
    presented = view(store.state, size: terminal.size, style: style)
    terminal.present(presented)
  }

  private func share(through listener: OwnerListener) {
    owner = Owner(listener, store: store, effects: effects) { [weak self] in
      self?.style ?? Style()
    }
    owner?.open()
  }

  /// Takes an input of the terminal.
  func receive(_ input: Input) {
    guard ending == nil else { return }
    switch input {
    case .key(let key): send(style.keys.actions(for: key, in: store.state))
    case .paste(let text): send(style.keys.actions(forPaste: text, in: store.state))
    case .resized:
      present()
      // So it is, too, when a stopped process is continued.
      owner?.reportAlive()
    case .suspendRequested: suspend()
    case .endRequested(let signal): end(.signal(signal))
    case .mouse(let mouse): send(presented.actions(for: mouse))
    }
  }

  /// Adopts the configuration each time that its file changes.
  private func followConfiguration() async {
    // A screen has told no mistakes yet.
    for await (new, news) in ConfigurationFile().changes(since: []) {
      if let news { store.send(.configurationRead(mistakes: news)) }
      guard new != configuration else { continue }
      if new.screen.theme != configuration.screen.theme
        || new.screen.ground != configuration.screen.ground
      {
        terminal.apply(new.screen.theme, ground: new.screen.ground)
      }
      if new.autoPause != configuration.autoPause, autoPause == nil {
        store.send(.autoPauseSet(new.autoPause))
      }
      configuration = new
      store.send(.thresholdsChanged(new.thresholds))
      let frame = style.frame
      style = Style(new, symbols: terminal.symbols)
      style.frame = frame
      owner?.restyle()
      present()
    }
  }

  private func send(_ actions: [Action]) {
    for action in actions { store.send(action) }
  }

  func end(_ ending: ScreenEnding) {
    self.ending = self.ending ?? ending
    store.finish()
  }
}

/// What effects of the screen set off, which is made after them.
@MainActor
private final class Suspension {
  var begin: () -> Void = {}
  var changeTheme: () -> Void = {}
}

extension Style {
  init(_ configuration: Configuration, symbols: Symbols) {
    self.init(symbols: symbols, keys: configuration.keys)
  }
}
