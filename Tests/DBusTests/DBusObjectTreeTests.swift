import Testing

@testable import DBus

/// Objects from replies and signals, with the values of bluetoothd 5.66.
@Suite struct DBusObjectTreeTests {
  private static let manager = "org.freedesktop.DBus.ObjectManager"
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let device = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5"
  private static let interface = "org.bluez.Device1"

  private static func interfaces(_ properties: [String: DBusValue]) -> DBusValue {
    .dictionary(key: "s", value: "a{sv}", [.string(interface): .options(properties)])
  }

  private static func added(
    _ properties: [String: DBusValue], at path: String = device
  ) -> DBusSignal {
    DBusSignal(
      "InterfacesAdded", of: manager, at: "/", [.objectPath(path), interfaces(properties)])
  }

  private static func changed(
    _ properties: [String: DBusValue], invalidated: [String] = []
  ) -> DBusSignal {
    DBusSignal(
      "PropertiesChanged", of: Self.properties, at: device,
      [.string(interface), .options(properties), .strings(invalidated)])
  }

  @Test func `an object comes, changes and goes`() {
    var tree = DBusObjectTree()
    #expect(tree.apply(Self.added(["RSSI": .int16(-60)])) == Self.device)
    #expect(tree[Self.device, Self.interface] == ["RSSI": .int16(-60)])
    #expect(tree.apply(Self.changed(["RSSI": .int16(-50), "Name": .string("a")])) == Self.device)
    #expect(
      tree[Self.device, Self.interface] == ["RSSI": .int16(-50), "Name": .string("a")])
    #expect(tree.apply(Self.changed([:], invalidated: ["RSSI"])) == Self.device)
    #expect(tree[Self.device, Self.interface] == ["Name": .string("a")])
    let removed = DBusSignal(
      "InterfacesRemoved", of: Self.manager, at: "/",
      [.objectPath(Self.device), .strings([Self.interface])])
    #expect(tree.apply(removed) == Self.device)
    #expect(tree.objects.isEmpty)
  }

  @Test func `a reply replaces all`() throws {
    var tree = DBusObjectTree()
    _ = tree.apply(Self.added([:]))
    let reply = DBusValue.dictionary(
      key: "o", value: "a{sa{sv}}",
      [.objectPath("/org/bluez/hci0"): Self.interfaces(["Powered": .boolean(true)])])
    #expect(try tree.replace(with: [reply]) == [Self.device, "/org/bluez/hci0"])
    #expect(Array(tree.objects.keys) == ["/org/bluez/hci0"])
  }

  @Test(arguments: [
    changed(["RSSI": .int16(-50)]),
    DBusSignal("PropertiesChanged", of: properties, at: device, [.string(interface)]),
    DBusSignal("InterfacesAdded", of: manager, at: "/", [.string("x"), .byte(1)]),
    DBusSignal("InterfacesAdded", of: manager, at: "/", []),
    DBusSignal("InterfacesRemoved", of: manager, at: "/", [.objectPath(device), .byte(1)]),
    DBusSignal("InterfacesAdded", of: "org.example", at: "/", [.objectPath(device)]),
  ])
  func `what makes no sense changes nothing`(signal: DBusSignal) {
    var tree = DBusObjectTree()
    #expect(tree.apply(signal) == nil)
    #expect(tree == DBusObjectTree())
  }

  @Test func `a reply of another type changes nothing`() {
    var tree = DBusObjectTree()
    _ = tree.apply(Self.added([:]))
    let before = tree
    #expect(throws: DBusError.self) { try tree.replace(with: [.string("x")]) }
    #expect(throws: DBusError.self) { try tree.replace(with: []) }
    #expect(tree == before)
  }

  @Test func `a service that invents objects without end is bounded`() {
    var tree = DBusObjectTree()
    for number in 0..<DBusObjectTree.objectLimit + 10 {
      _ = tree.apply(Self.added([:], at: "/x/\(number)"))
    }
    #expect(tree.objects.count == DBusObjectTree.objectLimit)
    var properties: [String: DBusValue] = [:]
    for number in 0..<DBusObjectTree.propertyLimit + 10 { properties["p\(number)"] = .byte(0) }
    tree = DBusObjectTree()
    _ = tree.apply(Self.added(properties))
    _ = tree.apply(Self.changed(["new": .byte(1)]))
    #expect(tree[Self.device, Self.interface]?.count == DBusObjectTree.propertyLimit)
  }
}
