internal import BluetoothRadio
package import Companion
package import CompanionRuntime
package import Configuration
internal import EventLoop
internal import Glibc
internal import Persistence
package import TerminalUI

/// The app on a terminal, in the process that owns the link.
///
/// Frames are drawn at most 60 times a second and only after a change. Clients are served from the
/// same store, each with a separate screen state.
@MainActor
package final class ScreenProgram {
  private let terminal: CursesTerminal
  private let store: Store
  private let effects: LiveEffectHandler
  private let suspension: Suspension
  private var style: Style
  private var configuration: Configuration
  private let autoPause: AutoPause?
  private let clock: any Clock<Duration>
  private var pace = FramePace()
  /// The last frame, which translates clicks into actions.
  private var presented = Screen(size: Size(columns: 0, rows: 0))
  private var ending: ScreenEnding?
  private var motion: Task<Void, Never>?
  private var owner: Owner?

  private let handler: any RequestHandler

  /// Creates the app on a terminal; if `autoPause` is nil, the configuration decides.
  package init(
    dependencies: Dependencies, configuration: Configuration, terminal: CursesTerminal,
    autoPause: AutoPause?, handler: any RequestHandler, log: @escaping @MainActor (LogLine) -> Void
  ) {
    self.terminal = terminal
    self.autoPause = autoPause
    self.configuration = configuration
    self.handler = handler
    style = Style(configuration, symbols: terminal.symbols)
    clock = dependencies.clock
    let suspension = Suspension()
    self.suspension = suspension
    effects = LiveEffectHandler(
      dependencies: dependencies,
      screen: LiveEffectHandler.Screen(
        redraw: terminal.redraw, showTheme: { suspension.showTheme($0) },
        suspend: { suspension.begin() }, runFix: { suspension.run($0) },
        copy: terminal.copy))
    store = Store(handler: effects, now: dependencies.now, timeAsleep: { .asleep }, log: log)
    store.adopt(configuration, autoPause: autoPause)
  }

  /// Runs until the user quits, a signal arrives or the terminal is gone.
  ///
  /// The terminal is restored before the links are closed, which a slow radio may delay.
  package func run(autoConnect: AutoConnect, listener: OwnerListener?) async -> ScreenEnding {
    present()
    suspension.begin = { [weak self] in self?.suspend() }
    suspension.showTheme = { [weak self] name in
      guard let self else { return }
      terminal.show(name, of: configuration)
    }
    suspension.run = { [weak self, runFix = effects.dependencies.runFix] fix in
      self?.run(fix, by: runFix)
    }
    effects.onNotification = { [weak self] summary, body in
      guard let self else { return }
      terminal.notify(summary, body, of: configuration.preferences.notifications)
    }
    let following = Task { await followConfiguration() }
    let store = store
    store.send(.viewerOpened)
    // Not awaited, so that keys work while a disk is slow.
    Task {
      await effects.start(autoConnect: autoConnect) { store.send($0) }
      if ending == nil, let listener { share(through: listener) }
    }
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
    guard await effects.stop(reportingDelay: StandardConsole.shared.reportSlowDisk) else {
      Glibc.exit(ExitStatus.failed.rawValue)
    }
    // Last, so that the next owner finds the link free.
    await waitAtMost(.seconds(3), by: clock) { [owner] in await owner?.close() }
    return ending ?? .quit(saying: nil)
  }

  /// Informs the clients, then stops the process.
  private func suspend() {
    Task {
      await owner?.reportStopping()
      await effects.withoutKeys { terminal.suspend() }
    }
  }

  /// Runs a fix with the terminal; clients wait meanwhile, as while the process is stopped.
  private func run(_ fix: Fix, by runFix: @escaping @Sendable (Fix) -> Int32) {
    Task {
      await owner?.reportStopping()
      await effects.withoutKeys {
        if let status = terminal.lend(to: { runFix(fix) }) { store.send(.fixEnded(status: status)) }
      }
    }
  }

  /// Starts or stops the animation, four steps a second.
  private func followMotion() {
    guard mayMove, !store.state.isUnfocused, hasMotion(store.state) else {
      motion?.cancel()
      motion = nil
      style.frame = nil
      return
    }
    guard motion == nil else { return }
    let isAsked = configuration.screen.hasMotion == true
    motion = Task { [clock] in
      // An animation that was not configured must not drain the machine's battery.
      if !isAsked, await FileIO.shared.run({ PowerSupply().isOnBattery() }) { return }
      while (try? await clock.sleep(for: .milliseconds(250))) != nil {
        style.frame = (style.frame ?? -1) + 1
        present()
      }
    }
  }

  /// Whether the screen may be animated: by default not over SSH and for virtual headphones.
  private var mayMove: Bool {
    if style.symbols.areWords { return false }
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
    owner = Owner(listener, store: store, effects: effects, handler: handler) { [weak self] in
      self?.style ?? Style()
    }
    owner?.open()
  }

  package func receive(_ input: Input) {
    guard ending == nil else { return }
    switch input {
    case .key(let key): send(style.keys.actions(for: key, in: store.state))
    case .paste(let text): send(style.keys.actions(forPaste: text, in: store.state))
    case .resized:
      present()
      // Also sent when a stopped process is continued.
      owner?.reportAlive()
    case .suspendRequested: suspend()
    case .keysLost: store.send(.keysLost)
    case .focusChanged(let isFocused): store.send(.screenFocused(isFocused))
    case .endRequested(let signal): end(.signal(signal))
    case .mouse(let mouse): send(presented.actions(for: mouse))
    }
  }

  private func followConfiguration() async {
    // The screen also shows the mistakes found at launch.
    for await (new, news) in ConfigurationFile().changes(since: []) {
      if let news { store.send(.configurationRead(mistakes: news)) }
      guard new != configuration else { continue }
      terminal.apply(new.screen, insteadOf: configuration.screen)
      configuration = new
      store.adopt(new, autoPause: autoPause)
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

  /// Ends the program; ``run(autoConnect:listener:)`` returns the first ending.
  package func end(_ ending: ScreenEnding) {
    self.ending = self.ending ?? ending
    store.finish()
  }
}

/// The closures that effects of the screen call, which break a reference cycle.
@MainActor
private final class Suspension {
  var begin: () -> Void = {}
  var showTheme: (String?) -> Void = { _ in }
  var run: (Fix) -> Void = { _ in }
}

extension Style {
  init(_ configuration: Configuration, symbols: Symbols) {
    self.init(symbols: symbols, keys: configuration.keys)
  }
}

extension Store {
  /// Adopts the configuration of a resident process; `autoPause` replaces the configured one.
  func adopt(_ configuration: Configuration, autoPause: AutoPause?) {
    var preferences = configuration.preferences
    if let autoPause { preferences.autoPause = autoPause }
    send(.configured(preferences, isResident: true))
  }
}

extension CursesTerminal {
  func show(_ name: String?, of configuration: Configuration) {
    let theme = configuration.allThemes.first { $0.rawValue == name }
    apply(theme ?? configuration.screen.theme, background: configuration.screen.background)
  }

  /// Shows a notification over SSH, where the desktop's would be on the other machine.
  func notify(_ summary: String, _ body: String, of rules: NotificationRules) {
    guard getenv("SSH_CONNECTION") != nil else { return }
    notify(summary, body, as: rules.terminal)
  }

  func apply(_ new: ScreenPreferences, insteadOf old: ScreenPreferences) {
    guard new.theme != old.theme || new.background != old.background else { return }
    apply(new.theme, background: new.background)
  }
}
