package import DBus
package import EventLoop
internal import Glibc

/// The desktop on this user's D-Bus session bus.
///
/// Each operation opens its own connection: between operations the bus does not wake Earshot, and a
/// restarted bus needs no special treatment. The actor runs on its poll loop.
package actor SessionDesktop: Desktop {
  /// The time-out for the replies of one step, so that one player cannot delay the others for long.
  private static let timeout: Duration = .seconds(2)

  private let address: DBusAddress?
  private let loop: PollLoop
  private let clock: any Clock<Duration>

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  package init(
    address: DBusAddress? = nil, loop: PollLoop = .shared,
    clock: any Clock<Duration> = LoopClock(.shared)
  ) {
    self.address =
      address ?? DBusAddress.session { getenv($0).map { String(cString: $0) } }
    self.loop = loop
    self.clock = clock
  }

  /// Shows a notification (org.freedesktop.Notifications 1.2), and starts the service if necessary.
  ///
  /// Text from the air must have been made displayable before. Servers may interpret `body` as
  /// markup, so its markup characters are escaped.
  package func notify(summary: String, body: String) async throws(DBusError) {
    try await connected { bus throws(DBusError) in
      var call = DBusCall(
        "Notify", of: "org.freedesktop.Notifications", at: "/org/freedesktop/Notifications",
        to: "org.freedesktop.Notifications",
        [
          .string("Earshot"), .uint32(0), .string("audio-headphones"), .string(summary),
          .string(body.escapedForMarkup), .strings([]), .options([:]), .int32(-1),
        ])
      call.startsService = true
      try await bus.call(call, within: Self.timeout)
    }
  }

  /// Pauses every media player that plays and does not report `CanPause` or `CanControl` as false.
  ///
  /// Each is paused as soon as it has answered.
  package func pausePlayers() async throws(DBusError) -> PauseOutcome {
    try await connected { bus throws(DBusError) in
      let pauses = await each(try await names(on: bus)) { name -> (MediaPlayer, isPaused: Bool?)? in
        guard let player = await self.player(name, in: "Playing", on: bus) else { return nil }
        let able = await self.each(["CanPause", "CanControl"]) { property in
          await self.ask(player, property, on: bus)
        }
        guard !able.contains(.boolean(false)) else { return (player, nil) }
        return (player, await self.call("Pause", player, on: bus))
      }.compactMap(\.self)
      guard await !bus.isClosed else { throw .noBus }
      return PauseOutcome(
        paused: pauses.filter { $0.isPaused == true }.map(\.0),
        unable: pauses.filter { $0.isPaused == nil }.map(\.0))
    }
  }

  @discardableResult
  package func resume(_ players: [MediaPlayer]) async throws(DBusError) -> [MediaPlayer] {
    guard !players.isEmpty else { return [] }
    return try await connected { bus throws(DBusError) in
      let resumed = await each(players) { player -> MediaPlayer? in
        let now = await self.player(player.name, in: "Paused", on: bus)
        guard now == player, await self.call("Play", player, on: bus) else { return nil }
        return player
      }.compactMap(\.self)
      guard await !bus.isClosed else { throw .noBus }
      return resumed
    }
  }

  /// Returns a player that plays, or else one that is paused; of several, the first by name.
  package func nowPlaying() async throws(DBusError) -> NowPlaying? {
    try await connected { bus throws(DBusError) in try await nowPlaying(on: bus) }
  }

  /// Returns the current player, or nil while the bus is gone; ends at once without a session bus.
  package nonisolated func playing() -> AsyncStream<NowPlaying?> {
    followed { [loop] bus in
      let (playing, players) = AsyncStream.makeStream(
        of: NowPlaying?.self, bufferingPolicy: .bufferingNewest(1))
      await PlayerFollower(bus, on: loop, players).start()
      return playing
    } ?? AsyncStream { $0.finish() }
  }

  private static let keyHandlers = [
    "org.gnome.SettingsDaemon.MediaKeys": "GNOME",
    "org.cinnamon.SettingsDaemon.MediaKeys": "Cinnamon",
    "org.mate.SettingsDaemon": "MATE", "org.kde.plasmashell": "Plasma",
  ]

  package nonisolated func keyHandler() -> AsyncStream<String?> {
    followed { [loop] bus in
      await KeyHandlerWatch(bus, on: loop).follow(Self.keyHandlers)
    }
      ?? AsyncStream { stream in
        stream.yield(nil)
        stream.finish()
      }
  }

  /// Returns the values that a follower finds on the bus, or nil without a session bus.
  ///
  /// While the bus is gone the value is nil; once it is back, a new follower continues.
  private nonisolated func followed<Value: Sendable>(
    by follow: @escaping @Sendable (DBusConnection) async -> AsyncStream<Value?>
  ) -> AsyncStream<Value?>? {
    guard let address, let bus = try? DBusConnection(address: address, loop: loop, clock: clock)
    else { return nil }
    let (stream, changes) = AsyncStream.makeStream(
      of: Value?.self, bufferingPolicy: .bufferingNewest(1))
    let following = Task { [loop, clock] in
      var next: DBusConnection? = bus
      while let bus = next {
        for await value in await follow(bus) { changes.yield(value) }
        await bus.close()
        changes.yield(nil)
        next = await DBusConnection.whenBack(at: address, loop: loop, clock: clock)
      }
      changes.finish()
    }
    changes.onTermination = { _ in following.cancel() }
    return stream
  }

  package func send(_ command: PlayerCommand, to player: MediaPlayer) async throws(DBusError) {
    try await connected { bus throws(DBusError) in
      let call = DBusCall(
        command.rawValue, of: MediaPlayer.interface, at: MediaPlayer.path, to: player.owner)
      try await bus.call(call, within: Self.timeout)
    }
  }

  package func send(_ command: PlayerCommand) async throws(DBusError) -> NowPlaying? {
    try await connected { bus throws(DBusError) in
      guard let playing = try await nowPlaying(on: bus) else { return nil }
      let call = DBusCall(
        command.rawValue, of: MediaPlayer.interface, at: MediaPlayer.path, to: playing.player.owner)
      try await bus.call(call, within: Self.timeout)
      return playing
    }
  }

  /// The time that further players get once one has answered that it plays or is paused.
  private static let grace: Duration = .milliseconds(200)

  private func nowPlaying(on bus: DBusConnection) async throws(DBusError) -> NowPlaying? {
    let names = try await names(on: bus)
    let answers = await statuses(of: names, on: bus)
    guard await !bus.isClosed else { throw .noBus }
    for status in ["Playing", "Paused"] {
      guard let player = answers.first(where: { $0.status == status })?.player else { continue }
      let metadata = await ask(player, "Metadata", on: bus)
      return NowPlaying(
        player, ["PlaybackStatus": .string(status), "Metadata": metadata ?? .options([:])])
    }
    return nil
  }

  /// The status of a player, or nil for both if it has ended or does not answer.
  private struct StatusAnswer: Sendable {
    var place: Int
    var player: MediaPlayer?
    var status: String?
  }

  /// Returns the players' answers by name; one without an answer delays the others by ``grace``
  /// only.
  private func statuses(of names: [String], on bus: DBusConnection) async -> [StatusAnswer] {
    let (stream, answer) = AsyncStream.makeStream(of: StatusAnswer?.self)
    let asking = names.enumerated().map { place, name in
      Task {
        var own = StatusAnswer(place: place)
        own.player = await self.player(name, on: bus)
        if let player = own.player {
          own.status = await self.ask(player, "PlaybackStatus", on: bus)?.string
        }
        answer.yield(own)
      }
    }
    var answers: [StatusAnswer] = []
    var waiting: Task<Void, Never>?
    defer { for task in asking + [waiting].compactMap(\.self) { task.cancel() } }
    while answers.count < names.count {
      guard let received = await stream.first(where: { _ in true }) ?? nil else { break }
      answers.append(received)
      guard received.status == "Playing" || received.status == "Paused", waiting == nil else {
        continue
      }
      waiting = Task { [clock] in
        if (try? await clock.sleep(for: Self.grace)) != nil { answer.yield(nil) }
      }
    }
    return answers.sorted { $0.place < $1.place }
  }

  private func names(on bus: DBusConnection) async throws(DBusError) -> [String] {
    let list = DBusCall(
      "ListNames", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
      to: "org.freedesktop.DBus")
    return try await bus.call(list, within: Self.timeout).first?.strings?
      .filter { $0.hasPrefix(MediaPlayer.prefix) }.sorted() ?? []
  }

  /// Returns the player with a name, or nil if it has ended or is not in this state.
  private func player(
    _ name: String, in status: String? = nil, on bus: DBusConnection
  ) async -> MediaPlayer? {
    let call = DBusCall(
      "GetNameOwner", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
      to: "org.freedesktop.DBus", [.string(name)])
    let owner = try? await bus.call(call, within: Self.timeout).first?.string
    guard let player = owner.map({ MediaPlayer(name: name, owner: $0) }) else { return nil }
    guard let status else { return player }
    return await ask(player, "PlaybackStatus", on: bus) == .string(status) ? player : nil
  }

  /// Returns a property, or nil if the player does not answer in time or answers wrongly.
  private func ask(
    _ player: MediaPlayer, _ property: String, on bus: DBusConnection
  ) async -> DBusValue? {
    let call = DBusCall(
      "Get", of: "org.freedesktop.DBus.Properties", at: MediaPlayer.path, to: player.owner,
      [.string(MediaPlayer.interface), .string(property)])
    return try? await bus.call(call, within: Self.timeout).first?.content
  }

  private func call(_ method: String, _ player: MediaPlayer, on bus: DBusConnection) async -> Bool {
    let call = DBusCall(method, of: MediaPlayer.interface, at: MediaPlayer.path, to: player.owner)
    return (try? await bus.call(call, within: Self.timeout)) != nil
  }

  private func each<Element: Sendable, Result: Sendable>(
    _ elements: [Element], _ work: @escaping @Sendable (Element) async -> Result
  ) async -> [Result] {
    let tasks = elements.map { element in Task { await work(element) } }
    var results: [Result] = []
    for task in tasks { results.append(await task.value) }
    return results
  }

  private func connected<Result>(
    _ work: (DBusConnection) async throws(DBusError) -> Result
  ) async throws(DBusError) -> Result {
    guard let address else { throw .noBus }
    let bus = try DBusConnection(address: address, loop: loop, clock: clock)
    do throws(DBusError) {
      let result = try await work(bus)
      await bus.close()
      return result
    } catch {
      await bus.close()
      throw error
    }
  }
}

private actor KeyHandlerWatch {
  private let bus: DBusConnection
  private let loop: PollLoop
  private var present: [String: Bool] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(_ bus: DBusConnection, on loop: PollLoop) {
    self.bus = bus
    self.loop = loop
  }

  /// Returns the desktop whose name has an owner, once all owners are known, and at each change.
  func follow(_ names: [String: String]) -> AsyncStream<String?> {
    let (stream, changes) = AsyncStream.makeStream(
      of: String?.self, bufferingPolicy: .bufferingNewest(1))
    bus.assumeIsolated { bus in
      for (name, desktop) in names {
        // The connection retains its sinks, which retain this actor.
        bus.watch(name, hearsSignals: false) { event in
          self.assumeIsolated { me in
            guard case .owner(let owner) = event else { return }
            me.present[desktop] = owner != nil
            guard me.present.count == names.count else { return }
            changes.yield(me.present.filter(\.value).keys.min())
          }
        }
      }
      bus.whenClosed { changes.finish() }
    }
    return stream
  }
}

extension String {
  /// The text with `&`, `<` and `>` as entities, as the notification specification requires.
  fileprivate var escapedForMarkup: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
