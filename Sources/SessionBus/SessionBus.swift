public import EventLoop
internal import Glibc

/// The desktop behind this user's D-Bus session bus: media players, notifications.
///
/// Its absence is a normal state (``BusError/noBus``). No thread and no connection is kept.
public actor SessionBus: Desktop {
  /// For all answers of one step; players that hang do not hold up the others.
  private static let timeout: Duration = .seconds(2)

  private let address: String?
  private let loop: PollLoop
  private let clock: any Clock<Duration>

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// - Parameter address: "unix:path=…"; nil: `DBUS_SESSION_BUS_ADDRESS`, else
  ///   `$XDG_RUNTIME_DIR/bus`.
  public init(
    address: String? = nil, loop: PollLoop = .shared,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.address = address
    self.loop = loop
    self.clock = clock
  }

  /// Shows a notification (org.freedesktop.Notifications 1.2) until the desktop takes it away.
  ///
  /// Text from the air must have been made displayable before. Servers may take `body` for markup:
  /// what would be one is escaped.
  public func notify(summary: String, body: String) async throws(BusError) {
    let connection = try connect()
    let call = try BusMessage.call(
      "Notify", of: "org.freedesktop.Notifications", at: "/org/freedesktop/Notifications",
      to: "org.freedesktop.Notifications", on: connection.bus)
    try call.append("Earshot")
    try call.append(UInt32(0))
    try call.append("audio-headphones")
    try call.append(summary)
    try call.append(body.escapedForMarkup)
    try call.appendEmptyArray(of: "s")
    try call.appendEmptyArray(of: "{sv}")
    try call.append(Int32(-1))
    _ = try await answer(to: call, on: connection)
  }

  /// Pauses every media player that plays (MPRIS 2.2), and has not said that it cannot.
  public func pausePlayers() async throws(BusError) -> PauseOutcome {
    let connection = try connect()
    let names = try await playerNames(on: connection)
    let playing = try await players(names, whichAre: "Playing", on: connection)
    let isAble = try await answers(to: ["CanPause", "CanControl"], of: playing, on: connection)
    let able = playing.filter(isAble)
    let paused = try await order("Pause", able, on: connection)
    return PauseOutcome(paused: paused, unable: playing.filter { !able.contains($0) })
  }

  /// Lets players play that are still paused, and are the same programs.
  ///
  /// - Returns: those that took the order.
  @discardableResult
  public func resume(_ players: [MediaPlayer]) async throws(BusError) -> [MediaPlayer] {
    guard !players.isEmpty else { return [] }
    let connection = try connect()
    let paused = try await self.players(
      players.map(\.name), whichAre: "Paused", on: connection)
    return try await order("Play", paused.filter(players.contains), on: connection)
  }

  private func playerNames(on connection: BusConnection) async throws(BusError) -> [String] {
    let call = try BusMessage.call(
      "ListNames", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
      to: "org.freedesktop.DBus", on: connection.bus)
    let names = try await answer(to: call, on: connection).readStrings()
    return names.filter { $0.hasPrefix(MediaPlayer.prefix) }.sorted()
  }

  /// Those of the players with these names whose `PlaybackStatus` is `status`.
  private func players(
    _ names: [String], whichAre status: String, on connection: BusConnection
  ) async throws(BusError) -> [MediaPlayer] {
    var questions: [BusMessage] = []
    for name in names { questions.append(try ask("PlaybackStatus", of: name, on: connection)) }
    let states = try await connection.answers(to: questions, within: Self.timeout)
    return zip(names, states).compactMap { name, state in
      // One that ended, hangs or talks nonsense is no reason to leave the others playing.
      guard let state, state.error == nil, (try? state.readStringVariant()) == status else {
        return nil
      }
      return MediaPlayer(name: name, owner: state.sender)
    }
  }

  /// Whether a player says yes to all of `properties`, or leaves them out.
  private func answers(
    to properties: [String], of players: [MediaPlayer], on connection: BusConnection
  ) async throws(BusError) -> (MediaPlayer) -> Bool {
    var questions: [BusMessage] = []
    for player in players {
      for property in properties {
        questions.append(try ask(property, of: player.owner, on: connection))
      }
    }
    let answers = try await connection.answers(to: questions, within: Self.timeout)
    let unwilling = answers.indices.filter { index in
      guard let answer = answers[index], answer.error == nil else { return false }
      return (try? answer.readBoolVariant()) == false
    }
    let refusing = Set(unwilling.map { players[$0 / properties.count] })
    return { !refusing.contains($0) }
  }

  private func ask(
    _ property: String, of destination: String, on connection: BusConnection
  ) throws(BusError) -> BusMessage {
    let call = try BusMessage.call(
      "Get", of: "org.freedesktop.DBus.Properties", at: MediaPlayer.path, to: destination,
      on: connection.bus)
    try call.append(MediaPlayer.interface)
    try call.append(property)
    return call
  }

  /// Those that took the order.
  private func order(
    _ order: String, _ players: [MediaPlayer], on connection: BusConnection
  ) async throws(BusError) -> [MediaPlayer] {
    var orders: [BusMessage] = []
    for player in players {
      orders.append(
        try BusMessage.call(
          order, of: MediaPlayer.interface, at: MediaPlayer.path, to: player.owner,
          on: connection.bus))
    }
    let ends = try await connection.answers(to: orders, within: Self.timeout)
    return zip(players, ends).filter { $1 != nil && $1?.error == nil }.map(\.0)
  }

  private func connect() throws(BusError) -> BusConnection {
    let address =
      if let address { BusAddress(address) } else {
        BusAddress { getenv($0).map { String(cString: $0) } }
      }
    guard let address else { throw .noBus }
    return try BusConnection(address: address, loop: loop, clock: clock)
  }

  private func answer(
    to call: BusMessage, on connection: BusConnection
  ) async throws(BusError) -> BusMessage {
    guard let answer = try await connection.answers(to: [call], within: Self.timeout)[0] else {
      throw .timedOut
    }
    if let error = answer.error { throw error }
    return answer
  }
}

extension String {
  /// As the notification specification wants what is no markup.
  fileprivate var escapedForMarkup: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
