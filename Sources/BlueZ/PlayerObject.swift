internal import Bluetooth
internal import DBus

/// The media player that this program registers at every adapter (org.bluez.Media1).
///
/// bluetoothd gives the five keys to the player that registered first, whatever it plays, and to a
/// kernel keyboard where that says that it cannot be controlled. So it registers early, stays, and
/// is controllable while there is a player. bluetoothd reads the properties of the registration and
/// then changes only; 5.87 tells a link that is up changes alone, so that each registration is
/// stopped and has the state follow.
struct PlayerObject {
  /// What is to be done at bluetoothd, in order.
  enum Step: Hashable {
    case register(adapter: String, [String: DBusValue])
    case unregister(adapter: String)
    /// Properties that have changed.
    case tell([String: DBusValue])
  }

  static let manager = "org.bluez.Media1"
  static let interface = "org.mpris.MediaPlayer2.Player"
  static let path = "/org/earshot/player"

  private enum Place: Hashable { case registering, registered, refused(String) }

  private var offer = PlayerOffer.withdrawn
  /// The adapters at which it is registered, or was refused.
  private var places: [String: Place] = [:]
  /// The properties that bluetoothd has.
  private var shown: [String: DBusValue] = [:]

  var registration: PlayerRegistration {
    if places.values.contains(.registered) { return .registered }
    for case .refused(let words) in places.values { return .refused(words) }
    return .none
  }

  /// Adopts a new offer.
  mutating func update(_ offer: PlayerOffer, in objects: BlueZObjects) -> [Step] {
    self.offer = offer
    return tell() + follow(objects)
  }

  /// Registers at adapters that are new, and forgets those that are gone.
  mutating func follow(_ objects: BlueZObjects) -> [Step] {
    guard case .offered = offer else {
      defer { places = [:] }
      return places.sorted { $0.key < $1.key }.compactMap { adapter, place in
        if case .refused = place { nil } else { .unregister(adapter: adapter) }
      }
    }
    let adapters = objects.adaptersWithPlayers
    places = places.filter { adapters.contains($0.key) }
    return adapters.filter { places[$0] == nil }.map { adapter in
      places[adapter] = .registering
      return .register(adapter: adapter, Self.properties(of: nil))
    }
  }

  /// Adopts the reply to a registration; nil: it succeeded.
  mutating func registered(at adapter: String, _ error: DBusError?) -> [Step] {
    guard places[adapter] == .registering else { return [] }
    if let error, error.name != "org.bluez.Error.AlreadyExists" {
      places[adapter] = .refused("\(error)")
      return []
    }
    places[adapter] = .registered
    shown = Self.properties(of: nil)
    return tell()
  }

  /// bluetoothd has ended, and the registrations with it.
  mutating func lose() { places = [:] }

  private mutating func tell() -> [Step] {
    guard case .offered(let player) = offer, places.values.contains(.registered) else { return [] }
    let properties = Self.properties(of: player)
    let changes = properties.filter { shown[$0.key] != $0.value }
    shown = properties
    return changes.isEmpty ? [] : [.tell(changes)]
  }

  /// The position is left out: bluetoothd takes each for a jump, and counts by itself.
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
  /// The adapters at which media players can be registered, sorted.
  fileprivate var adaptersWithPlayers: [String] {
    tree.objects.filter { $0.value[PlayerObject.manager] != nil }.keys.sorted()
  }
}
