import Companion
import CompanionRuntime
import Configuration
import EventLoop
import TerminalUI

/// A program without a screen that owns the link, for others to share or for one command.
@MainActor
final class HeadlessApp {
  let store: Store
  let effects: LiveEffectHandler
  private var configuration: Configuration
  private let listener: OwnerListener?
  private var owner: Owner?
  private var following: Task<Void, Never>?
  private let autoPause: AutoPause?

  /// - Parameter autoPause: what the command line says; nil: the configuration does.
  init(
    _ wiring: LiveDependencies, listener: OwnerListener?, autoPause: AutoPause? = nil,
    log: @escaping @MainActor (LogLine) -> Void
  ) {
    self.autoPause = autoPause
    let effects = LiveEffectHandler(world: wiring.world)
    let store = Store(handler: effects, now: wiring.world.now, log: log)
    self.effects = effects
    self.store = store
    configuration = wiring.configuration
    self.listener = listener
    owner = listener.map { listener in
      Owner(listener, store: store, effects: effects) { [weak self] in self?.style ?? Style() }
    }
  }

  /// Of the screens that share the link; each has symbols of its own.
  private var style: Style { Style(configuration, symbols: .unicode) }

  /// Shares the link with other processes, until ``stop()``.
  func start(autoConnect: AutoConnect) {
    Output.neverBlock()
    let store = store
    store.send(.thresholdsChanged(configuration.thresholds))
    owner?.open()
    store.send(.autoPauseSet(autoPause ?? configuration.autoPause))
    // Nobody can answer here what a pairing asks.
    effects.start(autoConnect: autoConnect, doing: [.scan, .observeAudio]) { store.send($0) }
    following = Task { [weak self] in
      let file = ConfigurationFile()
      for await change in file.changes() { self?.adopt(change.configuration, change.news) }
    }
  }

  /// Has the link for one command, and lets other processes wait until ``stop()``.
  ///
  /// - Throws: ``CommandError/file(_:)`` if the known headphones cannot be read.
  func startForOneCommand() throws(CommandError) {
    _ = try effects.world.known.list()
    if let listener { Task { await listener.keepWaiting() } }
    let store = store
    store.send(.thresholdsChanged(configuration.thresholds))
    effects.start(autoConnect: .never, doing: []) { store.send($0) }
  }

  func stop() async {
    following?.cancel()
    await effects.stop()
    await listener?.close()
  }

  private func adopt(_ new: Configuration, _ news: [String]?) {
    if let news {
      store.send(.configurationRead(mistakes: news))
      news.forEach(Output.message)
    }
    guard new != configuration else { return }
    configuration = new
    let request = autoPause ?? new.autoPause
    if request != store.state.autoPause { store.send(.autoPauseSet(request)) }
    store.send(.thresholdsChanged(new.thresholds))
    owner?.restyle()
  }
}
