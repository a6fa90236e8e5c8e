import BluetoothAttributes
import BluetoothCodec
import Locking
import Testing

@Suite struct ServiceChangedTests {
  private static let event = BluetoothUUID.bit16(0xFFF4)

  /// The headphone with its control service moved to 0x0100.
  private static let moved: [TableServer.Attribute] =
    [TableServer.Attribute].headphone.filter { $0.handle < 0x30 } + [
      .init(0x0100, 0x2800, "F0FF"),
      .init(0x0101, 0x2803, "10 0201 F4FF"), .init(0x0102, 0xFFF4, ""),
      .init(0x0103, 0x2902, "0000"),
    ]

  private static let range = ATTHandleRange(start: 0x0030, end: 0x0103)

  /// The range to discover, which includes the service before it, as that may reach into the range.
  private static let asked = ATTHandleRange(start: 0x0028, end: 0x0103)

  @Test func `only the changed range is discovered again`() async throws {
    try await withServer(.headphone) { client, server in
      try await client.exchangeMTU()
      try await client.discover(using: nil)
      try await client.watchForServiceChanges()
      await server.change {
        $0.attributes = Self.moved
        $0.forgetRequests()
      }
      await server.report("1D 0600 3000 0301")
      var changes = client.serviceChanges.makeAsyncIterator()
      #expect(await changes.next() == Self.range)
      let control = try #require(await client.database.service(.bit16(0xFFF0)))
      #expect(control.range == ATTHandleRange(start: 0x0100, end: 0x0103))
      #expect(control.characteristic(Self.event)?.handle == 0x0102)
      #expect(await client.database.services.count == 6)
      #expect(
        await server.requests == [
          .readByType(.all, type: .databaseHash),
          .readByGroupType(Self.asked, type: .primaryService),
          .readByType(Self.asked, type: .characteristic),
          .readByType(ATTHandleRange(start: 0x0102, end: 0x0103), type: .characteristic),
        ])
      #expect(await client.cache?.database == client.database)
    }
  }

  @Test func `what is indicated on purpose is indicated where it has moved`() async throws {
    try await withServer(.headphone) { client, server in
      try await client.discover(using: nil)
      try await client.watchForServiceChanges()
      var event = try #require(await client.database.characteristic(Self.event))
      event.properties = .indicate
      try await client.subscribe(to: event) { _ in }
      await server.change { server in
        server.attributes = Self.moved.map {
          $0.handle == 0x0101 ? .init(0x0101, 0x2803, "30 0201 F4FF") : $0
        }
      }
      await server.report("1D 0600 3000 0301")
      var changes = client.serviceChanges.makeAsyncIterator()
      _ = await changes.next()
      #expect(await server.requests.contains(.write(handle: 0x0103, value: [2, 0])))
    }
  }

  @Test func `a delivery that has ended receives nothing, wherever the services move`() async throws
  {
    try await withServer(.headphone) { client, server in
      try await client.discover(using: nil)
      try await client.watchForServiceChanges()
      let event = try #require(await client.database.characteristic(Self.event))
      let received = Mutex<[Result<Bytes, GATTError>]>([])
      let delivery = try await client.subscribe(to: event) { value in
        received.withLock { $0.append(value) }
      }
      await client.end(delivery)
      await server.change { $0.attributes = Self.moved }
      await server.report("1D 0600 3000 0301")
      var changes = client.serviceChanges.makeAsyncIterator()
      _ = await changes.next()
      var values = try await client.subscribe(
        to: try #require(await client.database.characteristic(Self.event))
      ).makeAsyncIterator()
      await server.report("1B 0201 0700")
      #expect(try await values.next()?.value == [7, 0])
      #expect(received.withLock(\.count) == 0)
    }
  }

  @Test func `a subscription follows its characteristic`() async throws {
    try await withServer(.headphone) { client, server in
      try await client.discover(using: nil)
      try await client.watchForServiceChanges()
      let event = try #require(await client.database.characteristic(Self.event))
      var values = try await client.subscribe(to: event).makeAsyncIterator()
      await server.change { $0.attributes = Self.moved }
      await server.report("1D 0600 3000 0301")
      var changes = client.serviceChanges.makeAsyncIterator()
      _ = await changes.next()
      #expect(await server.requests.contains(.write(handle: 0x0103, value: [1, 0])))
      await server.report("1B 0201 0700")
      #expect(try await values.next()?.value == [7, 0])
    }
  }

  /// The control service with the handles of its two values exchanged.
  private static let exchanged: [TableServer.Attribute] =
    [TableServer.Attribute].headphone.filter { $0.handle <= 0x30 } + [
      .init(0x0031, 0x2803, "1A 3200 F2FF"), .init(0x0032, 0xFFF2, "00"),
      .init(0x0033, 0x2902, "0000"),
      .init(0x0034, 0x2803, "1A 3500 F1FF"), .init(0x0035, 0xFFF1, "01"),
      .init(0x0036, 0x2902, "0000"),
    ]

  @Test func `subscriptions that change places lose nothing`() async throws {
    try await withServer(.headphone) { client, server in
      try await client.discover(using: nil)
      try await client.watchForServiceChanges()
      let database = await client.database
      let first = try #require(database.characteristic(.bit16(0xFFF1)))
      let second = try #require(database.characteristic(.bit16(0xFFF2)))
      var firsts = try await client.subscribe(to: first).makeAsyncIterator()
      var seconds = try await client.subscribe(to: second).makeAsyncIterator()
      await server.change {
        $0.attributes = Self.exchanged
        $0.forgetRequests()
      }
      await server.report("1D 0600 3000 3600")
      var changes = client.serviceChanges.makeAsyncIterator()
      _ = await changes.next()
      let written = await server.requests.filter { $0.opcode == .writeRequest }
      #expect(
        Set(written) == [
          .write(handle: 0x33, value: [1, 0]), .write(handle: 0x36, value: [1, 0]),
        ])
      await server.report("1B 3200 02")
      await server.report("1B 3500 01")
      #expect(try await firsts.next()?.value == [1])
      #expect(try await seconds.next()?.value == [2])
    }
  }

  @Test func `a range that could not be discovered is discovered with the next`() async throws {
    let failures = AsyncStream<ATTDiagnostic>.makeStream()
    let options = GATTOptions(report: { failures.continuation.yield($0) })
    try await withServer(.headphone, options: options) { client, server in
      try await client.discover(using: nil)
      try await client.watchForServiceChanges()
      var changes = client.serviceChanges.makeAsyncIterator()
      await server.change { $0.unsupported = [.readByGroupTypeRequest] }
      await server.report("1D 0600 2000 2F00")
      _ = await changes.next()
      let refusal = ATTErrorResponse(
        opcode: .readByGroupTypeRequest, handle: 0, code: .requestNotSupported)
      var incidents = failures.stream.makeAsyncIterator()
      #expect(await incidents.next() == .rediscoveryFailed(.att(refusal)))
      await server.change { $0.unsupported = [] }
      #expect(await client.cache == nil)
      await server.forgetRequests()
      await server.report("1D 0600 3000 FFFF")
      _ = await changes.next()
      #expect(await client.cache?.database == client.database)
      let asked = ATTHandleRange(start: 0x0010, end: 0xFFFF)
      #expect(await server.requests.contains(.readByGroupType(asked, type: .primaryService)))
    }
  }

  @Test func `a range that could not be discovered is discovered by the next request for it`()
    async throws
  {
    try await withServer(.headphone) { client, server in
      try await client.discover(using: nil)
      try await client.watchForServiceChanges()
      var changes = client.serviceChanges.makeAsyncIterator()
      await server.change { $0.unsupported = [.readByGroupTypeRequest] }
      await server.report("1D 0600 2000 2F00")
      _ = await changes.next()
      await #expect(throws: GATTError.self) { try await client.read(0x22) }
      #expect(await !server.requests.contains(.read(handle: 0x22)))
      await server.change { $0.unsupported = [] }
      let value = try await client.read(0x22)
      #expect(value == [0x50])
    }
  }

  @Test func `a subscription to what is gone ends and says so`() async throws {
    try await withServer(.headphone) { client, server in
      try await client.discover(using: nil)
      try await client.watchForServiceChanges()
      let event = try #require(await client.database.characteristic(Self.event))
      var values = try await client.subscribe(to: event).makeAsyncIterator()
      await server.change { server in server.attributes.removeAll { $0.handle >= 0x30 } }
      await server.report("1D 0600 3000 FFFF")
      await #expect(throws: GATTError.servicesChanged) { try await values.next() }
    }
  }

  @Test(arguments: ["1D 0600", "1D 0600 3000", "1D 0600 3100 3000"])
  func `a malformed service changed is reported and changes nothing`(pdu: String) async throws {
    try await withServer(.headphone) { client, server in
      try await client.discover(using: nil)
      let before = await client.cache
      await server.report(pdu)
      _ = try await client.read(3)
      #expect(await client.cache == before)
      #expect(before != nil)
    }
  }

  @Test func `an out of sync database with the same hash repeats the request`() async throws {
    try await withServer(.headphone) { client, server in
      try await client.discover(using: nil)
      await server.change {
        $0.nextErrors = [.databaseOutOfSync]
        $0.forgetRequests()
      }
      let value = try await client.read(0x22)
      #expect(value == [0x50])
      #expect(
        await server.requests == [
          .read(handle: 0x22), .readByType(.all, type: .databaseHash), .read(handle: 0x22),
        ])
    }
  }

  @Test func `an out of sync database that is elsewhere the same repeats the request`() async throws
  {
    try await withServer(.headphone) { client, server in
      try await client.discover(using: nil)
      await server.change {
        $0.attributes = Self.moved
        $0.attributes[10] = .init(0x000B, 0x2B2A, "FF0102030405060708090A0B0C0D0E0F")
        $0.nextErrors = [.databaseOutOfSync]
      }
      let value = try await client.read(0x22)
      #expect(value == [0x50])
      #expect(await client.database.characteristic(Self.event)?.handle == 0x0102)
      #expect(await client.cache?.hash?.bytes.first == 0xFF)
    }
  }

  @Test(arguments: [true, false])
  func `an out of sync descriptor is used where it is still that`(isThere: Bool) async throws {
    try await withServer(.headphone) { client, server in
      try await client.discover(using: nil)
      let level = try #require(await client.database.characteristic(handle: 0x22))
      _ = try await client.discoverDescriptors(of: [level])
      await server.change { server in
        server.attributes[10] = .init(0x000B, 0x2B2A, "FF0102030405060708090A0B0C0D0E0F")
        if !isThere, let place = server.attributes.firstIndex(where: { $0.handle == 0x24 }) {
          server.attributes[place].type = .bit16(0x2901)
        }
        server.nextErrors = [.databaseOutOfSync]
      }
      if isThere {
        let format = try await client.read(0x24)
        #expect(format == hex("04 00 AD27 01 0D01"))
      } else {
        await #expect(throws: GATTError.servicesChanged) { try await client.read(0x24) }
      }
    }
  }

  @Test func `an out of sync handle that means something else now is not used`() async throws {
    try await withServer(.headphone) { client, server in
      try await client.discover(using: nil)
      await server.change {
        $0.attributes = Self.moved
        $0.attributes[10] = .init(0x000B, 0x2B2A, "FF0102030405060708090A0B0C0D0E0F")
        $0.nextErrors = [.databaseOutOfSync]
        $0.forgetRequests()
      }
      await #expect(throws: GATTError.servicesChanged) { try await client.write([1], to: 0x32) }
      #expect(await server.requests.filter { $0.opcode == .writeRequest }.count == 1)
    }
  }

  @Test func `parts that were prepared before a change are not committed after it`() async throws {
    try await withClient(
      script: [
        .expects("16 0300 0000 AA"), .says("17 0300 0000 AA"),
        .expects("18 01"), .says("01 18 0000 12"),
        .expects("08 0100 FFFF 2A2B"), .says("01 08 0100 0A"),
        .expects("10 0100 FFFF 0028"), .says("01 10 0100 0A"),
        .expects("08 0100 FFFF 0328"), .says("01 08 0100 0A"),
        .expects("18 00"), .says("19"),
      ]
    ) { client in
      let refusal = ATTErrorResponse(
        opcode: .executeWriteRequest, handle: 0, code: .databaseOutOfSync)
      await #expect(throws: GATTError.att(refusal)) {
        try await client.writeLong([0xAA], to: 3)
      }
    }
  }

  @Test(arguments: [1, 3])
  func `a discovery is repeated after each out of sync error`(count: Int) async throws {
    try await withServer(.headphone) { client, server in
      await server.change { $0.nextErrors = Array(repeating: .databaseOutOfSync, count: count) }
      let services = try await client.discoverServices()
      #expect(services.count == 6)
    }
  }
}
