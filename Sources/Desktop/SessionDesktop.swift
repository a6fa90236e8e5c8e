public import DBus
public import EventLoop
internal import Glibc

/// The desktop on this user's D-Bus session bus: media players, notifications.
///
/// Its absence is a normal state (``/DBus/DBusError/noBus``). Each piece of work has a connection of
/// its own: between them nothing wakes Earshot over the bus, and a bus that restarts is no special
/// case.
public actor SessionDesktop: Desktop {
  /// The time for the replies of one step; players that hang do not hold up the others.
  private static let timeout: Duration = .seconds(2)

  private let address: DBusAddress?
  private let loop: PollLoop
  private let clock: any Clock<Duration>

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// - Parameter address: nil: the session bus of the environment.
  public init(
    address: DBusAddress? = nil, loop: PollLoop = .shared,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.address =
      address ?? DBusAddress.session { getenv($0).map { String(cString: $0) } }
    self.loop = loop
    self.clock = clock
  }

  /// Shows a notification (org.freedesktop.Notifications 1.2) until the desktop takes it away.
  ///
  /// Text from the air must have been made displayable before. Servers may take `body` for markup:
  /// what would be one is escaped.
  public func notify(summary: String, body: String) async throws(DBusError) {
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

  /// Pauses every media player that plays (MPRIS 2.2), and has not said that it cannot.
  public func pausePlayers() async throws(DBusError) -> PauseOutcome {
    try await connected { bus throws(DBusError) in
      let playing = try await players(try await names(on: bus), in: "Playing", on: bus)
      let able = await ask(playing.flatMap { [($0, "CanPause"), ($0, "CanControl")] }, on: bus)
      let unable = Set(able.filter { $0.answer == .boolean(false) }.map(\.player))
      let paused = await order("Pause", playing.filter { !unable.contains($0) }, on: bus)
      return PauseOutcome(paused: paused, unable: playing.filter(unable.contains))
    }
  }

  /// Lets players play that are still paused, and are the same programs.
  ///
  /// - Returns: those that took the order.
  @discardableResult
  public func resume(_ players: [MediaPlayer]) async throws(DBusError) -> [MediaPlayer] {
    guard !players.isEmpty else { return [] }
    return try await connected { bus throws(DBusError) in
      let paused = try await self.players(players.map(\.name), in: "Paused", on: bus)
      return await order("Play", paused.filter(players.contains), on: bus)
    }
  }

  /// What plays, else what is paused (MPRIS 2.2); of several the first by name.
  public func nowPlaying() async throws(DBusError) -> NowPlaying? {
    try await connected { bus throws(DBusError) in try await nowPlaying(on: bus) }
  }

  /// Gives an order to the player of ``nowPlaying()``.
  ///
  /// - Throws: `refused` with the player's words.
  public func order(_ order: PlayerOrder) async throws(DBusError) -> NowPlaying? {
    try await connected { bus throws(DBusError) in
      guard let playing = try await nowPlaying(on: bus) else { return nil }
      let call = DBusCall(
        order.rawValue, of: MediaPlayer.interface, at: MediaPlayer.path, to: playing.player.owner)
      try await bus.call(call, within: Self.timeout)
      return playing
    }
  }

  /// Characters of a title and of an artist, and how many artists.
  private static let (textLimit, artistLimit) = (200, 8)

  private func nowPlaying(on bus: DBusConnection) async throws(DBusError) -> NowPlaying? {
    let names = try await names(on: bus)
    for status in ["Playing", "Paused"] {
      guard let player = try await players(names, in: status, on: bus).first else { continue }
      let metadata = await ask([(player, "Metadata")], on: bus).first?.answer?.table
      return NowPlaying(
        player: player, isPlaying: status == "Playing",
        title: metadata?["xesam:title"]?.string.map { String($0.prefix(Self.textLimit)) },
        artists: (metadata?["xesam:artist"]?.strings ?? []).prefix(Self.artistLimit)
          .map { String($0.prefix(Self.textLimit)) })
    }
    return nil
  }

  /// The players' names on the bus.
  private func names(on bus: DBusConnection) async throws(DBusError) -> [String] {
    let list = DBusCall(
      "ListNames", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
      to: "org.freedesktop.DBus")
    return try await bus.call(list, within: Self.timeout).first?.strings?
      .filter { $0.hasPrefix(MediaPlayer.prefix) }.sorted() ?? []
  }

  /// Those of the names behind which a player is in this playback status.
  private func players(
    _ names: [String], in status: String, on bus: DBusConnection
  ) async throws(DBusError) -> [MediaPlayer] {
    let owners = await each(names) { name in
      try? await bus.call(
        DBusCall(
          "GetNameOwner", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
          to: "org.freedesktop.DBus", [.string(name)]), within: Self.timeout
      ).first?.string
    }
    guard await !bus.isClosed else { throw .noBus }
    let players = zip(names, owners).compactMap { name, owner in
      owner.map { MediaPlayer(name: name, owner: $0) }
    }
    // One that ended, hangs or talks nonsense is no reason to leave the others playing.
    let states = await ask(players.map { ($0, "PlaybackStatus") }, on: bus)
    return states.filter { $0.answer == .string(status) }.map(\.player)
  }

  /// The properties of a player; nil: it did not answer in time, or has exited.
  private func ask(
    _ questions: [(player: MediaPlayer, property: String)], on bus: DBusConnection
  ) async -> [(player: MediaPlayer, answer: DBusValue?)] {
    let answers = await each(questions) { player, property in
      try? await bus.call(
        DBusCall(
          "Get", of: "org.freedesktop.DBus.Properties", at: MediaPlayer.path, to: player.owner,
          [.string(MediaPlayer.interface), .string(property)]), within: Self.timeout
      ).first?.content
    }
    return zip(questions, answers).map { ($0.player, $1) }
  }

  /// Those that took the order.
  private func order(
    _ order: String, _ players: [MediaPlayer], on bus: DBusConnection
  ) async -> [MediaPlayer] {
    let taken = await each(players) { player in
      let call = DBusCall(
        order, of: MediaPlayer.interface, at: MediaPlayer.path, to: player.owner)
      return (try? await bus.call(call, within: Self.timeout)) != nil
    }
    return zip(players, taken).filter(\.1).map(\.0)
  }

  /// Does the work on all at once; the results in the same order.
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

extension String {
  /// As the notification specification wants what is no markup.
  fileprivate var escapedForMarkup: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
