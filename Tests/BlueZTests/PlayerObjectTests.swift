import BluetoothRadio
import DBus
import Testing

@testable import BlueZ

/// The media player that is registered with bluetoothd, without a bus.
@Suite struct PlayerObjectTests {
  private let song = SharedPlayer(.playing, title: "Song", artists: ["One"], length: 1_000_000)

  private func objects(_ adapters: String...) -> BlueZObjects {
    var tree = DBusObjectTree()
    for adapter in adapters {
      _ = tree.apply(
        DBusSignal(
          "InterfacesAdded", of: "org.freedesktop.DBus.ObjectManager", at: "/",
          [
            .objectPath(adapter),
            .dictionary(key: "s", value: "a{sv}", [.string("org.bluez.Media1"): .options([:])]),
          ]))
    }
    return BlueZObjects(tree)
  }

  private func adapters(_ steps: [PlayerObject.Step]) -> [String] {
    steps.compactMap { if case .register(let adapter, _) = $0 { adapter } else { nil } }
  }

  private func changes(_ steps: [PlayerObject.Step]) -> [String: DBusValue]? {
    for case .change(let properties) in steps { return properties }
    return nil
  }

  @Test func `it registers at every adapter, stopped, and then tells what plays`() {
    var player = PlayerObject()
    let steps = player.update(.offered(song), in: objects("/org/bluez/hci0", "/org/bluez/hci1"))
    #expect(adapters(steps) == ["/org/bluez/hci0", "/org/bluez/hci1"])
    for case .register(_, let properties) in steps {
      #expect(properties["PlaybackStatus"] == .string("Stopped"))
      #expect(properties["CanControl"] == .boolean(false))
    }
    #expect(player.registration == .none)
    let properties = changes(player.registered(at: "/org/bluez/hci0", nil))
    #expect(properties?["PlaybackStatus"] == .string("Playing"))
    #expect(properties?["CanPause"] == .boolean(true))
    #expect(
      properties?["Metadata"]
        == .options([
          "xesam:title": .string("Song"), "xesam:artist": .strings(["One"]),
          "mpris:length": .int64(1_000_000),
        ]))
    #expect(properties?["Position"] == nil)
    #expect(player.registration == .registered)
    // The second adapter knows nothing yet.
    #expect(changes(player.registered(at: "/org/bluez/hci1", nil))?.count == properties?.count)
  }

  @Test func `only changes are told, and without a player it stays and is not controllable`() {
    var player = PlayerObject()
    let objects = objects("/org/bluez/hci0")
    _ = player.update(.offered(song), in: objects)
    _ = player.registered(at: "/org/bluez/hci0", nil)
    var paused = song
    paused.status = .paused
    #expect(
      player.update(.offered(paused), in: objects)
        == [.change(["PlaybackStatus": .string("Paused")])])
    #expect(player.update(.offered(paused), in: objects) == [])
    let gone = changes(player.update(.offered(nil), in: objects))
    #expect(gone?["CanControl"] == .boolean(false))
    #expect(gone?["Metadata"] == .options([:]))
    #expect(player.registration == .registered)
  }

  @Test func `a withdrawal unregisters, and an offer registers again`() {
    var player = PlayerObject()
    let objects = objects("/org/bluez/hci0")
    _ = player.update(.offered(nil), in: objects)
    _ = player.registered(at: "/org/bluez/hci0", nil)
    #expect(player.update(.withdrawn, in: objects) == [.unregister(adapter: "/org/bluez/hci0")])
    #expect(player.registration == .none)
    #expect(player.follow(objects) == [])
    #expect(adapters(player.update(.offered(nil), in: objects)) == ["/org/bluez/hci0"])
  }

  @Test func `an adapter or bluetoothd that is back has it again`() {
    var player = PlayerObject()
    let objects = objects("/org/bluez/hci0")
    _ = player.update(.offered(song), in: objects)
    _ = player.registered(at: "/org/bluez/hci0", nil)
    #expect(player.follow(objects) == [])
    #expect(player.follow(BlueZObjects()) == [])
    #expect(player.registration == .none)
    #expect(adapters(player.follow(objects)) == ["/org/bluez/hci0"])
    #expect(changes(player.registered(at: "/org/bluez/hci0", nil))?["Metadata"] != nil)
    player.lose()
    #expect(player.registration == .none)
    #expect(adapters(player.follow(objects)) == ["/org/bluez/hci0"])
  }

  @Test func `a refusal is said and not repeated, and a late reply counts for nothing`() {
    var player = PlayerObject()
    let objects = objects("/org/bluez/hci0")
    _ = player.update(.offered(song), in: objects)
    let refusal = DBusError.refused(name: "org.bluez.Error.NotSupported", message: "no AVRCP")
    #expect(player.registered(at: "/org/bluez/hci0", refusal) == [])
    #expect(player.registration == .refused("no AVRCP"))
    #expect(player.follow(objects) == [])
    #expect(player.update(.offered(nil), in: objects) == [])
    #expect(player.update(.withdrawn, in: objects) == [])
    #expect(player.registered(at: "/org/bluez/hci0", nil) == [])
    #expect(player.registration == .none)
    _ = player.update(.offered(song), in: objects)
    let same = DBusError.refused(name: "org.bluez.Error.AlreadyExists", message: "")
    #expect(changes(player.registered(at: "/org/bluez/hci0", same)) != nil)
    #expect(player.registration == .registered)
  }
}
