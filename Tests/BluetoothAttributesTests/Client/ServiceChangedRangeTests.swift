import BluetoothAttributes
import BluetoothCodec
import Locking
import Testing

/// Changed ranges that are not whole services, and changes at an inconvenient time.
@Suite struct ServiceChangedRangeTests {
  private typealias Table = [TableServer.Attribute]
  private static let event = BluetoothUUID.bit16(0xFFF4)

  /// Changes the table, sends the indication, and returns after the rediscovery.
  private func change(
    _ table: [TableServer.Attribute], _ indication: String, _ client: GATTClient,
    _ server: TableServer
  ) async throws {
    await server.change {
      $0.attributes = table
      $0.forgetRequests()
    }
    var changes = client.serviceChanges.makeAsyncIterator()
    await server.report(indication)
    _ = try #require(await changes.next())
  }

  private func withWatchingClient(
    _ table: [TableServer.Attribute] = .headphone,
    _ body: @Sendable (GATTClient, TableServer) async throws -> Void
  ) async throws {
    try await withServer(table) { client, server in
      try await client.exchangeMTU()
      try await client.discover(using: nil)
      try await client.watchForServiceChanges()
      try await body(client, server)
    }
  }

  @Test func `a range inside of a service discovers all of that service`() async throws {
    try await withWatchingClient { client, server in
      let event = try #require(await client.database.characteristic(Self.event))
      var values = try await client.subscribe(to: event).makeAsyncIterator()
      let before = await client.database
      try await change(.headphone, "1D 0600 3200 3400", client, server)
      #expect(await client.database == before)
      #expect(await client.cache?.database == before)
      await server.report("1B 3A00 07")
      #expect(try await values.next()?.value == [7])
    }
  }

  @Test func `a service that ends behind the range has all of its characteristics`() async throws {
    var table = Table.headphone.filter { $0.handle < 0x20 || $0.handle > 0x2F }
    table.insert(
      contentsOf: [
        .init(0x0020, 0x2800, "0F18"),
        .init(0x0021, 0x2803, "12 2200 192A"), .init(0x0022, 0x2A19, "50"),
        .init(0x0023, 0x2902, "0000"),
        .init(0x0024, 0x2803, "12 2500 ED2B"), .init(0x0025, 0x2BED, "00"),
        .init(0x0026, 0x2902, "0000"),
      ], at: table.firstIndex { $0.handle > 0x20 } ?? 0)
    let changed = table
    try await withWatchingClient { client, server in
      // It names only the second Battery service, which is gone, and the end of the first.
      try await change(changed, "1D 0600 2400 2C00", client, server)
      let battery = await client.database.services(.bit16(0x180F))
      #expect(battery.map(\.range) == [ATTHandleRange(start: 0x20, end: 0x26)])
      #expect(battery.first?.characteristics.map(\.handle) == [0x22, 0x25])
      try await withServer(changed) { fresh, _ in
        let whole = try await fresh.discoverAll()
        #expect(await client.database == whole)
      }
    }
  }

  @Test func `a service that grew into the range is found`() async throws {
    let grown: Table =
      .headphone + [.init(0x003C, 0x2803, "02 3D00 F6FF"), .init(0x003D, 0xFFF6, "01")]
    try await withWatchingClient { client, server in
      try await change(grown, "1D 0600 3C00 3D00", client, server)
      let control = try #require(await client.database.service(.bit16(0xFFF0)))
      #expect(control.range.end == 0x3D)
      #expect(control.characteristic(.bit16(0xFFF6))?.handle == 0x3D)
      #expect(control.characteristics.count == 5)
    }
  }

  @Test func `services beside the range keep their subscriptions without a request`() async throws {
    try await withWatchingClient { client, server in
      let level = try #require(await client.database.characteristic(handle: 0x2A))
      _ = try await client.subscribe(to: level)
      let moved = Table.headphone.filter { $0.handle < 0x30 }
      try await change(moved, "1D 0600 3000 3B00", client, server)
      #expect(await client.database.services.count == 5)
      #expect(await server.requests.allSatisfy { $0.opcode != .writeRequest })
    }
  }

