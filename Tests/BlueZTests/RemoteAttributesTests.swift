import BluetoothCodec
import BluetoothRadio
import DBus
import Testing

@testable import BlueZ

/// ATT requests answered from bluetoothd's objects, with the paths of bluetoothd 5.66.
@Suite struct RemoteAttributesTests {
  private static let device = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5"
  private static let service = "\(device)/service0006"
  private static let level = "\(service)/char0007"
  private static let control = "\(service)/char000a"
  private static let changed = "\(device)/service0010/char0011"

  private static func tree() -> DBusObjectTree {
    var tree = DBusObjectTree()
    func add(_ path: String, _ interface: String, _ properties: [String: DBusValue]) {
      Self.add(&tree, path, interface, properties)
    }
    let uuid = { DBusValue.string(long($0)) }
    add(service, "GattService1", ["UUID": uuid("180f"), "Primary": .boolean(true)])
    add(
      level, "GattCharacteristic1",
      ["UUID": uuid("2a19"), "Flags": .strings(["read", "notify"])])
    add(
      control, "GattCharacteristic1",
      [
        "UUID": .string("12345678-1234-5678-1234-56789abcdef0"),
        "Flags": .strings(["write", "write-without-response"]),
      ])
    add("\(control)/desc000c", "GattDescriptor1", ["UUID": uuid("2901")])
    add("\(device)/service0010", "GattService1", ["UUID": uuid("180a")])
    add(
      changed, "GattCharacteristic1", ["UUID": uuid("2a05"), "Flags": .strings(["indicate"])])
    // What is no attribute, and what is another device's.
    add("\(device)/sep1", "MediaEndpoint1", [:])
    add("\(service)/charXYZ", "GattCharacteristic1", ["UUID": uuid("2a00")])
    add("/org/bluez/hci0/dev_0/service0001", "GattService1", ["UUID": uuid("1800")])
    return tree
  }

  private static func add(
    _ tree: inout DBusObjectTree, _ path: String, _ interface: String,
    _ properties: [String: DBusValue]
  ) {
    _ = tree.apply(
      DBusSignal(
        "InterfacesAdded", of: "org.freedesktop.DBus.ObjectManager", at: "/",
        [
          .objectPath(path),
          .dictionary(
            key: "s", value: "a{sv}", [.string("org.bluez.\(interface)"): .options(properties)]),
        ]))
  }

  /// Returns the 128-bit form of an assigned number.
  private static func long(_ short: String) -> String {
    "0000\(short)-0000-1000-8000-00805f9b34fb"
  }

  private static func attributes() -> RemoteAttributes {
    RemoteAttributes(tree(), of: device, mtu: 517)
  }

  private func step(_ attributes: inout RemoteAttributes, _ request: ATTRequest)
    -> RemoteAttributes.Step
  {
    attributes.receive(ATTClientPDU.request(request).encoded()[...])
  }

