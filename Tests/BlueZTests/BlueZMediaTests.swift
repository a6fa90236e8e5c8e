import BluetoothCodec
import DBus
import Testing

@testable import BlueZ

@Suite struct BlueZMediaTests {
  private static let adapter = "/org/bluez/hci0"
  private static let device = "\(adapter)/dev_00_00_5E_00_53_01"

  private func tree(_ parts: [(String, String, DBusObjectTree.Properties)]) -> DBusObjectTree {
    var tree = DBusObjectTree()
    for (path, interface, properties) in parts {
      _ = tree.apply(
        DBusSignal(
          "InterfacesAdded", of: "org.freedesktop.DBus.ObjectManager", at: "/",
          [
            .objectPath(path),
            .dictionary(key: "s", value: "a{sv}", [.string(interface): .options(properties)]),
          ]))
    }
    return tree
  }

  private func endpoint(_ uuid: String, _ codec: UInt8, _ bytes: [UInt8])
    -> DBusObjectTree.Properties
  {
    ["UUID": .string(uuid), "Codec": .byte(codec), "Capabilities": .bytes(bytes)]
  }

  private func media(_ parts: [(String, String, DBusObjectTree.Properties)]) -> BlueZMedia? {
    let objects = BlueZObjects(
      tree(
        [
          (
            Self.device, "org.bluez.Device1",
            [
              "Address": .string("00:00:5E:00:53:01"), "AddressType": .string("public"),
              "Adapter": .objectPath(Self.adapter), "Name": .string("Aurora"),
              "Connected": .boolean(true),
            ]
          )
        ] + parts))
    return objects.device(at: Self.device).map { BlueZMedia(objects, of: $0) }
  }

  @Test func `a headphone's endpoints and its transport are read, those of others are not`() {
    let found = media([
      (
        "\(Self.device)/sep2", "org.bluez.MediaEndpoint1",
        endpoint(
          "0000110B-0000-1000-8000-00805f9b34fb", 0xFF, [0x2D, 1, 0, 0, 0xAA, 0, 0x3C, 7])
      ),
      (
        "\(Self.device)/sep1", "org.bluez.MediaEndpoint1",
        endpoint(AudioConnection.sink, 0, [0xFF, 0xFF, 2, 53])
      ),
      // It also sends music, as phones do.
      (
        "\(Self.device)/sep3", "org.bluez.MediaEndpoint1",
        endpoint("0000110a-0000-1000-8000-00805f9b34fb", 2, [0x80, 0x01, 0x8C, 0x84, 0xE2, 0])
      ),
      (
        "\(Self.device)/sep1/fd0", "org.bluez.MediaTransport1",
        [
          "UUID": .string(BlueZAdapter.audioSource), "Codec": .byte(0),
          "Configuration": .bytes([0x21, 0x15, 2, 53]),
        ]
      ),
      (
        "\(Self.adapter)/dev_00_00_5E_00_53_02/sep1", "org.bluez.MediaEndpoint1",
        endpoint(AudioConnection.sink, 2, [])
      ),
    ])
    #expect(found?.offered.map(\.codec) == ["sbc", "ldac"])
    #expect(found?.stream?.bitRate == 328 && found?.name == "Aurora")
  }

  @Test func `LE Audio has its own codec`() {
    let found = media([
      (
        "\(Self.device)/pac_sink0", "org.bluez.MediaEndpoint1",
        endpoint("00002bc9-0000-1000-8000-00805f9b34fb", 6, [3, 1, 0x80, 0])
      )
    ])
    #expect(found?.offered == [MediaCapabilities(codec: "lc3", rates: [48_000])])
    #expect(found?.stream == nil)
  }

  @Test func `an object without a codec, or with one that is no byte, is passed over`() {
    let found = media([
      ("\(Self.device)/sep1", "org.bluez.MediaEndpoint1", ["UUID": .string(AudioConnection.sink)]),
      (
        "\(Self.device)/sep2", "org.bluez.MediaEndpoint1",
        ["UUID": .string(AudioConnection.sink), "Codec": .uint32(0x1FF)]
      ),
    ])
    #expect(found?.offered.isEmpty == true)
  }
}
