import DBus
import Testing

@testable import BlueZ

@Suite struct BlueZVersionTests {
  @Test(
    arguments: [
      ("usb:v1D6Bp0246d0542", [5, 66]), ("usb:v1D6Bp0246d0557", [5, 87]),
      ("usb:v1D6Bp0246d0600", [6, 0]), ("usb:v1D6Bp0247d0542", []),
      ("bluetooth:v1D6Bp0246d0542", []), ("usb:v1D6Bp0246d542", []), ("", []),
    ] as [(String, [Int])])
  func `bluetoothd's version is in its adapter's modalias, unless that is another's`(
    _ modalias: String, _ version: [Int]
  ) {
    #expect(BlueZLEAudio.version(inModalias: modalias) == version)
  }

  private func exposure(_ properties: DBusObjectTree.Properties) -> BlueZExposure? {
    let path = "/org/bluez/hci0"
    var tree = DBusObjectTree()
    _ = tree.apply(
      DBusSignal(
        "InterfacesAdded", of: "org.freedesktop.DBus.ObjectManager", at: "/",
        [
          .objectPath(path),
          .dictionary(
            key: "s", value: "a{sv}", [.string(BlueZAdapter.interface): .options(properties)]),
        ]))
    return BlueZAdapter(at: path, properties).flatMap {
      BlueZExposure(BlueZObjects(tree), adapter: $0)
    }
  }

  @Test func `how an adapter presents itself is what its properties say`() {
    let exposure = exposure([
      "Pairable": .boolean(true), "PairableTimeout": .uint32(0), "Discoverable": .boolean(false),
      "DiscoverableTimeout": .uint32(180), "Modalias": .string("usb:v1D6Bp0246d0552"),
    ])
    #expect(exposure?.isPairable == true && exposure?.pairableTimeout == 0)
    #expect(exposure?.isDiscoverable == false && exposure?.discoverableTimeout == 180)
    #expect(exposure?.version == [5, 82])
  }

  @Test func `an adapter that does not say is not guessed`() {
    #expect(exposure([:]) == nil && exposure(["Pairable": .boolean(true)]) == nil)
    #expect(exposure(["Pairable": .string("true"), "Discoverable": .boolean(true)]) == nil)
  }
}