  @Test func `secondary services that alone are in the range keep their subscriptions`()
    async throws
  {
    // Before all primary services, so that none is discovered beside it.
    let table: Table = [
      .init(0x0001, 0x2801, "F5FE"),
      .init(0x0002, 0x2803, "10 0300 F6FE"), .init(0x0003, 0xFEF6, ""),
      .init(0x0004, 0x2902, "0000"),
      .init(0x0010, 0x2800, "0118"),
      .init(0x0011, 0x2803, "20 1200 052A"), .init(0x0012, 0x2A05, ""),
      .init(0x0013, 0x2902, "0000"),
    ]
    try await withWatchingClient(table) { client, server in
      let event = try #require(await client.database.characteristic(.bit16(0xFEF6)))
      var values = try await client.subscribe(to: event).makeAsyncIterator()
      let before = await client.database
      try await change(table, "1D 1200 0100 0400", client, server)
      #expect(await client.database == before)
      await server.report("1B 0300 07")
      #expect(try await values.next()?.value == [7])
    }
  }

  // MARK: The moment of the indication

  private static let moved: Table =
    Table.headphone.filter { $0.handle < 0x30 } + [
      .init(0x0100, 0x2800, "F0FF"),
      .init(0x0101, 0x2803, "10 0201 F4FF"), .init(0x0102, 0xFFF4, ""),
      .init(0x0103, 0x2902, "0000"),
    ]

  private func cache() async throws -> GATTCache {
    let kept = Mutex<GATTCache?>(nil)
    try await withServer(.headphone) { client, _ in
      try await client.discover(using: nil)
      let cache = await client.cache
      kept.withLock { $0 = cache }
    }
    return try #require(kept.withLock { $0 })
  }

  @Test func `a change that waits when the cache is adopted is taken in`() async throws {
    let cache = try await cache()
    try await withServer(Self.moved) { client, server in
      await server.report("1D 0600 3000 0301")
      try await client.discover(using: cache, isBonded: true)
      try await client.exchangeMTU()
      try await client.servicesSettled()
      #expect(await client.database.characteristic(Self.event)?.handle == 0x0102)
      #expect(await client.cache?.database == client.database)
    }
  }

  @Test func `a change that arrives before the cache is adopted is taken in`() async throws {
    let cache = try await cache()
    let unclaimed = Mutex(0)
    let options = GATTOptions(report: {
      if case .unclaimedValue = $0 { unclaimed.withLock { $0 += 1 } }
    })
    try await withServer(Self.moved, options: options) { client, server in
      await server.report("1D 0600 3000 0301")
      try await client.exchangeMTU()
      try await client.discover(using: cache, isBonded: true)
      #expect(await client.cache == nil)
      try await client.servicesSettled()
      #expect(await client.database.characteristic(Self.event)?.handle == 0x0102)
      #expect(unclaimed.withLock { $0 } == 0)
    }
  }

  @Test func `a change in the middle of the first discovery is taken in`() async throws {
    try await withServer(.headphone) { client, server in
      try await client.exchangeMTU()
      await server.change {
        $0.beforeResponse = { server, request in
          guard case .readByType(.all, .characteristic) = request else { return }
          server.beforeResponse = { _, _ in }
          server.attributes = Self.moved
          await server.report("1D 0600 3000 0301")
        }
      }
      try await client.discover(using: nil)
      try await client.servicesSettled()
      #expect(await client.database.characteristic(Self.event)?.handle == 0x0102)
      #expect(await client.cache?.database == client.database)
    }
  }

  // MARK: Handles that are out of date

