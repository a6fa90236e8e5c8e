internal import Bluetooth
internal import DBus

/// The media player that this program registers at every adapter (org.bluez.Media1).
///
/// bluetoothd sends the five keys to the player that registered first, and to a kernel keyboard while
/// that player has `CanControl` false. So this one registers as soon as there is an adapter, keeps its
/// registration, and sets `CanControl` while there is a media player. bluetoothd 5.87 notifies a
/// connected headphone of changes alone, not of the properties at registration: the player is
/// registered as stopped, and its state follows as a change.
struct PlayerObject {
  /// A call or signal to bluetoothd.
  enum Step: Hashable {
    case register(adapter: String, [String: DBusValue])
    case unregister(adapter: String)
    /// PropertiesChanged.
    case change([String: DBusValue])
  }

  static let manager = "org.bluez.Media1"
  static let interface = "org.mpris.MediaPlayer2.Player"
  static let path = "/org/earshot/player"

  private enum Registration: Hashable { case registering, registered, refused(String) }

  private var offer = PlayerOffer.withdrawn
  /// The adapters at which it is registered, or was refused.
  private var registrations: [String: Registration] = [:]
  /// The properties that bluetoothd has.
  private var shown: [String: DBusValue] = [:]

  var registration: PlayerRegistration {
    if registrations.values.contains(.registered) { return .registered }
    for case .refused(let words) in registrations.values { return .refused(words) }
    return .none
  }

  /// Adopts a new offer.
  mutating func update(_ offer: PlayerOffer, in objects: BlueZObjects) -> [Step] {
    self.offer = offer
    return changes() + follow(objects)
  }

  /// Registers at adapters that are new, and forgets those that are gone.
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

  /// Adopts the reply to a registration; nil: it succeeded.
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

  /// bluetoothd has ended, and the registrations with it.
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

  /// Without `Position`: bluetoothd reports each one to the headphone as a seek.
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