  @Test func `services, characteristics and descriptors have their handles`() {
    var attributes = Self.attributes()
    _ = step(&attributes, .exchangeMTU(clientMTU: 517))
    #expect(
      step(&attributes, .readByGroupType(.all, type: .bit16(0x2800)))
        == .respond(
          .readByGroupType([
            ATTGroup(range: ATTHandleRange(start: 6, end: 15), value: [0x0F, 0x18]),
            ATTGroup(range: ATTHandleRange(start: 16, end: 0xFFFF), value: [0x0A, 0x18]),
          ])))
    #expect(
      step(&attributes, .findByTypeValue(.all, type: 0x2800, value: [0x0A, 0x18]))
        == .respond(.findByTypeValue([ATTHandleRange(start: 16, end: 0xFFFF)])))
    #expect(
      step(
        &attributes,
        .readByType(ATTHandleRange(start: 6, end: 15), type: .bit16(0x2803)))
        == .respond(
          .readByType([ATTHandleValue(handle: 7, value: [0x12, 8, 0, 0x19, 0x2A])])))
    // bluetoothd keeps the configuration to itself: it is behind its value.
    #expect(
      step(&attributes, .findInformation(ATTHandleRange(start: 9, end: 9)))
        == .respond(.findInformation([ATTInformation(handle: 9, type: .bit16(0x2902))])))
    #expect(
      step(&attributes, .findInformation(ATTHandleRange(start: 12, end: 15)))
        == .respond(.findInformation([ATTInformation(handle: 12, type: .bit16(0x2901))])))
  }

  @Test func `values are read and written by calls`() {
    var attributes = Self.attributes()
    _ = step(&attributes, .exchangeMTU(clientMTU: 517))
    let read = ATTRequest.read(handle: 8)
    #expect(step(&attributes, read) == .read(path: Self.level, offset: 0, read))
    #expect(attributes.finish(read, with: .success([80])) == .read(value: [80]))
    let byType = ATTRequest.readByType(.all, type: .bit16(0x2A19))
    #expect(step(&attributes, byType) == .read(path: Self.level, offset: 0, byType))
    #expect(
      attributes.finish(byType, with: .success([80]))
        == .readByType([ATTHandleValue(handle: 8, value: [80])]))
    let write = ATTRequest.write(handle: 11, value: [1, 2])
    #expect(step(&attributes, write) == .write([.init(path: Self.control, bytes: [1, 2])], write))
    #expect(attributes.finish(write, with: .success([])) == .write)
    #expect(
      attributes.receive(
        ATTClientPDU.command(.write(handle: 11, value: [3])).encoded()[...])
        == .command(path: Self.control, [3]))
  }

  @Test func `a long write is one call`() {
    var attributes = Self.attributes()
    _ = step(&attributes, .prepareWrite(handle: 11, offset: 0, value: [1, 2]))
    _ = step(&attributes, .prepareWrite(handle: 11, offset: 2, value: [3]))
    let execute = ATTRequest.executeWrite(.commit)
    #expect(
      step(&attributes, execute) == .write([.init(path: Self.control, bytes: [1, 2, 3])], execute))
    #expect(step(&attributes, .executeWrite(.commit)) == .respond(.executeWrite))
  }

  @Test func `a long write of two values is two calls`() {
    var attributes = Self.attributes()
    _ = step(&attributes, .prepareWrite(handle: 11, offset: 0, value: [1]))
    _ = step(&attributes, .prepareWrite(handle: 12, offset: 0, value: [7]))
    _ = step(&attributes, .prepareWrite(handle: 11, offset: 1, value: [2]))
    let execute = ATTRequest.executeWrite(.commit)
    let values = [
      RemoteAttributes.Value(path: Self.control, bytes: [1, 2]),
      RemoteAttributes.Value(path: "\(Self.control)/desc000c", bytes: [7]),
    ]
    #expect(step(&attributes, execute) == .write(values, execute))
  }

  @Test(arguments: [(100, 100), (517, 517), (5, 23)] as [(UInt16, Int)])
  func `the MTU is that of bluetoothd's link`(link: UInt16, mtu: Int) {
    var attributes = RemoteAttributes(Self.tree(), of: Self.device, mtu: link)
    #expect(
      step(&attributes, .exchangeMTU(clientMTU: 517)) == .respond(.exchangeMTU(serverMTU: link)))
    let long = [UInt8](repeating: 1, count: 600)
    let read = ATTRequest.read(handle: 8)
    #expect(
      attributes.finish(read, with: .success(long)) == .read(value: long.prefix(mtu - 1)))
  }

  @Test func `attributes that come and go are indicated once, at the handle that the client knows`()
  {
    var tree = Self.tree()
    var attributes = Self.attributes()
    #expect(attributes.change(to: tree, of: Self.device) == nil)
    Self.add(
      &tree, "\(Self.service)/char000d", "GattCharacteristic1",
      ["UUID": .string(Self.long("2a38")), "Flags": .strings(["read"])])
    let change = ATTServerPDU.indication(ATTHandleValue(handle: 0x12, value: [1, 0, 0xFF, 0xFF]))
    #expect(attributes.change(to: tree, of: Self.device) == change)
    #expect(attributes.change(to: tree, of: Self.device) == nil)
    let read = ATTRequest.read(handle: 0x0E)
    #expect(
      step(&attributes, read)
        == .read(path: "\(Self.service)/char000d", offset: 0, read))
    // bluetoothd reads them again.
    #expect(attributes.change(to: DBusObjectTree(), of: Self.device) == nil)
  }

  @Test func `a subscription is a call, and values are pushed while it lasts`() {
    var attributes = Self.attributes()
    #expect(attributes.pushed([80], of: Self.level) == nil)
    let on = ATTRequest.write(handle: 9, value: [1, 0])
    #expect(step(&attributes, on) == .subscribe(path: Self.level, isOn: true, on))
    #expect(
      attributes.pushed([80], of: Self.level)
        == .notification(ATTHandleValue(handle: 8, value: [80])))
    let off = ATTRequest.write(handle: 9, value: [0, 0])
    #expect(step(&attributes, off) == .subscribe(path: Self.level, isOn: false, off))
    #expect(attributes.pushed([80], of: Self.level) == nil)
  }

  @Test func `Service Changed is left to bluetoothd`() {
    var attributes = Self.attributes()
    #expect(step(&attributes, .write(handle: 0x13, value: [2, 0])) == .respond(.write))
    #expect(step(&attributes, .read(handle: 0x13)) == .respond(.read(value: [2, 0])))
  }

  @Test(arguments: [
    (
      "org.bluez.Error.Failed", "Operation failed with ATT error: 0x80",
      ATTErrorCode(rawValue: 0x80)
    ),
    ("org.bluez.Error.NotPermitted", "Read not permitted", .readNotPermitted),
    ("org.bluez.Error.NotPermitted", "Not paired", .insufficientEncryption),
    ("org.bluez.Error.NotPermitted", "Notify acquired", .procedureAlreadyInProgress),
    ("org.bluez.Error.NotPermitted", "Write acquired", .procedureAlreadyInProgress),
    ("org.bluez.Error.NotAuthorized", "Operation Not Authorized", .insufficientAuthorization),
    ("org.bluez.Error.InvalidArguments", "Invalid offset", .invalidOffset),
    ("org.bluez.Error.InvalidArguments", "Invalid Length", .invalidAttributeValueLength),
    ("org.bluez.Error.InvalidArguments", "Invalid arguments in method call", .unlikelyError),
    ("org.bluez.Error.NotSupported", "Operation is not supported", .requestNotSupported),
    ("org.bluez.Error.InProgress", "In Progress", .procedureAlreadyInProgress),
    ("org.freedesktop.DBus.Error.UnknownObject", "Unknown object", .invalidHandle),
    ("org.bluez.Error.Failed", "Operation failed", .unlikelyError),
    ("org.bluez.Error.Failed", "ATT error: 0x", .unlikelyError), ("x", "y", .unlikelyError),
  ])
  func `errors keep their codes`(name: String, words: String, code: ATTErrorCode) {
    var attributes = Self.attributes()
    let response = attributes.finish(
      .read(handle: 8), with: .failure(.refused(name: name, message: words)))
    guard case .error(let error) = response else {
      Issue.record("\(response)")
      return
    }
    #expect(error.code == code && error.handle == 8)
  }

  @Test func `a write that is not permitted is no reading`() {
    var attributes = Self.attributes()
    let refusal = DBusError.refused(
      name: "org.bluez.Error.NotPermitted", message: "Write not permitted")
    let write = ATTRequest.write(handle: 11, value: [1])
    #expect(code(attributes.finish(write, with: .failure(refusal))) == .writeNotPermitted)
  }

  /// Returns the objects of a device whose volume bluetoothd has claimed.
  private static func claiming(_ exported: [String]) -> DBusObjectTree {
    var tree = DBusObjectTree()
    add(
      &tree, device, "Device1",
      ["UUIDs": .strings(["1800", "180a", "1844", "1846", "1854"].map(long))])
    for (index, short) in exported.enumerated() {
      let service = "\(device)/service00\(index + 2)0"
      add(&tree, service, "GattService1", ["UUID": .string(long(short))])
      add(
        &tree, "\(service)/char00\(index + 2)1", "GattCharacteristic1",
        ["UUID": .string(long("2b7e")), "Flags": .strings(["write"])])
    }
    return tree
  }

  @Test func `what bluetoothd hides of a device is known by the device's own services`() {
    let hidden = RemoteAttributes(Self.claiming(["180a", "1854"]), of: Self.device, mtu: 517)
    #expect(hidden.withheld == [.bit16(0x1844), .bit16(0x1846)])
    let whole = RemoteAttributes(Self.claiming(["1844", "1846"]), of: Self.device, mtu: 517)
    #expect(whole.withheld.isEmpty && whole.claimed == [.bit16(0x1844)])
    #expect(Self.attributes().withheld.isEmpty)
  }

  @Test func `what bluetoothd refuses to write of its own services is withheld`() {
    let refusal = DBusError.refused(
      name: "org.bluez.Error.NotAuthorized", message: "Operation Not Authorized")
    var attributes = RemoteAttributes(
      Self.claiming(["1854", "1844", "1846"]), of: Self.device, mtu: 517)
    func code(of handle: UInt16, _ request: (UInt16) -> ATTRequest) -> ATTErrorCode? {
      self.code(attributes.finish(request(handle), with: .failure(refusal)))
    }
    let write = { ATTRequest.write(handle: $0, value: [1]) }
    // The device's own refusal, of a service that bluetoothd never claims; and a reading.
    #expect(code(of: 0x22, write) == .insufficientAuthorization)
    #expect(code(of: 0x32) { .read(handle: $0) } == .insufficientAuthorization)
    #expect(attributes.withheld.isEmpty)
    #expect(code(of: 0x32, write) == .writeNotPermitted)
    #expect(attributes.withheld == [.bit16(0x1844)])
  }

  @Test func `two services at one handle are no trap for a refusal`() {
    var tree = Self.tree()
    let uuid = ["UUID": DBusValue.string(Self.long("1844"))]
    Self.add(&tree, "\(Self.device)/twice/service0006", "GattService1", uuid)
    var attributes = RemoteAttributes(tree, of: Self.device, mtu: 517)
    let refusal = DBusError.refused(
      name: "org.bluez.Error.NotAuthorized", message: "Operation Not Authorized")
    let write = ATTRequest.write(handle: 0x11, value: [1])
    #expect(
      code(attributes.finish(write, with: .failure(refusal))) == .insufficientAuthorization)
  }

  private func code(_ response: ATTResponse) -> ATTErrorCode? {
    guard case .error(let error) = response else { return nil }
    return error.code
  }

  @Test func `what is not there, and what is no request, is refused`() {
    var attributes = Self.attributes()
    func code(_ step: RemoteAttributes.Step) -> ATTErrorCode? {
      guard case .respond(.error(let error)) = step else { return nil }
      return error.code
    }
    #expect(code(step(&attributes, .read(handle: 99))) == .invalidHandle)
    #expect(code(step(&attributes, .write(handle: 7, value: []))) == .writeNotPermitted)
    #expect(
      code(step(&attributes, .readByType(.all, type: .bit16(0x2802)))) == .attributeNotFound)
    #expect(
      code(step(&attributes, .readMultiple(handles: [8, 11]))) == .requestNotSupported)
    #expect(code(attributes.receive([0xFF])) == .requestNotSupported)
    #expect(RemoteAttributes.values(in: DBusObjectTree(), of: Self.device).isEmpty)
  }
}
