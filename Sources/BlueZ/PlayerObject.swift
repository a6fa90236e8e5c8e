internal import BluetoothRadio
internal import DBus
internal import EventLoop

/// The media player that this program registers at every adapter (org.bluez.Media1).
///
/// bluetoothd sends the five keys to the player that registered first, and to a kernel input device
/// while that player has `CanControl` false. So this player stays registered from the start, and
/// sets `CanControl` while there is a media player. It is registered as stopped, since bluetoothd
/// 5.87 notifies a connected headphone only of changes, not of the properties at registration.
struct PlayerObject {
  enum Step: Hashable {
    case register(adapter: String, [String: DBusValue])
    case unregister(adapter: String)
    case change([String: DBusValue])
  }

  static let manager = "org.bluez.Media1"
  static let interface = "org.mpris.MediaPlayer2.Player"
  static let path = "/org/earshot/player"

  private enum Registration: Hashable { case registering, registered, refused(String) }

  private var offer = PlayerOffer.withdrawn
  private var registrations: [String: Registration] = [:]
  private var shown: [String: DBusValue] = [:]

  var registration: PlayerRegistration {
    if registrations.values.contains(.registered) { return .registered }
    for case .refused(let words) in registrations.values { return .refused(words) }
    return .none
  }

  mutating func update(_ offer: PlayerOffer, in objects: BlueZObjects) -> [Step] {
    self.offer = offer
    return changes() + follow(objects)
  }

  mutating func follow(_ objects: BlueZObjects) -> [Step] {
    guard case .offered = offer else {
      defer { registrations = [:] }
      return registrations.sorted { $0.key < $1.key }.compactMap { adapter, registration in
        if case .refused = registration { nil } else { .unregister(adapter: adapter) }
      }
    }
    let adapters = objects.adaptersWithPlayers
    registrations = registrations.filter { adapters.contains($0.key) }
    return adapters.filter { registrations[$0] == nil }.map { adapter in
      registrations[adapter] = .registering
      return .register(adapter: adapter, Self.properties(of: nil))
    }
  }

  mutating func registered(at adapter: String, _ error: DBusError?) -> [Step] {
    guard registrations[adapter] == .registering else { return [] }
    if let error, error.name != "org.bluez.Error.AlreadyExists" {
      registrations[adapter] = .refused("\(error)")
      return []
    }
    registrations[adapter] = .registered
    shown = Self.properties(of: nil)
    return changes()
  }

  mutating func lose() { registrations = [:] }

  private mutating func changes() -> [Step] {
    guard case .offered(let player) = offer, registrations.values.contains(.registered) else {
      return []
    }
    let properties = Self.properties(of: player)
    let changes = properties.filter { shown[$0.key] != $0.value }
    shown = properties
    return changes.isEmpty ? [] : [.change(changes)]
  }

  /// Returns the properties without `Position`, whose changes bluetoothd reports as seeks.
  private static func properties(of player: SharedPlayer?) -> [String: DBusValue] {
    var metadata: [String: DBusValue] = [:]
    if let player {
      metadata["xesam:title"] = player.title.map(DBusValue.string)
      metadata["xesam:album"] = player.album.map(DBusValue.string)
      metadata["mpris:length"] = player.length.map(DBusValue.int64)
      if !player.artists.isEmpty { metadata["xesam:artist"] = .strings(player.artists) }
    }
    var properties: [String: DBusValue] = [
      "PlaybackStatus": .string((player?.status ?? .stopped).rawValue),
      "Metadata": .options(metadata),
    ]
    for ability in ["CanControl", "CanPlay", "CanPause", "CanGoNext", "CanGoPrevious"] {
      properties[ability] = .boolean(player != nil)
    }
    return properties
  }
}

extension BlueZObjects {
  fileprivate var adaptersWithPlayers: [String] {
    tree.objects.filter { $0.value[PlayerObject.manager] != nil }.keys.sorted()
  }
}

extension BlueZClient {
  struct Keys {
    fileprivate var player = PlayerObject()
    fileprivate(set) var registration = PlayerRegistration.none
    fileprivate var stops = ProcessStops()

    mutating func end() { player.lose() }
  }

  func offer(_ offer: PlayerOffer) async {
    if case .offered = offer { await load() }
    if case .present = phase {
      await perform(keys.player.update(offer, in: objects))
    } else {
      _ = keys.player.update(offer, in: BlueZObjects())
    }
  }

  func updatePlayer() {
    let steps = keys.player.follow(objects)
    if !steps.isEmpty { Task { await perform(steps) } }
    reportPlayer()
  }

  private func perform(_ steps: [PlayerObject.Step]) async {
    defer { reportPlayer() }
    for step in steps {
      guard case .present(let owner) = phase, let connection else { return }
      switch step {
      case .register(let adapter, let properties):
        await connection.export(at: PlayerObject.path) { [weak self] request in
          await self?.receiveKey(request) ?? .unknownMethod
        }
        let error = await failure(
          "RegisterPlayer", of: PlayerObject.manager, at: adapter,
          [.objectPath(PlayerObject.path), .options(properties)],
          within: DBusConnection.replyTimeout)
        guard phase == .present(owner: owner) else { return }
        await perform(keys.player.registered(at: adapter, error))
      case .unregister(let adapter):
        _ = try? await call(
          "UnregisterPlayer", of: PlayerObject.manager, at: adapter,
          [.objectPath(PlayerObject.path)])
      case .change(let properties): sendChange(of: properties, to: owner)
      }
    }
  }

  private func sendChange(of properties: [String: DBusValue], to owner: String) {
    let signal = DBusSignal(
      "PropertiesChanged", of: Self.properties, at: PlayerObject.path,
      [.string(PlayerObject.interface), .options(properties), .strings([])])
    connection?.assumeIsolated { $0.emit(signal, to: owner) }
  }

  func reportPlayer() {
    guard keys.player.registration != keys.registration else { return }
    keys.registration = keys.player.registration
    report(.playerRegistration(keys.registration))
  }

  /// Handles a key press, unless it dates from a stop of this process, after which all arrive.
  private func receiveKey(_ request: DBusRequest) -> DBusReply {
    guard case .present(request.sender) = phase else { return .unknownMethod }
    // bluetoothd withdraws the player when bluetoothd exits or loses the adapter.
    if request.member == "Release" { return .values([]) }
    guard let key = PlayerKey(rawValue: request.member) else { return .unknownMethod }
    if keys.stops.hasStopped() { fence(request.sender) }
    if !keys.stops.isBehind { report(.key(key)) }
    return .values([])
  }

  /// Sends a ping as a fence: messages before its reply may date from the time of the stop.
  private func fence(_ owner: String) {
    guard let connection else { return }
    connection.assumeIsolated { connection in
      connection.send(DBusCall("Ping", of: "org.freedesktop.DBus.Peer", at: "/", to: owner)) {
        [weak self] _ in
        self?.assumeIsolated { $0.keys.stops.catchUp() }
      }
    }
  }
}
