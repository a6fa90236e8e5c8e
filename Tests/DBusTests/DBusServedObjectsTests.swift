import EventLoop
import TestSupport
import Testing

@testable import DBus

@Suite struct `Objects that are served` {
  private static let root = "/org/example"
  private static let buds = "/org/example/buds"
  private static let battery = "org.example.Battery1"

  private static func interface(
    _ level: UInt8?, _ voltage: Double? = nil, rssi: Int16? = nil
  ) -> DBusInterface {
    DBusInterface(
      battery,
      properties: [
        .init("Level", "y", level.map { .byte($0) }, isWritable: true, meaning: "%, of <\"both\">"),
        .init("Voltage", "d", voltage.map { .double($0) }),
        .init("Rssi", "n", rssi.map { .int16($0) }, isSignalled: false),
      ],
      methods: [.init("Charge", [.init("level", "y")], returns: [.init("minutes", "u")])])
  }

  private static func served(_ interface: DBusInterface = interface(84)) -> DBusServedObjects {
    var served = DBusServedObjects(root: root)
    _ = served.replace(with: [root: [], buds: [interface]])
    return served
  }

  private static func property(
    _ member: String, _ words: String..., value: DBusValue? = nil
  ) -> DBusRequest {
    DBusRequest(
      member, of: DBusStandard.properties, from: ":1.1",
      words.map { .string($0) } + (value.map { [.variant($0)] } ?? []))
  }

