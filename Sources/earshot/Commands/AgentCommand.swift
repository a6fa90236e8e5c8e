import ArgumentParser
import Companion
import CompanionRuntime
import Configuration
import Descriptors
import TerminalUI

struct AgentCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "agent",
    abstract: "Keep the link without a screen, for screens and commands to share.",
    discussion: """
      While it runs, commands take a few milliseconds. Where another earshot owns the link, it waits
      for its turn.

      EXAMPLES:
        earshot agent
        systemctl --user start earshot
      """)

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @MainActor
  func run() async throws {
    guard let place = options.meetingPlace else {
      Output.message("XDG_RUNTIME_DIR is not set: there is no place to meet other processes")
      throw ExitCode(ExitStatus.failed.rawValue)
    }
    while true {
      switch await Standing.find(at: place) {
      case .guest(let channel):
        Output.message("another earshot owns the link; waiting until it leaves")
        while await channel.next() != nil {}
      case .owner(let doorway):
        return try await serve(doorway, at: place)
      }
    }
  }

  @MainActor
  private func serve(_ doorway: Doorway?, at place: MeetingPlace) async throws {
    try await wired { wiring throws(CommandError) in
      let program = Background(
        wiring, doorway: doorway, autoPause: root.autoPause, log: tell(wiring))
      program.start(autoConnect: wiring.autoConnect(options))
      Output.message("keeps the link; others share it at \(place.socket)")
      for await _ in program.store.states {}
      await program.stop()
    }
  }
}

/// A program without a screen that owns the link.
@MainActor
final class Background {
  let store: Store
  private let effects: LiveEffects
  private let owner: Owner?
  private let autoPause: AutoPause
  /// Not where the command line has said it.
  private let followsConfiguration: Bool
  private var following: Task<Void, Never>?

  /// - Parameter autoPause: what the command line says; nil: the configuration does.
  init(
    _ wiring: Wiring, doorway: Doorway?, autoPause: AutoPause? = nil,
    log: @escaping @MainActor (LogLine) -> Void
  ) {
    self.autoPause = autoPause ?? wiring.configuration.autoPause
    followsConfiguration = autoPause == nil
    let effects = LiveEffects(world: wiring.world)
    let store = Store(handler: effects, now: wiring.world.now, log: log)
    self.effects = effects
    self.store = store
    let style = Style(wiring.configuration, symbols: .unicode)
    owner = doorway.map { Owner($0, store: store, effects: effects) { style } }
  }

  func start(autoConnect: AutoConnect) {
    let store = store
    owner?.open()
    store.send(.autoPauseSet(autoPause))
    if followsConfiguration { following = Task { await followConfiguration() } }
    effects.start(autoConnect: autoConnect) { store.send($0) }
  }

  /// Adopts what the configuration says of auto-pause each time that its file changes.
  private func followConfiguration() async {
    let file = ConfigurationFile()
    for await _ in PollLoop.shared.changes(ofFile: file.path) {
      let wish = file.read().configuration.autoPause
      if wish != store.state.autoPause { store.send(.autoPauseSet(wish)) }
    }
  }

  func stop() async {
    following?.cancel()
    await effects.stop()
    await owner?.close()
  }
}
