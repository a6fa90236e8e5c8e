internal import DBus
internal import EventLoop
internal import Glibc

/// A follower of the media players on a session bus (MPRIS 2.2), by their signals and without
/// polling.
///
/// The current player is the one that plays; among several, the one that started last; if none
/// plays, the one that has most recently played, or one that is paused. Each change of it is yielded
/// once. What mpris-proxy offers is left out: those are the headphones themselves, as if they played.
///
/// All players are other programs: their number and the length of their texts are limited, and a
/// player that hangs affects only itself. It has one outstanding query per player, however many
/// signals it receives.
actor PlayerFollower {
  /// The number of players that are followed, more than a desktop has; any program can take such a
  /// name.
  static let limit = 32

  /// A player on the bus.
  private struct Player {
    /// The player's name and owner.
    var id: MediaPlayer
    /// The track and its status; `nil` if it is stopped, or has not answered.
    var playing: NowPlaying?
    /// The place in the order in which players started to play; 0 if it never has.
    var start = 0
    /// Whether a query is outstanding.
    var isAsked = false
    /// Whether a signal has arrived since that query, so that another one must follow.
    var isOutdated = false
  }

  /// The connection, on the loop of this actor.
  private let bus: DBusConnection
  private let loop: PollLoop
  /// The consumer of the current player.
  private let changes: AsyncStream<NowPlaying?>.Continuation
  /// The players by name.
  private var players: [String: Player] = [:]
  /// The number of times that any player has started.
  private var starts = 0
  /// The value that was yielded last; `nil` before the first.
  private var last: NowPlaying??

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Creates a follower; ``start()`` must be called next.
  ///
  /// - Parameters:
  ///   - bus: a connection of its own, on the same loop.
  ///   - loop: the loop of the connection.
  ///   - changes: receives the current player whenever it changes; `nil` if there is none.
  init(
    _ bus: DBusConnection, on loop: PollLoop, _ changes: AsyncStream<NowPlaying?>.Continuation
  ) {
    self.bus = bus
    self.loop = loop
    self.changes = changes
  }

  /// Starts to follow; the end of the connection ends it, and finishes the changes.
  func start() {
    // The connection keeps its sinks, and they keep this actor.
    bus.assumeIsolated { bus in
      bus.whenClosed { [changes] in changes.finish() }
      bus.watchNames(in: String(MediaPlayer.prefix.dropLast())) { name in
        self.assumeIsolated { $0.watch(name) }
      }
    }
  }

  /// Follows a player by its name, up to the limit.
  private func watch(_ name: String) {
    guard players[name] == nil, players.count < Self.limit else { return }
    players[name] = Player(id: MediaPlayer(name: name, owner: ""))
    bus.assumeIsolated { bus in
      bus.watch(name) { event in self.assumeIsolated { $0.receive(event, of: name) } }
    }
  }

  /// Handles a change of owner, or a signal of the player.
  private func receive(_ event: DBusNameEvent, of name: String) {
    switch event {
    case .owner(let owner?):
      let player = MediaPlayer(name: name, owner: owner)
      players[name] = Player(id: player, isAsked: true)
      examine(player)
    case .owner(nil):
      players[name] = nil
      bus.assumeIsolated { $0.unwatch(name) }
      publish()
    case .signal(let signal):
      guard signal.member == "PropertiesChanged", signal.path == MediaPlayer.path,
        signal.arguments.first?.string == MediaPlayer.interface
      else { return }
      ask(name)
    }
  }

  /// Queries a player once it is known not to be of mpris-proxy.
  private func examine(_ player: MediaPlayer) {
    let call = DBusCall(
      "GetConnectionUnixProcessID", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
      to: "org.freedesktop.DBus", [.string(player.owner)])
    bus.assumeIsolated { bus in
      bus.send(call) { result in
        let process = (try? result.get())?.first?.integer
        Task { await self.begin(player, isProxy: await Self.isProxy(process)) }
      }
    }
  }

  private static func isProxy(_ process: Int?) async -> Bool {
    guard let process else { return false }
    return await FileIO.shared.run { processName(of: process) } == "mpris-proxy"
  }

  private func begin(_ player: MediaPlayer, isProxy: Bool) {
    guard !isProxy, players[player.name]?.id == player else { return }
    players[player.name]?.isAsked = false
    ask(player.name)
  }

  /// Queries the player's properties; during a query, marks it as outdated instead.
  private func ask(_ name: String) {
    guard let player = players[name] else { return }
    guard !player.isAsked else {
      players[name]?.isOutdated = true
      return
    }
    players[name]?.isAsked = true
    let call = DBusCall(
      "GetAll", of: "org.freedesktop.DBus.Properties", at: MediaPlayer.path, to: player.id.owner,
      [.string(MediaPlayer.interface)])
    bus.assumeIsolated { bus in
      bus.send(call) { result in
        self.assumeIsolated { $0.adopt(try? result.get().first?.table, of: name, player.id) }
      }
    }
  }

  /// Handles the answer to a query; `nil` if it failed.
  private func adopt(_ properties: [String: DBusValue]?, of name: String, _ id: MediaPlayer) {
    // A successor under this name is asked by itself.
    guard var player = players[name], player.id == id else { return }
    let wasPlaying = player.playing?.isPlaying == true
    player.playing = properties.flatMap { NowPlaying(id, $0) }
    if player.playing?.isPlaying == true, !wasPlaying {
      starts += 1
      player.start = starts
    }
    // One that stopped can play on; one that never played is not what a key is meant for.
    if player.playing?.status == .stopped, player.start == 0 { player.playing = nil }
    let isOutdated = player.isOutdated
    (player.isAsked, player.isOutdated) = (false, false)
    players[name] = player
    publish()
    if isOutdated { ask(name) }
  }

  /// Yields the current player if it has changed.
  private func publish() {
    let now = players.sorted { $0.key < $1.key }.map(\.value)
      .filter { $0.playing != nil }
      .max {
        ($0.playing?.isPlaying == true ? 1 : 0, $0.start) < (
          $1.playing?.isPlaying == true ? 1 : 0, $1.start
        )
      }?
      .playing
    guard last != .some(now) else { return }
    last = .some(now)
    changes.yield(now)
  }
}

