import AudioRoute
import Companion
import CompanionRuntime
import DBus
import Desktop
import Locking
import Persistence
import TestSupport
import Testing

/// The effects on the desktop and the sound server.
@MainActor @Suite struct DesktopEffectsTests {
  private func effects(
    _ desktop: ScriptedDesktop, _ audio: ScriptedAudioSource, _ clock: ManualClock = ManualClock()
  ) -> LiveEffectHandler {
    LiveEffectHandler(
      dependencies: Dependencies(
        radio: ScriptedRadio(), services: [],
        prepareDriver: { _, _ in { ScriptedDriver(bearer: $0, emitter: $1) } },
        makeAudio: { audio }, clock: clock,
        known: KnownHeadphones(in: TemporaryFolder().state), desktop: desktop))
  }

  /// Runs the effects to their end, and returns the actions.
  private func execute(_ effects: [Effect], in live: LiveEffectHandler) async -> [Action] {
    var sent: [Action] = []
    for effect in effects { live.begin(effect) { sent.append($0) } }
    await live.stop()
    return sent
  }

  @Test func `what was paused plays again, in this order however fast the bud is back`() async {
    let desktop = ScriptedDesktop()
    let live = effects(desktop, ScriptedAudioSource())
    let sent = await execute([.pausePlayers, .resumePlayers], in: live)
    #expect(
      sent == [
        .noted(.info, nil, "auto-pause: radio says that it cannot be paused"),
        .playersPaused(["mpv"]),
      ])
    #expect(desktop.commands == ["pause", "resume mpv"])
  }

  @Test func `keys reach the player in order, and those that waited too long are dropped`() async {
    let clock = ManualClock()
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let (arrivals, arrived) = AsyncStream.makeStream(of: String.self)
    let desktop = ScriptedDesktop { command in
      arrived.yield(command)
      // It hangs at the first.
      if command == "Play" { for await _ in gate { break } }
    }
    let live = effects(desktop, ScriptedAudioSource(), clock)
    let mpv = MediaPlayer(name: "org.mpris.MediaPlayer2.mpv", owner: ":1.1")
    let (news, report) = AsyncStream.makeStream(of: Action.self)
    var arriving = arrivals.makeAsyncIterator()
    live.begin(.pressPlayer(.play, mpv)) { report.yield($0) }
    #expect(await arriving.next() == "Play")
    // Another player has its keys at once.
    let radio = MediaPlayer(name: "org.mpris.MediaPlayer2.radio", owner: ":1.2")
    live.begin(.pressPlayer(.stop, radio)) { report.yield($0) }
    #expect(await arriving.next() == "Stop")
    live.begin(.pressPlayer(.next, mpv)) { report.yield($0) }
    // The clock is only read, when the second key begins.
    clock.jump(by: .milliseconds(1100))
    live.begin(.pressPlayer(.pause, mpv)) { report.yield($0) }
    open.yield()
    #expect(await arriving.next() == "Pause")
    for await action in news {
      #expect(action == .noted(.warning, nil, "dropped a key of a headphone: mpv hangs"))
      break
    }
    await live.stop()
  }

  @Test func `what is forgotten is not resumed`() async {
    let desktop = ScriptedDesktop()
    let live = effects(desktop, ScriptedAudioSource())
    _ = await execute([.pausePlayers, .forgetPlayers, .resumePlayers], in: live)
    #expect(desktop.commands == ["pause", "resume "])
  }

  @Test func `without a bus nothing was paused, and that is in the log`() async {
    let live = effects(ScriptedDesktop(failing: .noBus), ScriptedAudioSource())
    let sent = await execute([.pausePlayers], in: live)
    #expect(
      sent == [.noted(.warning, nil, "auto-pause: no D-Bus"), .playersPaused([])])
  }

  @Test func `a notification reaches the desktop, without what would move a terminal`() async {
    let desktop = ScriptedDesktop()
    let live = effects(desktop, ScriptedAudioSource())
    let sent = await execute(
      [
        .notify(summary: "The battery of Ear\u{1B}[2J is low", body: "left 20%"),
        .notify(summary: "The battery of Ear is nearly empty", body: "left 9%"),
      ], in: live)
    #expect(sent.isEmpty)
    #expect(
      desktop.commands == [
        "The battery of Ear\u{FFFD}[2J is low: left 20%",
        "The battery of Ear is nearly empty: left 9%",
      ])
  }

  @Test func `a notification that nobody shows is in the log`() async {
    let effect = Effect.notify(summary: "The battery of Ear is low", body: "left 20%")
    let none = await execute(
      [effect], in: effects(ScriptedDesktop(failing: .noBus), ScriptedAudioSource()))
    #expect(none == [.noted(.debug, nil, "no desktop notification: no D-Bus")])
    let late = await execute(
      [effect], in: effects(ScriptedDesktop(failing: .timedOut), ScriptedAudioSource()))
    #expect(
      late == [
        .noted(.warning, nil, "no desktop notification: no answer over D-Bus in time")
      ])
  }

  @Test func `a held sink is let go at the end, whatever ends the program`() async throws {
    let audio = ScriptedAudioSource(headphones: [("Ear", "00:00:00:00:00:01")])
    let live = effects(ScriptedDesktop(), audio)
    let sink = "virtual_output.00_00_00_00_00_01"
    _ = await execute([.audio(.setSuspended(sink: sink, isSuspended: true))], in: live)
    for await case .running(let sound) in audio.observations {
      if sound.sink(named: sink)?.activity == .running { break }
    }
  }
}

/// A desktop with one player that records its commands.
private final class ScriptedDesktop: Desktop {
  private let reported = Mutex<[String]>([])
  private let failure: DBusError?

  private let whenOrdered: @Sendable (String) async -> Void

  init(
    failing failure: DBusError? = nil,
    whenOrdered: @escaping @Sendable (String) async -> Void = { _ in }
  ) {
    self.failure = failure
    self.whenOrdered = whenOrdered
  }

  var commands: [String] { reported.withLock { $0 } }

  func notify(summary: String, body: String) async throws(DBusError) {
    if let failure { throw failure }
    reported.withLock { $0.append("\(summary): \(body)") }
  }

  func pausePlayers() async throws(DBusError) -> PauseOutcome {
    if let failure { throw failure }
    reported.withLock { $0.append("pause") }
    return PauseOutcome(
      paused: [MediaPlayer(name: "org.mpris.MediaPlayer2.mpv", owner: ":1.1")],
      unable: [MediaPlayer(name: "org.mpris.MediaPlayer2.radio", owner: ":1.2")])
  }

  func resume(_ players: [MediaPlayer]) async throws(DBusError) -> [MediaPlayer] {
    reported.withLock { $0.append("resume \(players.map(\.shortName).joined(separator: " "))") }
    return players
  }

  func nowPlaying() async throws(DBusError) -> NowPlaying? { nil }

  func playing() -> AsyncStream<NowPlaying?> { AsyncStream { $0.finish() } }

  func keyHandler() -> AsyncStream<String?> { AsyncStream { $0.finish() } }

  func send(_ command: PlayerCommand, to player: MediaPlayer) async throws(DBusError) {
    if let failure { throw failure }
    reported.withLock { $0.append("\(command.rawValue) \(player.shortName)") }
    await whenOrdered(command.rawValue)
  }

  func send(_ command: PlayerCommand) async throws(DBusError) -> NowPlaying? { nil }
}