  @Test(arguments: [true, false])
  func `a handle that moved is not written to`(withResponse: Bool) async throws {
    try await withWatchingClient { client, server in
      let writes = AsyncStream<Task<Void, any Error>>.makeStream()
      await server.change {
        $0.attributes = Self.moved
        $0.beforeResponse = { server, request in
          guard case .readByGroupType = request else { return }
          server.beforeResponse = { _, _ in }
          let write = Task.immediate {
            if withResponse {
              try await client.write([1], to: 0x35)
            } else {
              try await client.writeWithoutResponse([1], to: 0x35)
            }
          }
          // Behind the write, which thereby waits for the services before they are known.
          _ = await client.database
          writes.continuation.yield(write)
        }
      }
      await server.report("1D 0600 3000 0301")
      var began = writes.stream.makeAsyncIterator()
      let write = try #require(await began.next())
      await #expect(throws: GATTError.servicesChanged) { try await write.value }
      #expect(await server.written.filter { $0 == 0x35 } == [])
    }
  }

  @Test func `a handle that stayed is used when the services are known again`() async throws {
    try await withWatchingClient { client, server in
      await server.change { $0.forgetRequests() }
      await server.report("1D 0600 3200 3500")
      _ = try await client.read(0x03)
      try await client.write([2], to: 0x35)
      let order = await server.requests
      let discovery = order.firstIndex { $0.opcode == .readByGroupTypeRequest }
      let write = order.firstIndex(of: .write(handle: 0x35, value: [2]))
      #expect(try #require(discovery) < #require(write))
    }
  }

  // MARK: Service Changed itself

  @Test func `service changed is subscribed to where it is now`() async throws {
    var table = Table.headphone
    table[4] = .init(0x0005, 0x2803, "02 0600 3A2B")
    table[5] = .init(0x0006, 0x2B3A, "00")
    table[6] = .init(0x0007, 0x2803, "02 0800 292B")
    table[7] = .init(0x0008, 0x2B29, "00")
    table[8] = .init(0x0009, 0x2803, "20 0A00 052A")
    table[9] = .init(0x000A, 0x2A05, "")
    table[10] = .init(0x000B, 0x2902, "0000")
    let changed = table
    try await withWatchingClient { client, server in
      try await change(changed, "1D 0600 0400 0B00", client, server)
      #expect(await server.requests.contains(.write(handle: 0x0B, value: [2, 0])))
      try await change(Self.moved.map { $0 }, "1D 0A00 0100 FFFF", client, server)
      #expect(await client.database.characteristic(Self.event)?.handle == 0x0102)
    }
  }

  @Test func `a database out of sync while a subscription moves is no deadlock`() async throws {
    try await withWatchingClient { client, server in
      let level = try #require(await client.database.characteristic(handle: 0x22))
      _ = try await client.subscribe(to: level)
      await server.change {
        $0.beforeResponse = { server, request in
          guard case .findInformation = request else { return }
          server.beforeResponse = { _, _ in }
          server.nextErrors = [.databaseOutOfSync]
        }
      }
      try await change(.headphone, "1D 0600 2000 2F00", client, server)
      #expect(await server.requests.contains(.write(handle: 0x23, value: [1, 0])))
    }
  }

  @Test func `services that change without end are given up with an error`() async throws {
    let failures = AsyncStream<ATTDiagnostic>.makeStream()
    let options = GATTOptions(report: { failures.continuation.yield($0) })
    try await withServer(.headphone, options: options) { client, server in
      try await client.discover(using: nil)
      try await client.watchForServiceChanges()
      await server.change {
        $0.forgetRequests()
        $0.beforeResponse = { server, request in
          if case .readByGroupType = request { await server.report("1D 0600 3000 3B00") }
        }
      }
      await server.report("1D 0600 3000 3B00")
      var incidents = failures.stream.makeAsyncIterator()
      let error = GATTError.unexpectedResponse("services that change while they are discovered")
      #expect(await incidents.next() == .rediscoveryFailed(error))
      #expect(await server.requests.count < 64)
      await server.change { $0.beforeResponse = { _, _ in } }
      let value = try await client.read(0x35)
      #expect(value == [0])
    }
  }
}
