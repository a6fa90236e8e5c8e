import DBus
import Desktop
import EventLoop
import TestSupport
import Testing

/// Tests with a real D-Bus daemon, and players on other connections.
@Suite struct SessionDesktopTests {
  private static let mpv = "org.mpris.MediaPlayer2.mpv"
  private static let radio = "org.mpris.MediaPlayer2.radio"

  private func session(_ daemon: BusDaemon, clock: ManualClock = ManualClock()) -> SessionDesktop {
    SessionDesktop(address: DBusAddress(daemon.address), clock: clock)
  }

  @Test func `what plays is paused and plays again`() async throws {
    let daemon = try BusDaemon()
    let mpv = try await FakeDesktop(at: daemon.address, owning: [Self.mpv])
    let radio = try await FakeDesktop(at: daemon.address, owning: [Self.radio], status: "Paused")
    let bus = session(daemon)
    let paused = try await bus.pausePlayers().paused
    #expect(paused.map(\.shortName) == ["mpv"])
    #expect(await mpv.commands == ["Pause"])
    #expect(try await bus.resume(paused) == paused)
    #expect(await mpv.commands == ["Pause", "Play"])
    #expect(await radio.commands == [])
  }

  @Test func `what a person started or stopped meanwhile is left alone`() async throws {
    let daemon = try BusDaemon()
    let mpv = try await FakeDesktop(at: daemon.address, owning: [Self.mpv])
    let bus = session(daemon)
    let paused = try await bus.pausePlayers().paused
    await mpv.set(status: "Stopped")
    #expect(try await bus.resume(paused) == [])
    #expect(await mpv.commands == ["Pause"])
  }

  @Test func `a program that started again is another one`() async throws {
    let daemon = try BusDaemon()
    let first = try await FakeDesktop(at: daemon.address, owning: [Self.mpv])
    let bus = session(daemon)
    let paused = try await bus.pausePlayers().paused
    await first.end()
    let second = try await FakeDesktop(at: daemon.address, owning: [Self.mpv], status: "Paused")
    #expect(try await bus.resume(paused) == [])
    #expect(await second.commands == [])
  }

  @Test func `a player that refuses is not paused`() async throws {
    let daemon = try BusDaemon()
    let stubborn = try await FakeDesktop(at: daemon.address, owning: [Self.mpv], obeys: false)
    #expect(try await session(daemon).pausePlayers().paused == [])
    #expect(await stubborn.commands == ["Pause"])
  }

  @Test(arguments: [
    ["CanPause": false], ["CanControl": false], ["CanPause": true, "CanControl": false],
  ])
  func `a player that says that it cannot pause is left alone`(abilities: [String: Bool])
    async throws
  {
    let daemon = try BusDaemon()
    let radio = try await FakeDesktop(
      at: daemon.address, owning: [Self.radio], abilities: abilities)
    let mpv = try await FakeDesktop(
      at: daemon.address, owning: [Self.mpv], abilities: ["CanPause": true, "CanControl": true])
    let outcome = try await session(daemon).pausePlayers()
    #expect(outcome.paused.map(\.shortName) == ["mpv"])
    #expect(outcome.unable.map(\.shortName) == ["radio"])
    #expect(await radio.commands == [])
    #expect(await mpv.commands == ["Pause"])
  }

  @Test func `a player that hangs is not waited for longer than its timeout`() async throws {
    let daemon = try BusDaemon()
    let clock = ManualClock()
    let hanging = try await FakeDesktop(at: daemon.address, owning: [Self.mpv], replies: false)
    async let outcome = session(daemon, clock: clock).pausePlayers()
    for await call in hanging.calls where call == "Get" { break }
    await clock.pass(.seconds(2))
    #expect(try await outcome == PauseOutcome())
    #expect(await hanging.commands == [])
  }