extension NowPlaying {
  /// The maximum length of a text in characters, and the maximum number of artists.
  private static let (textLimit, artistLimit) = (200, 8)

  /// The track that a player has loaded.
  ///
  /// - Parameters:
  ///   - player: the player.
  ///   - properties: those of its interface (MPRIS 2.2, "Player").
  /// - Returns: nil if it has no valid status.
  init?(_ player: MediaPlayer, _ properties: [String: DBusValue]) {
    guard let status = properties["PlaybackStatus"]?.string.flatMap(Status.init) else { return nil }
    let table = properties["Metadata"]?.table
    let text = { (key: String) in
      table?[key]?.string.map { String($0.prefix(Self.textLimit)) }
    }
    self.init(
      player: player, status, title: text("xesam:title"),
      artists: (table?["xesam:artist"]?.strings ?? []).prefix(Self.artistLimit)
        .map { String($0.prefix(Self.textLimit)) })
    album = text("xesam:album")
    length = table?["mpris:length"]?.integer.flatMap { $0 > 0 ? Int64($0) : nil }
    canPause = properties["CanPause"]?.boolean != false
    canControl = properties["CanControl"]?.boolean != false
  }
}

/// The name of a process (proc(5), "comm"); nil if it is gone.
private func processName(of process: Int) -> String? {
  let descriptor = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  // Of a thread it is 16 bytes at most.
  var bytes = [UInt8](repeating: 0, count: 64)
  let count = read(descriptor, &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 10 }, as: UTF8.self)
}
