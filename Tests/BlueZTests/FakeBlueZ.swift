import BlueZ
import DBus
import EventLoop
import TestSupport

/// org.bluez on a private bus, with objects and scripted replies.
actor FakeBlueZ {
  static let adapter = "/org/bluez/hci0"
  private static let manager = "org.freedesktop.DBus.ObjectManager"

  typealias Reply = @Sendable (FakeBlueZ, String, DBusRequest) async -> DBusReply

  private let connection: DBusConnection
  private(set) var objects: [String: [String: [String: DBusValue]]] = [:]
  /// The calls so far, such as "StartDiscovery hci0" or "Set hci0 Powered".
  private(set) var calls: [String] = []
  /// The replies by call; other calls succeed.
  private var replies: [String: Reply] = [:]
  /// Each call when it arrives.
  nonisolated let called: AsyncStream<String>
  private let calling: AsyncStream<String>.Continuation
  /// The unique name of the last caller.
  private(set) var client = ""
  private(set) var agent: String?

  init(_ daemon: BusDaemon, isPowered: Bool = true) async throws {
    guard let address = DBusAddress(daemon.address) else { throw RigFailure("no address") }
    connection = try DBusConnection(
      address: address, loop: PollLoop(name: "fake-bluez"), clock: ManualClock())
    (called, calling) = AsyncStream.makeStream()
    objects["/org/bluez"] = ["org.bluez.AgentManager1": [:]]
    objects[Self.adapter] = [
      "org.bluez.Adapter1": [
        "Powered": .boolean(isPowered), "Discovering": .boolean(false),
        "UUIDs": .strings(["0000110a-0000-1000-8000-00805f9b34fb"]),
      ]
    ]
    await export("/")
    for path in objects.keys { await export(path) }
    try await own()
  }

  private func own() async throws {
    try await connection.call(
      DBusCall(
        "RequestName", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
        to: "org.freedesktop.DBus", [.string("org.bluez"), .uint32(0)]))
  }

  func close() async { await connection.close() }

  /// Releases the name, as bluetoothd does when it exits, and acquires it again.
  func leave() async throws {
    try await connection.call(
      DBusCall(
        "ReleaseName", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
        to: "org.freedesktop.DBus", [.string("org.bluez")]))
  }

  func comeBack() async throws { try await own() }

  /// Whether calls wait for ``resume()``, as those of a stopped process do.
  private var isStopped = false
  private var stopped: [CheckedContinuation<Void, Never>] = []

  /// Stops answering, as bluetoothd does after SIGSTOP.
  func stop() { isStopped = true }

  /// Waits until a call waits for ``resume()``.
  func untilHeld() async throws {
    while stopped.isEmpty {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  /// Answers the calls that arrived meanwhile.
  func resume() {
    isStopped = false
    for call in stopped { call.resume() }
    stopped = []
  }

  /// Returns a reply after ``resume()``.
  func whenResumed() async -> DBusReply {
    await withCheckedContinuation { stopped.append($0) }
    return .values([])
  }

  func reply(to member: String, _ reply: @escaping Reply) { replies[member] = reply }

  func fail(_ member: String, _ name: String, _ message: String = "") {
    replies[member] = { _, _, _ in .error(name: "org.bluez.Error.\(name)", message: message)
    }
  }

  // MARK: Objects

  static func path(_ address: String) -> String {
    "\(adapter)/dev_\(address.replacing(":", with: "_"))"
  }

  func add(_ address: String, _ properties: [String: DBusValue]) async {
    var device = properties
    device["Address"] = .string(address)
    device["Adapter"] = .objectPath(Self.adapter)
    if device["AddressType"] == nil { device["AddressType"] = .string("public") }
    await add(Self.path(address), "org.bluez.Device1", device)
  }

  func add(_ path: String, _ interface: String, _ properties: [String: DBusValue]) async {
    objects[path, default: [:]][interface] = properties
    await export(path)
    await connection.emit(
      DBusSignal(
        "InterfacesAdded", of: Self.manager, at: "/",
        [.objectPath(path), Self.value([interface: properties])]))
  }

  func change(_ address: String, _ properties: [String: DBusValue]) async {
    await change(Self.path(address), "org.bluez.Device1", properties)
  }

  func change(_ path: String, _ interface: String, _ properties: [String: DBusValue]) async {
    objects[path]?[interface]?.merge(properties) { $1 }
    await connection.emit(
      DBusSignal(
        "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: path,
        [.string(interface), .options(properties), .strings([])]))
  }

  func remove(_ path: String) async {
    let interfaces = objects.removeValue(forKey: path)?.keys.sorted() ?? []
    await connection.emit(
      DBusSignal(
        "InterfacesRemoved", of: Self.manager, at: "/",
        [.objectPath(path), .strings(interfaces)]))
  }

  private static func value(_ interfaces: [String: [String: DBusValue]]) -> DBusValue {
    .dictionary(
      key: "s", value: "a{sv}",
      interfaces.reduce(into: [:]) { $0[.string($1.key)] = .options($1.value) })
  }

  // MARK: Agent

  /// Calls a method of the registered agent.
  func ask(_ member: String, _ arguments: [DBusValue]) async -> Result<[DBusValue], DBusError> {
    guard let agent else { return .failure(.noBus) }
    do throws(DBusError) {
      return .success(
        try await connection.call(
          DBusCall(member, of: "org.bluez.Agent1", at: agent, to: client, arguments)))
    } catch {
      return .failure(error)
    }
  }

  /// Calls a method of the registered media player, as a headphone's key makes bluetoothd do.
  func press(_ member: String) async -> Result<[DBusValue], DBusError> {
    do throws(DBusError) {
      return .success(
        try await connection.call(
          DBusCall(
            member, of: "org.mpris.MediaPlayer2.Player", at: "/org/earshot/player", to: client)))
    } catch {
      return .failure(error)
    }
  }

  /// Returns the charges of the registered battery provider, by device.
  func providedCharges() async -> [String: Int] {
    let reply = try? await connection.call(
      DBusCall(
        "GetManagedObjects", of: Self.manager, at: "/org/earshot/batteries", to: client))
    var charges: [String: Int] = [:]
    for (_, interfaces) in reply?.first?.table ?? [:] {
      let provider = interfaces.table?["org.bluez.BatteryProvider1"]?.table
      guard let device = provider?["Device"]?.path else { continue }
      charges[device] = provider?["Percentage"]?.integer
    }
    return charges
  }

  // MARK: Calls

  private func export(_ path: String) async {
    await connection.export(at: path) { [weak self] request in
      await self?.reply(path, request) ?? .unknownMethod
    }
  }

  private func reply(_ path: String, _ request: DBusRequest) async -> DBusReply {
    if isStopped { await withCheckedContinuation { stopped.append($0) } }
    if request.member == "Ping" { return .values([]) }
    guard request.member != "GetManagedObjects" || replies["GetManagedObjects"] != nil else {
      return .values([
        .dictionary(
          key: "o", value: "a{sa{sv}}",
          objects.reduce(into: [:]) { $0[.objectPath($1.key)] = Self.value($1.value) })
      ])
    }
    client = request.sender
    let object = path.split(separator: "/").last.map(String.init) ?? ""
    let property = request.member == "Set" ? " \(request.arguments[1].string ?? "")" : ""
    let call = "\(request.member) \(object)\(property)"
    calls.append(call)
    calling.yield(call)
    switch request.member {
    case "RegisterAgent": agent = request.arguments.first?.path
    case "UnregisterAgent": agent = nil
    default: break
    }
    if let reply = replies[request.member] { return await reply(self, path, request) }
    if request.member == "Set", let interface = request.arguments[0].string,
      let name = request.arguments[1].string
    {
      await change(path, interface, [name: request.arguments[2].content])
    }
    return .values([])
  }
}
