import BluetoothAttributes
import BluetoothCodec
import EventLoop
import Locking
import Testing

@Suite struct CachingTests {
  private static func cache(of table: [TableServer.Attribute] = .headphone) async throws
    -> GATTCache
  {
    let kept = Mutex<GATTCache?>(nil)
    try await withServer(table) { client, _ in
      try await client.exchangeMTU()
      try await client.discover(using: nil)
      let cache = await client.cache
      kept.withLock { $0 = cache }
    }
    return try #require(kept.withLock { $0 })
  }

  @Test func `a cache is made only of a complete discovery`() async throws {
    try await withServer(.headphone) { client, server in
      #expect(await client.cache == nil)
      try await client.discoverServices()
      #expect(await client.cache == nil)
      await server.change { $0.nextErrors = [.unlikelyError] }
      await #expect(throws: GATTError.self) { try await client.discoverCharacteristics() }
      #expect(await client.cache == nil)
      try await client.discoverCharacteristics()
      #expect(await client.cache?.database.services.count == 6)
    }
  }

  @Test func `the same hash proves a cache by one request`() async throws {
    let cache = try await Self.cache()
    #expect(cache.hash?.bytes == Array(0...15))
    try await withServer(.headphone) { client, _ in
      let source = try await client.discover(using: cache).source
      #expect(source == .cacheWithSameHash)
      #expect(await client.requestCount == 1)
      #expect(await client.database == cache.database)
      #expect(await client.cache == cache)
    }
  }

  @Test func `a bonded server's cache costs nothing`() async throws {
    let cache = try await Self.cache()
    try await withServer(.headphone) { client, _ in
      let source = try await client.discover(using: cache, isBonded: true).source
      #expect(source == .cacheOfBond)
      #expect(await client.requestCount == 0)
    }
  }

  @Test func `another hash means another discovery`() async throws {
    let cache = try await Self.cache()
    var table = [TableServer.Attribute].headphone
    table[10] = .init(0x000B, 0x2B2A, "FF0102030405060708090A0B0C0D0E0F")
    table.append(.init(0x0040, 0x2800, "0D18"))
    try await withServer(table) { client, _ in
      let phases = Mutex<[DiscoveryPhase]>([])
      let (source, _) = try await client.discover(using: cache) { phase in
        phases.withLock { $0.append(phase) }
      }
      #expect(source == .discovery)
      #expect(phases.withLock { $0 } == [.services, .characteristics])
      #expect(await client.database.service(.bit16(0x180D)) != nil)
      #expect(await client.cache?.hash?.bytes.first == 0xFF)
    }
  }

  @Test func `a server without hash is discovered again`() async throws {
    let cache = try await Self.cache()
    let table = [TableServer.Attribute].headphone.filter { $0.type != .databaseHash }
    try await withServer(table) { client, _ in
      let source = try await client.discover(using: cache).source
      #expect(source == .discovery)
      #expect(await client.cache?.hash == nil)
    }
  }