  @Test func `what is unknown is no property, and what becomes unknown is invalidated`() {
    var served = Self.served()
    #expect(
      served.answer(to: Self.property("GetAll", Self.battery), at: Self.buds)
        == .reply(.values([.options(["Level": .byte(84)])])))
    #expect(
      served.answer(to: Self.property("Get", Self.battery, "Level"), at: Self.buds)
        == .reply(.values([.variant(.byte(84))])))
    guard
      case .reply(.error(_, let message)) = served.answer(
        to: Self.property("Get", Self.battery, "Voltage"), at: Self.buds)
    else {
      Issue.record("a value that is not known was returned")
      return
    }
    #expect(message == "Voltage is not known now")
    let signals = served.replace(with: [Self.root: [], Self.buds: [Self.interface(nil, 3.7)]])
    #expect(
      signals == [
        DBusSignal(
          "PropertiesChanged", of: DBusStandard.properties, at: Self.buds,
          [.string(Self.battery), .options(["Voltage": .double(3.7)]), .strings(["Level"])])
      ])
  }

  @Test func `a property without signals changes silently`() {
    var served = Self.served(Self.interface(84, rssi: -50))
    #expect(
      served.replace(with: [Self.root: [], Self.buds: [Self.interface(84, rssi: -60)]]).isEmpty)
    #expect(
      served.answer(to: Self.property("Get", Self.battery, "Rssi"), at: Self.buds)
        == .reply(.values([.variant(.int16(-60))])))
  }

  @Test func `an interface with other members is removed and added again`() {
    var served = Self.served()
    let other = DBusInterface(Self.battery, properties: [.init("Level", "x", .int64(84))])
    let signals = served.replace(with: [Self.root: [], Self.buds: [other]])
    #expect(signals.map(\.member) == ["InterfacesRemoved", "InterfacesAdded"])
    #expect(signals.allSatisfy { $0.path == Self.root })
  }

  @Test func `only the owner answers methods and writable properties`() {
    let served = Self.served()
    let charge = DBusRequest("Charge", of: Self.battery, from: ":1.1", [.byte(100)])
    #expect(
      served.answer(to: charge, at: Self.buds)
        == .call(
          DBusObjectCall(.method("Charge", [.byte(100)]), of: Self.battery, at: Self.buds)))
    // Without a name of an interface, it is that which has the member.
    let unnamed = DBusRequest("Charge", of: "", from: ":1.1", [.byte(100)])
    #expect(served.answer(to: unnamed, at: Self.buds) == served.answer(to: charge, at: Self.buds))
    let set = Self.property("Set", Self.battery, "Level", value: .byte(1))
    let setting = DBusObjectCall(.property("Level", .byte(1)), of: Self.battery, at: Self.buds)
    #expect(served.answer(to: set, at: Self.buds) == .call(setting))
    let anywhere = Self.property("Set", "", "Level", value: .byte(1))
    #expect(served.answer(to: anywhere, at: Self.buds) == .call(setting))
    let refused: [(DBusRequest, String)] = [
      (Self.property("Set", Self.battery, "Voltage", value: .double(1)), "PropertyReadOnly"),
      (Self.property("Set", Self.battery, "Colour", value: .byte(1)), "UnknownProperty"),
      (Self.property("Set", Self.battery, "Level", value: .string("1")), "InvalidArgs"),
      (Self.property("Set", Self.battery, "Level", value: .strings([])), "InvalidArgs"),
      (Self.property("Get", Self.battery), "InvalidArgs"),
      (Self.property("GetAll", "org.example.Other"), "UnknownInterface"),
      (DBusRequest("Charge", of: Self.battery, from: ":1.1", [.string("full")]), "InvalidArgs"),
      (DBusRequest("Drain", of: Self.battery, from: ":1.1"), "UnknownMethod"),
      (DBusRequest("Drain", of: "org.example.Other", from: ":1.1"), "UnknownInterface"),
      (DBusRequest("Drain", of: "", from: ":1.1"), "UnknownMethod"),
      (
        DBusRequest("GetManagedObjects", of: DBusStandard.manager, from: ":1.1"), "UnknownInterface"
      ),
    ]
    for (request, error) in refused {
      guard case .reply(.error(let name, _)) = served.answer(to: request, at: Self.buds) else {
        Issue.record("\(request) was accepted")
        continue
      }
      #expect(name == "org.freedesktop.DBus.Error.\(error)", "\(request)")
    }
  }

  @Test func `every node from the root of the bus has a description`() throws {
    let served = Self.served()
    let introspect = DBusRequest("Introspect", of: DBusStandard.introspectable, from: ":1.1")
    for (path, words) in [
      ("/", ["<node name=\"org\"/>"]), ("/org", ["<node name=\"example\"/>"]),
      (Self.root, ["<node name=\"buds\"/>", "<signal name=\"InterfacesAdded\">"]),
      (
        Self.buds,
        [
          "<property name=\"Level\" type=\"y\" access=\"readwrite\">",
          "value=\"%, of &lt;&quot;both&quot;&gt;\"", "EmitsChangedSignal\" value=\"false\"",
          "<arg name=\"minutes\" type=\"u\" direction=\"out\"/>",
        ]
      ),
    ] {
      #expect(served.has(path))
      guard case .reply(.values(let values)) = served.answer(to: introspect, at: path) else {
        Issue.record("no description of \(path)")
        continue
      }
      let text = try #require(values.first?.string)
      for word in words { #expect(text.contains(word), "\(path): \(text)") }
    }
    #expect(!served.has("/org/exam") && !served.has("/org/example/buds/left"))
  }

  /// Returns random objects with few names, so that objects appear, change and disappear.
  private static func objects(
    by generator: inout SeededGenerator
  ) -> [String: [DBusInterface]] {
    var objects: [String: [DBusInterface]] = [root: []]
    for object in 0..<3 where generator.below(4) > 0 {
      objects["\(root)/\(object)"] = (0..<3).compactMap { interface in
        guard generator.below(4) > 0 else { return nil }
        return DBusInterface(
          "org.example.I\(interface)",
          properties: (0..<(2 + generator.below(2))).map { property in
            .init(
              "P\(property)", "y",
              generator.below(3) > 0 ? .byte(UInt8(generator.below(3))) : nil)
          })
      }
    }
    return objects.filter { !$0.value.isEmpty || $0.key == root }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the signals lead a client to what a new client is told`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var served = DBusServedObjects(root: Self.root)
    var client = DBusObjectTree()
    let request = DBusRequest("GetManagedObjects", of: DBusStandard.manager, from: ":1.1")
    for _ in 0..<100 {
      for signal in served.replace(with: Self.objects(by: &generator)) { _ = client.apply(signal) }
      guard case .reply(.values(let values)) = served.answer(to: request, at: Self.root) else {
        // Without objects there is not even a root.
        Issue.record("no reply")
        return
      }
      var new = DBusObjectTree()
      try new.replace(with: values)
      #expect(client == new)
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `no request traps, and only the object's own members reach its owner`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let served = Self.served()
    let interfaces = [
      DBusStandard.properties, DBusStandard.manager, DBusStandard.introspectable, Self.battery, "",
      "x",
    ]
    let members = ["Get", "GetAll", "Set", "GetManagedObjects", "Introspect", "Charge", "", "é"]
    let values: [DBusValue] = [
      .string(Self.battery), .string("Level"), .string(""), .variant(.byte(1)), .byte(1),
      .strings([]), .options([:]),
    ]
    for _ in 0..<500 {
      let request = DBusRequest(
        members[generator.below(members.count)], of: interfaces[generator.below(interfaces.count)],
        from: ":1.1",
        (0..<generator.below(4)).map { _ in values[generator.below(values.count)] })
      let path = [Self.root, Self.buds, "/", "/nowhere"][generator.below(4)]
      if case .call(let call) = served.answer(to: request, at: path) {
        #expect(path == Self.buds && call.interface == Self.battery, "\(request)")
      }
    }
  }

  @Test func `a client of a real bus sees the objects and their changes in order`() async throws {
    let daemon = try BusDaemon()
    let address = try #require(DBusAddress(daemon.address))
    let service = try DBusConnection(
      address: address, loop: PollLoop(name: "service"), clock: ManualClock())
    await service.serve(below: Self.root) { call in
      call.member == .method("Charge", [.byte(1)])
        ? .values([.uint32(UInt32(call.path.utf8.count))]) : .unknownMethod
    }
    await service.publish([Self.root: [], Self.buds: [Self.interface(0)]])
    let client = try DBusConnection(
      address: address, loop: PollLoop(name: "client"), clock: ManualClock())
    let (events, event) = AsyncStream.makeStream(of: DBusNameEvent.self)
    await client.watch("org.example") { event.yield($0) }
    var incoming = events.makeAsyncIterator()
    #expect(await incoming.next() == .owner(nil))
    try await service.call(
      DBusCall(
        "RequestName", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
        to: "org.freedesktop.DBus", [.string("org.example"), .uint32(0)]))
    _ = await incoming.next()
    var tree = DBusObjectTree()
    try tree.replace(
      with: try await client.call(
        DBusCall("GetManagedObjects", of: DBusStandard.manager, at: Self.root, to: "org.example")))
    #expect(tree[Self.buds, Self.battery] == ["Level": .byte(0)])
    for level in 1...100 as ClosedRange<UInt8> {
      await service.publish([Self.root: [], Self.buds: [Self.interface(level)]])
    }
    for level in 1...100 as ClosedRange<UInt8> {
      guard case .signal(let signal)? = await incoming.next() else {
        Issue.record("no signal of \(level)")
        break
      }
      _ = tree.apply(signal)
      #expect(tree[Self.buds, Self.battery]?["Level"] == .byte(level))
    }
    let charge = DBusCall("Charge", of: Self.battery, at: Self.buds, to: "org.example", [.byte(1)])
    #expect(
      try await client.call(charge) == [.uint32(UInt32(Self.buds.utf8.count))])
    // libsystemd answers for the process, and for paths without objects.
    try await client.call(
      DBusCall("Ping", of: DBusStandard.peer, at: Self.buds, to: "org.example"))
    await #expect(throws: DBusError.self) {
      try await client.call(
        DBusCall(
          "Charge", of: Self.battery, at: "/org/example/other", to: "org.example", [.byte(1)])
      )
    }
    await client.close()
    await service.close()
  }
}
