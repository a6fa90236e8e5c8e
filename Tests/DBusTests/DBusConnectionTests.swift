import EventLoop
import Locking
import TestSupport
import Testing

@testable import DBus

/// Tests with a real D-Bus daemon and a service on a separate connection.
@Suite struct DBusConnectionTests {
  private static let name = "org.example.Service"
  private static let path = "/org/example/object"
  private static let interface = "org.example.Interface"

  private static func open(
    _ daemon: BusDaemon, clock: any Clock<Duration> = ManualClock()
  ) throws -> DBusConnection {
    try DBusConnection(
      address: try #require(DBusAddress(daemon.address)), loop: PollLoop(name: "test"),
      clock: clock)
  }

  private static func bus(_ member: String, _ arguments: [DBusValue]) -> DBusCall {
    DBusCall(
      member, of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
      to: "org.freedesktop.DBus", arguments)
  }

  private static func serve(
    _ daemon: BusDaemon, _ handler: @escaping DBusConnection.Handler
  ) async throws -> DBusConnection {
    let service = try open(daemon)
    await service.export(at: path, handler)
    try await service.call(bus("RequestName", [.string(name), .uint32(0)]))
    return service
  }

  private static func call(_ member: String, _ arguments: [DBusValue] = []) -> DBusCall {
    DBusCall(member, of: interface, at: path, to: name, arguments)
  }

  /// Returns the events of a watch in order.
  private static func watch(_ connection: DBusConnection) async -> AsyncStream<DBusNameEvent> {
    let (events, continuation) = AsyncStream.makeStream(of: DBusNameEvent.self)
    await connection.watch(name) { continuation.yield($0) }
    return events
  }

  @Test func `values of every type come back as they were sent`() async throws {
    let daemon = try BusDaemon()
    let service = try await Self.serve(daemon) { .values($0.arguments) }
    let client = try Self.open(daemon)
    let values: [DBusValue] = [
      .byte(1), .boolean(true), .int16(-2), .uint16(3), .int32(-4), .uint32(5), .int64(-6),
      .uint64(7), .double(0.5), .string("ö"), .objectPath("/a/b"), .signature("a{sv}"),
      .bytes([1, 2, 255]), .bytes([]), .strings(["a", "b"]), .array(of: "s", []),
      .options(["k": .bytes([1]), "l": .array(of: "(iv)", [])]),
      .dictionary(key: "q", value: "v", [.uint16(0xFFFF): .variant(.bytes([9]))]),
      .structure([.int32(1), .variant(.structure([.string("x")]))]),
      .variant(.variant(.byte(1))),
    ]
    #expect(try await client.call(Self.call("Echo", values)) == values)
    await client.close()
    await service.close()
  }