  @Test func `watching for changes tells features and subscribes`() async throws {
    let cache = try await Self.cache()
    try await withServer(.headphone) { client, server in
      try await client.discover(using: cache, isBonded: true)
      try await client.watchForServiceChanges()
      #expect(
        await server.requests == [
          .write(handle: 0x09, value: [0x05]), .write(handle: 0x07, value: [0x02, 0x00]),
        ])
    }
  }

  @Test func `a server that refuses to be watched is used all the same`() async throws {
    let cache = try await Self.cache()
    let reported = Mutex(0)
    let options = GATTOptions(report: { incident in
      if case .conveniencesRefused = incident { reported.withLock { $0 += 1 } }
    })
    try await withServer(.headphone, options: options) { client, server in
      await server.change { $0.errors = [0x07: .writeNotPermitted, 0x09: .writeNotPermitted] }
      try await client.discover(using: cache, isBonded: true)
      try await client.watchForServiceChanges()
      #expect(reported.withLock { $0 } == 2)
    }
  }

  // MARK: Values read by the way

  /// The handles of manufacturer and firmware revision.
  private static let texts: [UInt16] = [0x12, 0x16]
  /// The handle of the event's client configuration.
  private static let event: UInt16 = 0x3B

  @Test func `values of a cache are read together with its proof`() async throws {
    let cache = try await Self.cache()
    try await withServer(.headphone) { client, server in
      try await client.exchangeMTU()
      let found = try await client.discover(using: cache, reading: Self.texts)
      #expect(found.source == .cacheWithSameHash)
      #expect(found.values[0x12] == hex("45617273686F74"))
      #expect(found.values[0x16] == hex("312E322E33"))
      #expect(
        await server.requests.dropFirst() == [.readMultipleVariable(handles: [0x0B, 0x12, 0x16])])
    }
  }

  @Test func `a value that does not fit is not one of those read`() async throws {
    let cache = try await Self.cache()
    try await withServer(.headphone) { client, _ in
      let found = try await client.discover(using: cache, reading: Self.texts)
      #expect(found.source == .cacheWithSameHash)
      #expect(found.values.keys.sorted() == [0x0B])
    }
  }

  @Test func `values at handles that another hash makes doubtful are dropped`() async throws {
    let cache = try await Self.cache()
    var table = [TableServer.Attribute].headphone
    table[10] = .init(0x000B, 0x2B2A, "FF0102030405060708090A0B0C0D0E0F")
    try await withServer(table) { client, _ in
      try await client.exchangeMTU()
      let found = try await client.discover(using: cache, reading: Self.texts)
      #expect(found.source == .discovery)
      #expect(found.values.isEmpty)
    }
  }

  @Test func `a protected value at an unproved handle raises no security`() async throws {
    let cache = try await Self.cache()
    let raised = Mutex(0)
    let hooks = LinkCallbacks(raiseSecurity: { _, _ in raised.withLock { $0 += 1 } })
    try await withServer(.headphone, hooks: hooks) { client, server in
      await server.change { $0.errors = [0x16: .insufficientAuthentication] }
      let found = try await client.discover(using: cache, reading: Self.texts)
      #expect(found.source == .cacheWithSameHash)
      #expect(found.values.isEmpty)
      #expect(await client.requestCount == 2)
    }
    #expect(raised.withLock { $0 } == 0)
  }

  @Test func `a server without Read Multiple Variable is asked for it once`() async throws {
    let cache = try await Self.cache()
    try await withServer(.headphone) { client, server in
      await server.change { $0.unsupported = [.readMultipleVariableRequest] }
      try await client.discover(using: cache, reading: Self.texts)
      let values = try await client.readValues(Self.texts)
      #expect(values.count == 2)
      let asked = await server.requests.count { $0.opcode == .readMultipleVariableRequest }
      #expect(asked == 1)
    }
  }

  @Test(arguments: [false, true])
  func `an answer longer than the MTU is as good as none`(isBonded: Bool) async throws {
    let cache = try await Self.cache()
    try await withServer(.headphone, mtu: 23) { client, server in
      await server.change { $0.keepsToMTU = false }
      let source = try await client.discover(
        using: cache, isBonded: isBonded, reading: Self.texts
      ).source
      if isBonded { #expect(try await client.resume(reading: Self.texts).isEmpty) }
      #expect(source == (isBonded ? .cacheOfBond : .cacheWithSameHash))
      #expect(try await client.readValues(Self.texts)[0x16] == .success(hex("312E322E33")))
      let asked = await server.requests.count { $0.opcode == .readMultipleVariableRequest }
      #expect(asked == 1)
    }
  }

  // MARK: What a bond keeps

  @Test func `what a bonded server has kept is not written again`() async throws {
    let cache = try await Self.cache()
    var table = [TableServer.Attribute].headphone
    table.set("05", at: 0x09)
    table.set("0200", at: 0x07)
    table.set("0100", at: Self.event)
    try await withServer(table) { client, server in
      try await client.discover(using: cache, isBonded: true)
      try await client.exchangeMTU()
      let values = try await client.resume(reading: [0x12, Self.event])
      #expect(values[0x12] == hex("45617273686F74"))
      let event = try #require(await client.database.characteristic(.bit16(0xFFF4)))
      let subscription = try await client.subscribe(to: event)
      try await client.watchForServiceChanges()
      #expect(await client.requestCount == 2)
      await server.report("1B 3A00 07")
      #expect(try await subscription.first { _ in true }?.value == [7])
    }
  }

  @Test func `what a bonded server has lost is written`() async throws {
    let cache = try await Self.cache()
    try await withServer(.headphone) { client, server in
      try await client.discover(using: cache, isBonded: true)
      try await client.exchangeMTU()
      _ = try await client.resume(reading: [0x12, Self.event])
      let event = try #require(await client.database.characteristic(.bit16(0xFFF4)))
      _ = try await client.subscribe(to: event)
      try await client.watchForServiceChanges()
      #expect(
        await server.requests.dropFirst(2) == [
          .write(handle: Self.event, value: [1, 0]), .write(handle: 0x09, value: [5]),
          .write(handle: 0x07, value: [2, 0]),
        ])
    }
  }

  @Test func `a bonded server that changed without a word is discovered again`() async throws {
    let cache = try await Self.cache()
    var table = [TableServer.Attribute].headphone
    table[10] = .init(0x000B, 0x2B2A, "FF0102030405060708090A0B0C0D0E0F")
    table.append(.init(0x0040, 0x2800, "0D18"))
    try await withServer(table) { client, _ in
      try await client.discover(using: cache, isBonded: true)
      try await client.exchangeMTU()
      let values = try await client.resume(reading: [0x12])
      #expect(values.isEmpty)
      #expect(await client.database.service(.bit16(0x180D)) != nil)
      #expect(await client.cache?.hash?.bytes.first == 0xFF)
    }
  }

  @Test func `a bonded server that refuses to be read is used all the same`() async throws {
    let cache = try await Self.cache()
    try await withServer(.headphone) { client, server in
      await server.change { $0.errors = [Self.event: .readNotPermitted] }
      try await client.discover(using: cache, isBonded: true)
      #expect(try await client.resume(reading: [0x12, Self.event]).isEmpty)
      #expect(await client.database == cache.database)
    }
  }
}

extension [TableServer.Attribute] {
  fileprivate mutating func set(_ value: String, at handle: UInt16) {
    for index in indices where self[index].handle == handle { self[index].value = hex(value) }
  }
}
