internal import DBus
internal import EventLoop
internal import Glibc

/// A follower of a session bus's media players (MPRIS 2.2), by their signals without polling.
///
/// The current player is the one that plays; among several, the one that started last. If none
/// plays, it is the one that has most recently played, or one that is paused. Each change of it is
/// yielded once. Players of mpris-proxy are ignored, because they represent the headphones
/// themselves.
///
/// All players are other programs: their number and the length of their texts are limited, and each
/// has at most one outstanding query, however many signals it sends.
actor PlayerFollower {
  /// The maximum number of players, more than a desktop has; any program can take such a name.
  static let limit = 32

  private struct Player {
    var id: MediaPlayer
    /// The track and its status, or nil if the player is stopped or has not responded.
    var playing: NowPlaying?
    /// The place in the order in which players started to play, or 0 if it never has.
    var start = 0
    var isAsked = false
    /// Whether a signal has arrived since that query, so that another query must follow.
    var isOutdated = false
  }

  private let bus: DBusConnection
  private let loop: PollLoop
  private let changes: AsyncStream<NowPlaying?>.Continuation
  private var players: [String: Player] = [:]
  private var starts = 0
  private var last: NowPlaying??

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Creates a follower on a dedicated connection; `start()` must be called next.
  init(
    _ bus: DBusConnection, on loop: PollLoop, _ changes: AsyncStream<NowPlaying?>.Continuation
  ) {
    self.bus = bus
    self.loop = loop
    self.changes = changes
  }

  func start() {
    // The connection retains its sinks, which retain this actor.
    bus.assumeIsolated { bus in
      bus.whenClosed { [changes] in changes.finish() }
      bus.watchNames(in: String(MediaPlayer.prefix.dropLast())) { name in
        self.assumeIsolated { $0.watch(name) }
      }
    }
  }

  private func watch(_ name: String) {
    guard players[name] == nil, players.count < Self.limit else { return }
    players[name] = Player(id: MediaPlayer(name: name, owner: ""))
    bus.assumeIsolated { bus in
      bus.watch(name) { event in self.assumeIsolated { $0.receive(event, of: name) } }
    }
  }

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

  private func adopt(_ properties: [String: DBusValue]?, of name: String, _ id: MediaPlayer) {
    // A successor under this name gets its own query.
    guard var player = players[name], player.id == id else { return }
    let wasPlaying = player.playing?.isPlaying == true
    player.playing = properties.flatMap { NowPlaying(id, $0) }
    if player.playing?.isPlaying == true, !wasPlaying {
      starts += 1
      player.start = starts
    }
    // A stopped player can play on, but media keys are not meant for one that never played.
    if player.playing?.status == .stopped, player.start == 0 { player.playing = nil }
    let isOutdated = player.isOutdated
    (player.isAsked, player.isOutdated) = (false, false)
    players[name] = player
    publish()
    if isOutdated { ask(name) }
  }

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

private func processName(of process: Int) -> String? {
  let descriptor = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  // A thread's name has at most 16 bytes.
  var bytes = [UInt8](repeating: 0, count: 64)
  let count = read(descriptor, &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 10 }, as: UTF8.self)
}
