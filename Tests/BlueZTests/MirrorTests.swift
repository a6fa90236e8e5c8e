import BluetoothCodec
import BluetoothRadio
import DBus
import TestSupport
import Testing

@testable import BlueZ

/// The mirror of bluetoothd's objects after any changes of them.
@Suite struct MirrorTests {
  private static let device = FakeBlueZ.path(BlueZClientTests.address)

  /// A change of bluetoothd's objects, as bluetoothd signals it.
  private enum Change: Sendable {
    case added(path: String, interface: String, [String: DBusValue])
    case changed(path: String, interface: String, [String: DBusValue])
    case removed(path: String)

    /// Returns a random change of a device, a service, a characteristic or a descriptor.
    static func any(_ random: inout SeededGenerator) -> Change {
      let service = "\(device)/service00\(1 + random.below(5))0"
      let characteristic =
        "\(service)/char00\(service.suffix(2).first ?? "1")\(1 + random.below(2) * 4)"
      let descriptor =
        "\(characteristic)/desc\(characteristic.suffix(4).dropLast())\(random.below(2) == 0 ? 4 : 9)"
      let uuid = DBusValue.string(
        "0000\(["180f", "180a", "2a19", "2a05"][random.below(4)])-0000-1000-8000-00805f9b34fb")
      let flags = DBusValue.strings(
        [["read"], ["read", "notify"], ["indicate"], ["write"]][random.below(4)])
      let isOn = DBusValue.boolean(random.below(2) == 1)
      return switch random.below(9) {
      case 0: .removed(path: [service, characteristic, descriptor, device][random.below(4)])
      case 1: .changed(path: device, interface: "org.bluez.Device1", ["Connected": isOn])
      case 2:
        .changed(
          path: characteristic, interface: "org.bluez.GattCharacteristic1", ["Notifying": isOn])
      case 3: .added(path: device, interface: "org.bluez.Device1", ["Connected": isOn])
      case 4, 5: .added(path: service, interface: "org.bluez.GattService1", ["UUID": uuid])
      case 6, 7:
        .added(
          path: characteristic, interface: "org.bluez.GattCharacteristic1",
          ["UUID": uuid, "Flags": flags])
      default: .added(path: descriptor, interface: "org.bluez.GattDescriptor1", ["UUID": uuid])
      }
    }

    var signal: DBusSignal {
      let manager = "org.freedesktop.DBus.ObjectManager"
      switch self {
      case .added(let path, let interface, let properties):
        let table = DBusValue.dictionary(
          key: "s", value: "a{sv}", [.string(interface): .options(properties)])
        return DBusSignal("InterfacesAdded", of: manager, at: "/", [.objectPath(path), table])
      case .changed(let path, let interface, let properties):
        return DBusSignal(
          "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: path,
          [.string(interface), .options(properties), .strings([])])
      case .removed(let path):
        let interfaces = ["Device1", "GattService1", "GattCharacteristic1", "GattDescriptor1"]
        return DBusSignal(
          "InterfacesRemoved", of: manager, at: "/",
          [.objectPath(path), .strings(interfaces.map { "org.bluez.\($0)" })])
      }
    }

    func happen(at bluez: FakeBlueZ) async {
      switch self {
      case .added(let path, let interface, let properties):
        await bluez.add(path, interface, properties)
      case .changed(let path, let interface, let properties):
        await bluez.change(path, interface, properties)
      case .removed(let path): await bluez.remove(path)
      }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `all objects are those of bluetoothd, also after its restart`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let rig = try await BlueZClientTests.Rig(clock: ContinuousClock())
    #expect(await rig.client.isPresent)
    for _ in 0..<4 {
      for _ in 0..<random.below(30) { await Change.any(&random).happen(at: rig.bluez) }
      if random.below(3) == 0 {
        try await rig.bluez.leave()
        for _ in 0..<random.below(9) { await Change.any(&random).happen(at: rig.bluez) }
        try await rig.bluez.comeBack()
      }
      let expected = await rig.bluez.objects
      #expect(await rig.client.until(within: .seconds(30)) { $0.tree.objects == expected })
    }
    await rig.close()
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `attributes that came and went answer as those that were there from the start`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var tree = DBusObjectTree()
    var live = RemoteAttributes(tree, of: Self.device, mtu: 517)
    for _ in 0..<20 {
      for _ in 0..<random.below(4) { _ = tree.apply(Change.any(&random).signal) }
      var before = live
      let indication = live.change(to: tree, of: Self.device)
      var fresh = RemoteAttributes(tree, of: Self.device, mtu: 517)
      // Without any, bluetoothd is reading them again, and the client keeps those that it knew.
      guard tree.objects.keys.contains(where: { $0.hasPrefix(Self.device + "/") }) else { continue }
      let answers = Self.answers(of: &live)
      #expect(answers == Self.answers(of: &fresh))
      if answers == Self.answers(of: &before) { #expect(indication == nil) }
    }
  }

  /// Returns the answers to the requests of a discovery, from each handle on.
  private static func answers(of attributes: inout RemoteAttributes) -> [RemoteAttributes.Step] {
    (UInt16(1)...0x60).flatMap { start -> [RemoteAttributes.Step] in
      let range = ATTHandleRange(start: start, end: .max)
      let requests: [ATTRequest] = [
        .readByGroupType(range, type: .bit16(0x2800)), .readByType(range, type: .bit16(0x2803)),
        .findInformation(range), .read(handle: start),
      ]
      return requests.map { attributes.receive(ATTClientPDU.request($0).encoded()[...]) }
    }
  }
}
