public import Descriptors
internal import Glibc

/// The desktop behind this user's D-Bus session bus: media players, notifications.
///
/// Its absence is a normal state (``BusError/noBus``). No thread and no connection is kept.
public actor SessionBus: Desktop {
  /// For all answers of one step; players that hang do not hold up the others.
  private static let patience: Duration = .seconds(2)

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

  /// Pauses every media player that plays (MPRIS 2.2).
  ///
  /// - Returns: those that took the order; a player that cannot pause may take it and play on.
  public func pausePlayers() async throws(BusError) -> [MediaPlayer] {
    let connection = try connect()
    let names = try await playerNames(on: connection)
    return try await order(
      "Pause", those: names.map { ($0, nil) }, whichAre: "Playing", on: connection)
  }

  /// Lets players play that are still paused, and are the same programs.
  ///
  /// - Returns: those that took the order.
  @discardableResult
  public func resume(_ players: [MediaPlayer]) async throws(BusError) -> [MediaPlayer] {
    guard !players.isEmpty else { return [] }
    return try await order(
      "Play", those: players.map { ($0.name, $0.owner) }, whichAre: "Paused", on: try connect())
  }

  private func playerNames(on connection: BusConnection) async throws(BusError) -> [String] {
    let call = try BusMessage.call(
      "ListNames", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
      to: "org.freedesktop.DBus", on: connection.bus)
    let names = try await answer(to: call, on: connection).readStrings()
    return names.filter { $0.hasPrefix(MediaPlayer.prefix) }.sorted()
  }

  /// `owner`: the program that must have the name; nil: whichever has.
  private func order(
    _ order: String, those players: [(name: String, owner: String?)], whichAre status: String,
    on connection: BusConnection
  ) async throws(BusError) -> [MediaPlayer] {
    var questions: [BusMessage] = []
    for player in players {
      let call = try BusMessage.call(
        "Get", of: "org.freedesktop.DBus.Properties", at: MediaPlayer.path, to: player.name,
        on: connection.bus)
      try call.append(MediaPlayer.interface)
      try call.append("PlaybackStatus")
      questions.append(call)
    }
    let states = try await connection.answers(to: questions, within: Self.patience)
    var meant: [MediaPlayer] = []
    var orders: [BusMessage] = []
    for (player, state) in zip(players, states) {
      // One that ended, hangs or talks nonsense is no reason to leave the others playing.
      guard let state, state.error == nil, (try? state.readStringVariant()) == status,
        player.owner == nil || player.owner == state.sender
      else { continue }
      meant.append(MediaPlayer(name: player.name, owner: state.sender))
      orders.append(
        try BusMessage.call(
          order, of: MediaPlayer.interface, at: MediaPlayer.path, to: state.sender,
          on: connection.bus))
    }
    let ends = try await connection.answers(to: orders, within: Self.patience)
    return zip(meant, ends).filter { $1 != nil && $1?.error == nil }.map(\.0)
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
    guard let answer = try await connection.answers(to: [call], within: Self.patience)[0] else {
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
