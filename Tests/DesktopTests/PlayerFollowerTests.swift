import DBus
import Desktop
import EventLoop
import TestSupport
import Testing

/// Tests with a real D-Bus daemon, and players that signal changes.
@Suite struct PlayerFollowerTests {
  private static let player = "org.mpris.MediaPlayer2.Player"
  private static let path = "/org/mpris/MediaPlayer2"

  /// A media player, which is a connection that owns a name.
  private actor Player {
    private let bus: DBusConnection
    private let name: String
    private(set) var commands: [String] = []
    private var properties: [String: DBusValue]

    init(_ address: String, _ name: String, _ status: String, title: String = "") async throws {
      self.name = "org.mpris.MediaPlayer2.\(name)"
      properties = Self.properties(status, title)
      bus = try DBusConnection(
        address: try #require(DBusAddress(address)), loop: PollLoop(name: name),
        clock: ManualClock())
      await bus.export(at: PlayerFollowerTests.path) { [weak self] request in
        await self?.reply(request) ?? .unknownMethod
      }
      try await bus.call(
        DBusCall(
          "RequestName", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
          to: "org.freedesktop.DBus", [.string(self.name), .uint32(0)]))
    }

    func close() async { await bus.close() }

    /// Signals a change `times` times.
    func change(_ status: String, title: String = "", times: Int = 1) async {
      properties = Self.properties(status, title)
      for _ in 0..<times {
        await bus.emit(
          DBusSignal(
            "PropertiesChanged", of: "org.freedesktop.DBus.Properties",
            at: PlayerFollowerTests.path,
            [.string(PlayerFollowerTests.player), .options([:]), .strings(["Metadata"])]))
      }
    }

    func set(_ properties: [String: DBusValue]) async {
      self.properties = properties
      await bus.emit(
        DBusSignal(
          "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: PlayerFollowerTests.path,
          [.string(PlayerFollowerTests.player), .options([:]), .strings([])]))
    }

    private static func properties(_ status: String, _ title: String) -> [String: DBusValue] {
      [
        "PlaybackStatus": .string(status),
        "Metadata": .variant(
          .options(["xesam:title": .string(title), "xesam:artist": .strings(["Someone"])])),
      ]
    }

    private func reply(_ request: DBusRequest) -> DBusReply {
      guard request.member == "GetAll" else {
        commands.append(request.member)
        return .values([])
      }
      return .values([
        .dictionary(
          key: "s", value: "v",
          properties.reduce(into: [:]) { $0[.string($1.key)] = .variant($1.value.content) })
      ])
    }
  }

  private func desktop(_ daemon: BusDaemon) -> SessionDesktop {
    SessionDesktop(
      address: DBusAddress(daemon.address), loop: PollLoop(name: "test"), clock: ManualClock())
  }

  /// Waits for a state, ignoring those before.
  private func wait(
    _ changes: inout AsyncStream<NowPlaying?>.Iterator, _ isMet: (NowPlaying?) -> Bool
  ) async {
    while let now = await changes.next() { if isMet(now) { return } }
    Issue.record("the stream ended")
  }

  @Test func `what plays is followed from one player to the next, to nothing`() async throws {
    let daemon = try BusDaemon()
    let first = try await Player(daemon.address, "first", "Paused", title: "One")
    var changes = desktop(daemon).playing().makeAsyncIterator()
    await wait(&changes) { $0?.title == "One" && $0?.isPlaying == false }
    let second = try await Player(daemon.address, "second", "Playing", title: "Two")
    await wait(&changes) { $0?.title == "Two" && $0?.isPlaying == true }
    // Of two that play, the one that began last.
    await first.change("Playing", title: "Three")
    await wait(&changes) { $0?.title == "Three" && $0?.artists == ["Someone"] }
    // Of two that are paused, the one that played last.
    await second.change("Paused", title: "Two")
    await first.change("Paused", title: "Three")
    await wait(&changes) { $0?.title == "Three" && $0?.isPlaying == false }
    // One that was stopped can play on.
    await first.change("Stopped", title: "Three")
    await wait(&changes) { $0?.title == "Three" && $0?.status == .stopped }
    await first.close()
    await wait(&changes) { $0?.title == "Two" }
    await second.close()
    await wait(&changes) { $0 == nil }
  }

