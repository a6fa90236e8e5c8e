package import Companion
package import CompanionRuntime
package import Configuration
internal import EventLoop
internal import Persistence
internal import TerminalUI

/// An app without a screen, shared by other processes or for one command.
@MainActor
package final class HeadlessApp {
  package let store: Store
  package let effects: LiveEffectHandler
  private var configuration: Configuration
  private let listener: OwnerListener?
  private var owner: Owner?
  private var following: Task<Void, Never>?
  private let autoPause: AutoPause?
  private let console: any Console
  private var signals: Task<Void, Never>?
  private var onEnd: @MainActor () -> Void

  /// Creates an app.
  ///
  /// - Parameters:
  ///   - listener: Accepts clients, or nil if no other process can connect.
  ///   - autoPause: The command-line option, or nil to use the configuration.
  package init(
    dependencies: Dependencies, configuration: Configuration, listener: OwnerListener?,
    autoPause: AutoPause? = nil, handler: any RequestHandler, console: any Console,
    log: @escaping @MainActor (LogLine) -> Void
  ) {
    self.autoPause = autoPause
    self.configuration = configuration
    self.listener = listener
    self.console = console
    let effects = LiveEffectHandler(dependencies: dependencies)
    let store = Store(handler: effects, now: dependencies.now, timeAsleep: { .asleep }, log: log)
    self.effects = effects
    self.store = store
    onEnd = { store.finish() }
    owner = listener.map { listener in
      Owner(listener, store: store, effects: effects, handler: handler) { [weak self] in
        self?.style ?? Style()
      }
    }
  }

  /// The style of clients' screens, each of which replaces the symbols.
  private var style: Style { Style(configuration, symbols: .unicode) }

  /// Shares the link with other processes until ``stop()``.
  ///
  /// A termination signal ends ``run(_:)``, and a closed pipe does not end the process.
  package func start(autoConnect: AutoConnect) async {
    let store = store
    StandardConsole.neverBlock()
    signals = Task { [weak self] in
      await EndSignals.next()
      self?.onEnd()
    }
    store.adopt(configuration, autoPause: autoPause)
    // No pairing agent: nobody could answer its questions without a screen.
    await effects.start(autoConnect: autoConnect, doing: [.scan, .observeAudio, .joinDesktop]) {
      store.send($0)
    }
    owner?.open()
    following = Task { [weak self] in
      for await change in ConfigurationFile().changes() {
        self?.adopt(change.configuration, change.news)
      }
    }
  }

  /// Owns the link for one command until ``stop()``, while other processes wait.
  package func startForOneCommand() async throws(CommandError) {
    _ = try await effects.dependencies.known.list()
    if let listener { Task { await listener.keepWaiting() } }
    let store = store
    store.send(.configured(configuration.preferences, isResident: false))
    await effects.start(autoConnect: .never, doing: []) { store.send($0) }
  }

  /// Runs `work` until it ends, the app is asked to quit, or a signal arrives.
  ///
  /// A signal cancels `work`, which is abandoned if it does not end soon.
  ///
  /// - Returns: The result, or nil if the work was abandoned.
  @discardableResult
  package func run<Value: Sendable>(
    _ work: @escaping @MainActor () async -> Value
  ) async -> Value? {
    let (ends, end) = AsyncStream.makeStream(of: Value?.self)
    let task = Task {
      let value = await work()
      _ = end.yield(value)
    }
    onEnd = { [store, clock = effects.clock] in
      task.cancel()
      store.finish()
      Task {
        await waitAtMost(.seconds(2), by: clock) { await task.value }
        end.yield(nil)
      }
    }
    if EndSignals.received != nil { onEnd() }
    for await value in ends { return value }
    return nil
  }

  /// Waits for the clients' commands that end by themselves, unless a signal has arrived.
  package func finishCommands() async {
    guard EndSignals.received == nil else { return }
    await run { [owner] in await owner?.finishCommands() }
  }

  package func stop() async {
    following?.cancel()
    signals?.cancel()
    await effects.stop(reportingDelay: StandardConsole.shared.reportSlowDisk)
    await owner?.close()
  }

  private func adopt(_ new: Configuration, _ news: [String]?) {
    if let news {
      store.send(.configurationRead(mistakes: news))
      news.forEach(console.message)
    }
    guard new != configuration else { return }
    configuration = new
    store.adopt(new, autoPause: autoPause)
    owner?.restyle()
  }
}