  @Test func `an error reply has its name and message`() async throws {
    let daemon = try BusDaemon()
    let service = try await Self.serve(daemon) { _ in
      .error(name: "org.bluez.Error.Failed", message: "br-connection-page-timeout")
    }
    let client = try Self.open(daemon)
    await #expect(
      throws: DBusError.refused(
        name: "org.bluez.Error.Failed", message: "br-connection-page-timeout")
    ) { try await client.call(Self.call("Connect")) }
    await client.close()
    await service.close()
  }

  @Test func `a reply that does not come is not waited for longer than the limit`() async throws {
    let daemon = try BusDaemon()
    let (called, calling) = AsyncStream.makeStream(of: Void.self)
    let service = try await Self.serve(daemon) { _ in
      calling.yield()
      try? await Task.sleep(for: .seconds(3600))
      return .values([])
    }
    let clock = ManualClock()
    let client = try Self.open(daemon, clock: clock)
    let call = Task { () -> DBusError? in
      do throws(DBusError) {
        try await client.call(Self.call("Hang"), within: .seconds(40))
        return nil
      } catch { return error }
    }
    for await _ in called { break }
    await clock.pass(.seconds(40))
    #expect(await call.value == .timedOut)
    await client.close()
    await service.close()
  }

  @Test func `a cancelled caller does not wait`() async throws {
    let daemon = try BusDaemon()
    let (called, calling) = AsyncStream.makeStream(of: Void.self)
    let service = try await Self.serve(daemon) { _ in
      calling.yield()
      try? await Task.sleep(for: .seconds(3600))
      return .values([])
    }
    let client = try Self.open(daemon)
    let call = Task { try? await client.call(Self.call("Hang")) }
    for await _ in called { break }
    call.cancel()
    #expect(await call.value == nil)
    await client.close()
    await service.close()
  }

  @Test func `a name's owners and their signals are followed`() async throws {
    let daemon = try BusDaemon()
    let client = try Self.open(daemon)
    var events = await Self.watch(client).makeAsyncIterator()
    #expect(await events.next() == .owner(nil))
    let service = try await Self.serve(daemon) { _ in .values([]) }
    guard case .owner(let owner?) = await events.next() else {
      Issue.record("no owner")
      return
    }
    #expect(owner.hasPrefix(":"))
    let signal = DBusSignal("Changed", of: Self.interface, at: Self.path, [.uint32(1)])
    await service.emit(signal)
    #expect(await events.next() == .signal(signal))
    await service.close()
    #expect(await events.next() == .owner(nil))
    await client.close()
  }

  @Test func `a signal of a connection that does not own the name is dropped`() async throws {
    let daemon = try BusDaemon()
    let service = try await Self.serve(daemon) { .values([.string($0.sender)]) }
    let client = try Self.open(daemon)
    var events = await Self.watch(client).makeAsyncIterator()
    _ = await events.next()
    let me = try #require(try await client.call(Self.call("WhoAmI")).first?.string)
    let impostor = try Self.open(daemon)
    let false1 = DBusSignal("Changed", of: Self.interface, at: Self.path, [.string("false")])
    let true1 = DBusSignal("Changed", of: Self.interface, at: Self.path, [.string("true")])
    await impostor.emit(false1, to: me)
    await impostor.emit(false1)
    // Answered by the bus after it has passed the signals on.
    try await impostor.call(Self.bus("GetId", []))
    await service.emit(true1)
    #expect(await events.next() == .signal(true1))
    for connection in [client, service, impostor] { await connection.close() }
  }

  @Test func `a change of owner that a program invents is dropped`() async throws {
    let daemon = try BusDaemon()
    let service = try await Self.serve(daemon) { .values([.string($0.sender)]) }
    let client = try Self.open(daemon)
    var events = await Self.watch(client).makeAsyncIterator()
    _ = await events.next()
    let me = try #require(try await client.call(Self.call("WhoAmI")).first?.string)
    let impostor = try Self.open(daemon)
    await impostor.emit(
      DBusSignal(
        "NameOwnerChanged", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
        [.string(Self.name), .string(""), .string(":1.99")]), to: me)
    try await impostor.call(Self.bus("GetId", []))
    let signal = DBusSignal("Changed", of: Self.interface, at: Self.path)
    await service.emit(signal)
    #expect(await events.next() == .signal(signal))
    for connection in [client, service, impostor] { await connection.close() }
  }

  @Test func `a reply and the signals around it keep their order`() async throws {
    let daemon = try BusDaemon()
    let order = Mutex<[String]>([])
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    let service = try Self.open(daemon)
    await service.export(at: Self.path) { _ in
      await service.emit(DBusSignal("Before", of: Self.interface, at: Self.path))
      Task { await service.emit(DBusSignal("After", of: Self.interface, at: Self.path)) }
      return .values([])
    }
    try await service.call(Self.bus("RequestName", [.string(Self.name), .uint32(0)]))
    let client = try Self.open(daemon)
    await client.watch(Self.name) { event in
      guard case .signal(let signal) = event else {
        ended.yield()
        return
      }
      order.withLock { $0.append(signal.member) }
      if signal.member == "After" { ended.yield() }
    }
    var iterator = ends.makeAsyncIterator()
    await iterator.next()
    await client.send(Self.call("Do")) { _ in
      order.withLock { $0.append("reply") }
      ended.yield()
    }
    // Either of the two may be the last.
    await iterator.next()
    await iterator.next()
    #expect(order.withLock(\.self).first == "Before")
    #expect(Set(order.withLock(\.self)) == ["Before", "reply", "After"])
    await client.close()
    await service.close()
  }

  /// Other work of a loop, which counts its turns.
  private actor Witness {
    private let loop: PollLoop
    private(set) var turns = 0
    private var isOver = false

    init(on loop: PollLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func work() async {
      let turn = LoopTurn(of: loop)
      while !isOver {
        turns += 1
        await turn.pass()
      }
    }

    func end() { isOver = true }
  }

  @Test func `a flood of signals takes no turn from other work of the loop`() async throws {
    let count = 300
    let daemon = try BusDaemon()
    let loop = PollLoop(name: "test")
    let witness = Witness(on: loop)
    let client = try DBusConnection(
      address: try #require(DBusAddress(daemon.address)), loop: loop, clock: ManualClock())
    let (turns, seen) = AsyncStream.makeStream(of: Int?.self)
    await client.watch(Self.name) { event in
      switch event {
      case .owner(let owner): if owner != nil { seen.yield(nil) }
      case .signal: seen.yield(witness.assumeIsolated { $0.turns })
      }
    }
    let service = try await Self.serve(daemon) { .values($0.arguments) }
    var iterator = turns.makeAsyncIterator()
    _ = await iterator.next()
    let working = Task { await witness.work() }
    for _ in 0..<count {
      await service.emit(DBusSignal("Tick", of: Self.interface, at: Self.path, []))
    }
    var last = -1
    for _ in 0..<count {
      let turn = try #require(await iterator.next() ?? nil)
      #expect(turn > last)
      last = turn
    }
    await witness.end()
    await working.value
    await client.close()
    await service.close()
  }

  @Test func `a bus that ends is no bus, for who waits and for who calls later`() async throws {
    let daemon = try BusDaemon()
    let client = try Self.open(daemon)
    var events = await Self.watch(client).makeAsyncIterator()
    #expect(await events.next() == .owner(nil))
    daemon.end()
    #expect(await events.next() == .owner(nil))
    #expect(await client.isClosed)
    await #expect(throws: DBusError.noBus) { try await client.call(Self.call("Do")) }
  }

  @Test func `nothing listens: there is no bus`() throws {
    let address = try #require(DBusAddress("unix:path=/nonexistent/bus"))
    #expect(throws: DBusError.noBus) {
      try DBusConnection(address: address, loop: PollLoop(name: "test"))
    }
  }

  @Test func `what is nested too deeply is malformed, and the next message is not`() async throws {
    let daemon = try BusDaemon()
    let deep = (0..<40).reduce(DBusValue.byte(1)) { value, _ in .variant(value) }
    let service = try await Self.serve(daemon) { request in
      .values(request.member == "Deep" ? [deep] : [.byte(2)])
    }
    let client = try Self.open(daemon)
    await #expect(throws: DBusError.malformed("nested too deeply")) {
      try await client.call(Self.call("Deep"))
    }
    #expect(try await client.call(Self.call("Shallow")) == [.byte(2)])
    await client.close()
    await service.close()
  }

  @Test func `names and paths that are none are refused before they are sent`() async throws {
    let daemon = try BusDaemon()
    let client = try Self.open(daemon)
    await #expect(throws: DBusError.self) {
      try await client.call(DBusCall("Do", of: "x y", at: "no path", to: "?"))
    }
    await client.close()
  }
}
