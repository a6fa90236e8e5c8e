import AudioRoute
import BluetoothCodec
import BluetoothRadio
import Companion
import CompanionRuntime
import DBus
import EventLoop
import HeadphoneProtocols
import JSON
import Locking
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

@testable import Sharing

/// The service on a private D-Bus daemon, with a client.
@MainActor
private struct Rig {
  static let id = HeadphoneID(rawValue: "f0f1f2f3f4f5")
  static let path = "\(BusInterfaces.root)/f0f1f2f3f4f5"

  let daemon: BusDaemon
  let store: Store
  let service: BusService
  let client: DBusConnection
  let clock = ManualClock()
  private let events: AsyncStream<DBusNameEvent>
  private let folder = TemporaryFolder()

  /// Creates the rig; `actions` happened to the headphone before the service began.
  init(
    _ handler: ScriptedHandler = ScriptedHandler(), after actions: [Action] = []
  ) async throws {
    daemon = try BusDaemon()
    let address = try #require(DBusAddress(daemon.address))
    let dependencies = Dependencies(
      radio: VirtualRadio(headphones: [], clock: ManualClock()), services: [],
      prepareDriver: { _, _ in preconditionFailure("no headphone is connected") },
      makeAudio: { ScriptedAudioSource(headphones: []) }, clock: clock,
      known: KnownHeadphones(in: StateFolder(path: folder.path)),
      now: { Timestamp(milliseconds: 0) }, jitter: { 1 })
    let effects = LiveEffectHandler(dependencies: dependencies)
    var state = State()
    let adapter = Adapter(name: "hci0", address: BluetoothAddress(value: 0), isPowered: true)
    let received = DiscoveredHeadphone(
      id: Self.id, name: "Ear",
      address: PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random), rssi: -50)
    for action in [
      .adapterChanged(.ready(adapter)), .discovered(received), .pressed(.connectOrDisconnect),
      .link(Self.id, .connected),
    ] + actions { _ = state.reduce(action, at: Timestamp(milliseconds: 0)) }
    store = Store(state, handler: effects, now: dependencies.now)
    service = BusService(
      SessionBus(address: address, version: "1.2.3", isVirtual: true), store: store,
      effects: effects, handler: handler)
    client = try DBusConnection(
      address: address, loop: PollLoop(name: "client"), clock: ManualClock())
    let (events, event) = AsyncStream.makeStream(of: DBusNameEvent.self)
    self.events = events
    await client.watch(BusInterfaces.service) { event.yield($0) }
    service.start()
    for await event in events { if case .owner(_?) = event { break } }
  }

  func call(
    _ member: String, of interface: String, at path: String = path, _ arguments: [DBusValue] = []
  ) async throws(DBusError) -> [DBusValue] {
    try await client.call(
      DBusCall(member, of: interface, at: path, to: BusInterfaces.service, arguments))
  }

  func objects() async throws -> DBusObjectTree {
    var tree = DBusObjectTree()
    try tree.replace(
      with: try await call(
        "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: BusInterfaces.root))
    return tree
  }

  /// Applies signals to a tree until a state is reached.
  func follow(_ tree: inout DBusObjectTree, until isReached: (DBusObjectTree) -> Bool) async {
    while !isReached(tree) {
      var next: DBusNameEvent?
      for await event in events {
        next = event
        break
      }
      guard case .signal(let signal)? = next else { return }
      _ = tree.apply(signal)
    }
  }

  func set(_ interface: String, _ name: String, to value: DBusValue) async throws(DBusError) {
    _ = try await call(
      "Set", of: "org.freedesktop.DBus.Properties",
      [.string(interface), .string(name), .variant(value)])
  }

  func end() async {
    await client.close()
    await service.stop()
  }
}

@MainActor @Suite struct BusServiceTests {
  /// The actions that lead to a ready headphone with a switch, a level, an equaliser and an action.
  private static let ready: [Action] = {
    var capabilities = Capabilities()
    capabilities.settings = [
      SettingDeclaration(
        "speak-to-chat", .toggle, title: "Speak to chat", label: "Talk", group: .noise),
      SettingDeclaration(
        "power-off", .level(SettingRange(0...60, unit: "min")), title: "Power off", label: "Off",
        group: .device),
      SettingDeclaration(
        "tone", .bands([.named("bass"), .named("treble")], SettingRange(-100...100)), title: "Tone",
        label: "Tone", group: .sound),
      SettingDeclaration("calibrate", .action, title: "Calibrate", label: "Cal", group: .device),
    ]
    return [
      .link(
        Rig.id,
        .ready(
          HeadphoneDescription(
            driver: "", capabilities: capabilities, information: DeviceInformation(), mtu: 185,
            requests: 1), isEncrypted: true)),
      .headphone(Rig.id, .settingChanged("speak-to-chat", .toggle(true))),
      .headphone(Rig.id, .settingChanged("tone", .bands([-15, 30]))),
    ]
  }()

  @Test func `every member of the status is a property of its type`() {
    for declaration in BusInterfaces.declared {
      let interface = BusInterfaces.interface(of: declaration, nil)
      #expect(interface?.properties.count == declaration.members.count)
      let names = interface?.properties.map(\.name) ?? []
      #expect(Set(names).count == names.count && names.allSatisfy { !$0.isEmpty }, "\(names)")
    }
    // Each setter is of a property that there is.
    let places = BusInterfaces.declared.flatMap { declaration in
      declaration.members.map(declaration.place)
    }
    #expect(Set(BusInterfaces.setters.keys).isSubset(of: places))
    #expect(BusInterfaces.unsignalled.isSubset(of: places))
  }

  @Test func `a value has the type of its declaration, and null has none`() {
    let cases: [(JSONSchema, JSON, DBusValue?)] = [
      (.boolean, true, .boolean(true)), (.integer(), 7, .int64(7)), (.number(), 7, .double(7)),
      (.number(), .number(0.5), .double(0.5)), (.optional(.string()), .null, nil),
      (.words(["a"]), "a", .string("a")),
      (.array(.number()), [1, .number(2.5)], .array(of: "d", [.double(1), .double(2.5)])),
      (.array(.string()), [], .array(of: "s", [])),
      (
        .map(.one(of: [.string(), .integer()])), ["a": 1, "b": "c", "d": .null],
        .options(["a": .int64(1), "b": .string("c")])
      ),
      (
        .object([.init("a", .boolean), .init("b", .optional(.integer()))]),
        ["a": true, "b": .null], .options(["a": .boolean(true)])
      ),
      (.boolean, "true", nil),
    ]
    for (schema, json, value) in cases {
      #expect(schema.busValue(of: json) == value, "\(schema)")
      if let value { #expect(value.signature == schema.signature, "\(schema)") }
    }
  }

  @Test func `a headphone is an object with its status, which changes by signals`() async throws {
    let rig = try await Rig()
    var tree = try await rig.objects()
    let device = try #require(tree[Rig.path, BusInterfaces.name("device")])
    #expect(device["Name"] == .string("Ear") && device["Address"] == .string("F0:F1:F2:F3:F4:F5"))
    #expect(device["Model"] == nil)
    #expect(tree[Rig.path, BusInterfaces.settings] == nil)
    for action in Self.ready { rig.store.send(action) }
    rig.store.send(.headphone(Rig.id, .batteryChanged([.left: Battery(level: 84)])))
    await rig.follow(&tree) {
      $0[Rig.path, BusInterfaces.name("battery")]?["Left"] == .int64(84)
        && $0[Rig.path, BusInterfaces.settings]?["Tone"]
          == .array(of: "d", [.double(-1.5), .double(3)])
    }
    let settings = try #require(tree[Rig.path, BusInterfaces.settings])
    #expect(settings["SpeakToChat"] == .boolean(true) && settings["PowerOff"] == nil)
    #expect(try await rig.objects() == tree)
    await rig.end()
  }

  @Test func `methods and properties run the commands of the command line`() async throws {
    let ran = Mutex<[String]>([])
    let rig = try await Rig(
      ScriptedHandler { client in
        ran.withLock { $0.append(client.request.arguments.joined(separator: " ")) }
        client.data("transparency")
        client.message("careful")
        return .ok
      }, after: Self.ready)
    _ = try await rig.call("Find", of: BusInterfaces.headphone, [.string("left")])
    _ = try await rig.call("Calibrate", of: BusInterfaces.settings)
    try await rig.set(BusInterfaces.settings, "SpeakToChat", to: .boolean(false))
    try await rig.set(BusInterfaces.settings, "PowerOff", to: .byte(30))
    try await rig.set(
      BusInterfaces.settings, "Tone", to: .array(of: "d", [.double(-1.5), .double(3)]))
    try await rig.set(BusInterfaces.headphone, "Anc", to: .string("transparency"))
    try await rig.set(BusInterfaces.name("eq"), "Bands", to: .array(of: "d", [.double(-2)]))
    #expect(
      try await rig.call(
        "Run", of: BusInterfaces.manager, at: BusInterfaces.root, [.strings(["anc", "next"])])
        == [.int32(0), .string("transparency"), .string("careful")])
    // A word that would be another headphone, and a type that none of its settings has.
    await #expect(throws: DBusError.self) {
      try await rig.call("Find", of: BusInterfaces.headphone, [.string("Ear")])
    }
    await #expect(throws: DBusError.self) {
      try await rig.set(BusInterfaces.settings, "SpeakToChat", to: .string("off"))
    }
    _ = try await rig.call(
      "Run", of: BusInterfaces.headphone, [.strings(["rename", "--", "Ear"])])
    let device = " --device f0f1f2f3f4f5"
    #expect(
      ran.withLock { $0 } == [
        "find left\(device)", "setting calibrate do" + device,
        "setting speak-to-chat\(device) -- off", "setting power-off\(device) -- 30",
        "setting tone\(device) -- -1.5,3", "anc\(device) -- transparency",
        "eq --bands=-2" + device, "anc next", "rename\(device) -- Ear",
      ])
    await rig.end()
  }

  @Test func `a command that fails is an error with its message`() async throws {
    let rig = try await Rig(
      ScriptedHandler { client in
        client.message("the headphone refuses\ntry again")
        return .refused
      }, after: Self.ready)
    await #expect(
      throws: DBusError.refused(
        name: "io.github.earshot.Earshot.Error.Refused", message: "the headphone refuses\ntry again"
      )
    ) { try await rig.set(BusInterfaces.settings, "PowerOff", to: .int32(1)) }
    #expect(
      try await rig.call("Run", of: BusInterfaces.headphone, [.strings(["anc", "off"])])
        == [.int32(6), .string(""), .string("the headphone refuses\ntry again")])
    // One that runs until it is interrupted would never answer.
    let endless = try await rig.call("Run", of: BusInterfaces.headphone, [.strings(["watch"])])
    #expect(endless.first == .int32(64))
    await rig.end()
  }

  @Test func `when the service ends, so does its name`() async throws {
    let rig = try await Rig()
    await rig.service.stop()
    await #expect(throws: DBusError.self) { try await rig.objects() }
    await rig.client.close()
  }

  @Test func `the service is back when the bus is`() async throws {
    let rig = try await Rig()
    rig.daemon.end()
    try rig.daemon.start()
    await rig.clock.pass(.seconds(1))
    let client = try DBusConnection(
      address: try #require(DBusAddress(rig.daemon.address)), loop: PollLoop(name: "second"),
      clock: rig.clock)
    let (events, event) = AsyncStream.makeStream(of: DBusNameEvent.self)
    await client.watch(BusInterfaces.service) { event.yield($0) }
    for await event in events { if case .owner(_?) = event { break } }
    let device = try await client.call(
      DBusCall(
        "GetAll", of: "org.freedesktop.DBus.Properties", at: Rig.path, to: BusInterfaces.service,
        [.string(BusInterfaces.name("device"))]))
    #expect(device.first?.table?["Name"] == .string("Ear"))
    await client.close()
    await rig.end()
  }

  @Test func `one command too many is refused, and the end waits for the others`() async throws {
    let (turns, turn) = AsyncStream.makeStream(of: Void.self)
    let (starts, start) = AsyncStream.makeStream(of: Void.self)
    let ended = Mutex(0)
    let rig = try await Rig(
      ScriptedHandler { _ in
        start.yield()
        for await _ in turns { break }
        ended.withLock { $0 += 1 }
        return .ok
      }, after: Self.ready)
    let running = (0..<BusService.maximumCommands).map { _ in
      Task { try await rig.call("Connect", of: BusInterfaces.headphone) }
    }
    var begun = 0
    for await _ in starts {
      begun += 1
      if begun == BusService.maximumCommands { break }
    }
    await #expect(
      throws: DBusError.refused(
        name: "org.freedesktop.DBus.Error.LimitsExceeded", message: "32 other commands are running")
    ) { try await rig.call("Connect", of: BusInterfaces.headphone) }
    // What only reads does not count.
    #expect(try await rig.objects()[Rig.path, BusInterfaces.headphone] != nil)
    turn.finish()
    await rig.service.finishCommands()
    #expect(ended.withLock { $0 } == BusService.maximumCommands)
    for command in running { _ = try await command.value }
    await rig.end()
  }

  // MARK: The documentation

  @Test func `the tables of the documentation are made from the declarations`() throws {
    let page = GeneratedPage("dbus.md")
    var wanted = try page.text()
    let objects = BusInterfaces.declared.compactMap { BusInterfaces.interface(of: $0, nil) }
    for interface in [ManagerReport.interface(nil)] + objects {
      let short = interface.name.dropFirst(BusInterfaces.service.count + 1)
      let rows =
        interface.methods.map { method in
          let results = method.results.map { "\($0.signature) \($0.name)" }
          return [
            "`\(method.name)("
              + method.arguments.map { "\($0.signature) \($0.name)" }.joined(separator: ", ")
              + ")`",
            results.isEmpty ? "method" : "method, returns `\(results.joined(separator: ", "))`",
            method.meaning,
          ]
        }
        + interface.properties.map { property in
          [
            "`\(property.name)`",
            "`\(property.signature)`" + (property.isWritable ? ", can be set" : ""),
            property.meaning + (property.isSignalled ? "" : "; its changes are not signalled"),
          ]
        }
      let table = ([["member", "type", "meaning"], ["---", "---", "---"]] + rows)
        .map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
      let isThere = wanted.replaceTable(after: "\n### `\(short)`\n", with: table)
      #expect(isThere, "\(short)")
    }
    #expect(try page.text(rewrittenTo: wanted) == wanted, "UPDATE_SCREENS=1 writes them again")
  }
}