  @Test func `a player that never played and is stopped is none, and abilities are known`()
    async throws
  {
    let daemon = try BusDaemon()
    let idle = try await Player(daemon.address, "idle", "Stopped", title: "One")
    let player = try await Player(daemon.address, "radio", "Paused", title: "Two")
    var changes = desktop(daemon).playing().makeAsyncIterator()
    await wait(&changes) { $0?.title == "Two" && $0?.canPause == true && $0?.length == nil }
    await player.set([
      "PlaybackStatus": .string("Playing"), "CanPause": .boolean(false),
      "CanControl": .boolean(false),
      "Metadata": .variant(
        .options(["mpris:length": .int64(180_000_000), "xesam:album": .string("Album")])),
    ])
    await wait(&changes) {
      $0?.canPause == false && $0?.canControl == false && $0?.length == 180_000_000
        && $0?.album == "Album"
    }
    await player.close()
    await wait(&changes) { $0 == nil }
    await idle.close()
  }

  @Test func `the desktop that handles keys is known as it comes and goes`() async throws {
    let daemon = try BusDaemon()
    var handlers = desktop(daemon).keyHandler().makeAsyncIterator()
    #expect(await handlers.next() == .some(nil))
    let shell = try DBusConnection(
      address: try #require(DBusAddress(daemon.address)), loop: PollLoop(name: "shell"),
      clock: ManualClock())
    let name = DBusValue.string("org.gnome.SettingsDaemon.MediaKeys")
    func bus(_ member: String, _ arguments: [DBusValue]) async throws {
      try await shell.call(
        DBusCall(
          member, of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
          to: "org.freedesktop.DBus", arguments))
    }
    try await bus("RequestName", [name, .uint32(0)])
    #expect(await handlers.next() == "GNOME")
    // One that dies instead of letting go.
    await shell.close()
    #expect(await handlers.next() == .some(nil))
  }

  @Test func `without a session bus no desktop handles keys`() async {
    let desktop = SessionDesktop(
      address: DBusAddress("unix:path=/nonexistent/bus"), loop: PollLoop(name: "test"))
    var replies: [String?] = []
    for await handler in desktop.keyHandler() { replies.append(handler) }
    #expect(replies == [nil])
  }

  @Test func `an order goes to the player that is named`() async throws {
    let daemon = try BusDaemon()
    let player = try await Player(daemon.address, "mpv", "Playing", title: "One")
    let other = try await Player(daemon.address, "aaa", "Paused", title: "Two")
    let desktop = desktop(daemon)
    var shown: MediaPlayer?
    for await now in desktop.playing() where now?.isPlaying == true {
      shown = now?.player
      break
    }
    try await desktop.send(.playPause, to: try #require(shown))
    #expect(await player.commands == ["PlayPause"])
    #expect(await other.commands == [])
    await player.close()
    await other.close()
  }

  @Test func `a flood of changes costs one question at a time, and nonsense is nothing`()
    async throws
  {
    let daemon = try BusDaemon()
    let player = try await Player(daemon.address, "mpv", "Playing", title: "One")
    var changes = desktop(daemon).playing().makeAsyncIterator()
    await wait(&changes) { $0?.title == "One" }
    await player.change("Playing", title: "Last", times: 500)
    await wait(&changes) { $0?.title == "Last" }
    let long = String(repeating: "x", count: 5000)
    await player.set([
      "PlaybackStatus": .string("Playing"),
      "Metadata": .variant(
        .options(["xesam:title": .string(long), "xesam:artist": .uint32(7)])),
    ])
    await wait(&changes) { $0?.title?.count == 200 && $0?.artists == [] }
    await player.set(["PlaybackStatus": .uint32(1), "Metadata": .string("?")])
    await wait(&changes) { $0 == nil }
    await player.close()
  }

  @Test func `players are followed again on a session bus that comes back`() async throws {
    let clock = ManualClock()
    let daemon = try BusDaemon()
    let radio = try await Player(daemon.address, "radio", "Playing", title: "One")
    let desktop = SessionDesktop(
      address: DBusAddress(daemon.address), loop: PollLoop(name: "test"), clock: clock)
    var changes = desktop.playing().makeAsyncIterator()
    await wait(&changes) { $0?.title == "One" }
    daemon.end()
    await wait(&changes) { $0 == nil }
    try daemon.start()
    let band = try await Player(daemon.address, "band", "Playing", title: "Two")
    await clock.pass(.seconds(1))
    await wait(&changes) { $0?.title == "Two" }
    await radio.close()
    await band.close()
  }

  @Test func `without a session bus the stream ends`() async {
    let desktop = SessionDesktop(
      address: DBusAddress("unix:path=/nonexistent/bus"), loop: PollLoop(name: "test"))
    for await _ in desktop.playing() { Issue.record("something plays") }
  }
}