  @Test func `a player that hangs does not delay another's pause, nor its order`() async throws {
    let daemon = try BusDaemon()
    let clock = ManualClock()
    let hanging = try await FakeDesktop(at: daemon.address, owning: [Self.mpv], replies: false)
    let radio = try await FakeDesktop(at: daemon.address, owning: [Self.radio])
    let bus = session(daemon, clock: clock)
    let pausing = Task { try await bus.pausePlayers() }
    for await call in radio.calls where call == "Pause" { break }
    for await call in hanging.calls where call == "Get" { break }
    // No time has passed.
    #expect(clock.now.sinceStart == .zero)
    await clock.pass(.seconds(2))
    _ = try await pausing.value
    let resuming = Task { try await bus.resume([MediaPlayer(name: Self.mpv, owner: ":1.0")]) }
    for await call in hanging.calls where call == "Get" { break }
    await clock.pass(.seconds(2))
    #expect(try await resuming.value == [])
    let ordering = Task { try await bus.send(.next) }
    await clock.pass(.milliseconds(200))
    #expect(try await ordering.value?.player.shortName == "radio")
    #expect(await radio.commands == ["Pause", "Next"])
    #expect(await hanging.commands == [])
  }

  @Test func `an order goes to what plays, else to what is paused`() async throws {
    let daemon = try BusDaemon()
    let mpv = try await FakeDesktop(at: daemon.address, owning: [Self.mpv], status: "Paused")
    let radio = try await FakeDesktop(at: daemon.address, owning: [Self.radio])
    let bus = session(daemon)
    #expect(try await bus.send(.next)?.player.shortName == "radio")
    #expect(await radio.commands == ["Next"])
    await radio.set(status: "Stopped")
    let paused = try await bus.send(.play)
    #expect(paused?.player.shortName == "mpv" && paused?.isPlaying == false)
    #expect(await mpv.commands == ["Play"])
    await mpv.set(status: "Stopped")
    #expect(try await bus.send(.play) == nil)
  }

  @Test func `what is on is told with its artists, and what makes no sense is not`() async throws {
    let daemon = try BusDaemon()
    let mpv = try await FakeDesktop(
      at: daemon.address, owning: [Self.mpv], title: String(repeating: "la ", count: 100))
    let bus = session(daemon)
    let playing = try #require(try await bus.nowPlaying())
    #expect(playing.title?.count == 200 && playing.artists == [])
    await mpv.end()
    let mute = try await FakeDesktop(at: daemon.address, owning: [Self.mpv])
    #expect(try await bus.nowPlaying()?.title == nil)
    await mute.end()
  }

  @Test func `a player that refuses an order says so`() async throws {
    let daemon = try BusDaemon()
    let stubborn = try await FakeDesktop(at: daemon.address, owning: [Self.mpv], obeys: false)
    await #expect(throws: DBusError.refused(name: "org.example.Refused", message: "not now")) {
      try await session(daemon).send(.pause)
    }
    #expect(await stubborn.commands == ["Pause"])
  }

  @Test func `a notification is shown with its text as text`() async throws {
    let daemon = try BusDaemon()
    let desktop = try await FakeDesktop(
      at: daemon.address, owning: ["org.freedesktop.Notifications"])
    try await session(daemon).notify(
      summary: "Aurora: 10 %", body: "left <b>&")
    #expect(await desktop.commands == ["Notify: Aurora: 10 % / left &lt;b&gt;&amp;"])
  }

  @Test func `without a notification server the bus says so`() async throws {
    let daemon = try BusDaemon()
    let bus = session(daemon)
    await #expect {
      try await bus.notify(summary: "a", body: "b")
    } throws: { error in
      guard case .refused(let name, _) = error as? DBusError else { return false }
      return name == "org.freedesktop.DBus.Error.ServiceUnknown"
    }
  }

  @Test func `no bus is a normal state`() async throws {
    let bus = SessionDesktop(address: DBusAddress("unix:path=/nonexistent/bus"))
    await #expect(throws: DBusError.noBus) { try await bus.pausePlayers() }
  }

  @Test func `a bus that ended is no bus`() async throws {
    let daemon = try BusDaemon()
    let bus = session(daemon)
    #expect(try await bus.pausePlayers() == PauseOutcome())
    daemon.end()
    await #expect(throws: DBusError.noBus) { try await bus.pausePlayers() }
  }
}
