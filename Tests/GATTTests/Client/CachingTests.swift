import BluetoothCodec
import GATT
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
      let source = try await client.discover(using: cache)
      #expect(source == .cacheWithSameHash)
      #expect(await client.requestCount == 1)
      #expect(await client.database == cache.database)
      #expect(await client.cache == cache)
    }
  }

  @Test func `a bonded server's cache costs nothing`() async throws {
    let cache = try await Self.cache()
    try await withServer(.headphone) { client, _ in
      let source = try await client.discover(using: cache, isBonded: true)
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
      let source = try await client.discover(using: cache) { phase in
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
      let source = try await client.discover(using: cache)
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
}
