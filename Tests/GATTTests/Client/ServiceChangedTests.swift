import BluetoothCodec
import GATT
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

  @Test func `only the changed range is discovered again`() async throws {
    try await withServer(.headphone) { client, server in
      try await client.exchangeMTU()
      try await client.discover(using: nil)
      try await client.watchForServiceChanges()
      await server.change {
        $0.attributes = Self.moved
        $0.forgetRequests()
      }
      await server.tell("1D 0600 3000 0301")
      var changes = client.serviceChanges.makeAsyncIterator()
      #expect(await changes.next() == Self.range)
      let control = try #require(await client.database.service(.bit16(0xFFF0)))
      #expect(control.range == ATTHandleRange(start: 0x0100, end: 0x0103))
      #expect(control.characteristic(Self.event)?.handle == 0x0102)
      #expect(await client.database.services.count == 6)
      #expect(
        await server.requests == [
          .readByType(.all, type: .databaseHash),
          .readByGroupType(Self.range, type: .primaryService),
          .readByType(Self.range, type: .characteristic),
          .readByType(ATTHandleRange(start: 0x0102, end: 0x0103), type: .characteristic),
        ])
      #expect(await client.cache?.database == client.database)
    }
  }

  @Test func `a subscription follows its characteristic`() async throws {
    try await withServer(.headphone) { client, server in
      try await client.discover(using: nil)
      try await client.watchForServiceChanges()
      let event = try #require(await client.database.characteristic(Self.event))
      var values = try await client.subscribe(to: event).makeAsyncIterator()
      await server.change { $0.attributes = Self.moved }
      await server.tell("1D 0600 3000 0301")
      var changes = client.serviceChanges.makeAsyncIterator()
      _ = await changes.next()
      #expect(await server.requests.contains(.write(handle: 0x0103, value: [1, 0])))
      await server.tell("1B 0201 0700")
      #expect(try await values.next()?.value == [7, 0])
    }
  }

  @Test func `a subscription to what is gone ends and says so`() async throws {
    try await withServer(.headphone) { client, server in
      try await client.discover(using: nil)
      try await client.watchForServiceChanges()
      let event = try #require(await client.database.characteristic(Self.event))
      var values = try await client.subscribe(to: event).makeAsyncIterator()
      await server.change { server in server.attributes.removeAll { $0.handle >= 0x30 } }
      await server.tell("1D 0600 3000 FFFF")
      await #expect(throws: GATTError.servicesChanged) { try await values.next() }
    }
  }

  @Test(arguments: ["1D 0600", "1D 0600 3000", "1D 0600 3100 3000"])
  func `a malformed service changed is reported and changes nothing`(pdu: String) async throws {
    try await withServer(.headphone) { client, server in
      try await client.discover(using: nil)
      let before = await client.cache
      await server.tell(pdu)
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

  @Test func `an out of sync handle that means something else now is not used`() async throws {
    try await withServer(.headphone) { client, server in
      try await client.discover(using: nil)
      await server.change {
        $0.attributes = Self.moved
        $0.attributes[10] = .init(0x000B, 0x2B2A, "FF0102030405060708090A0B0C0D0E0F")
        $0.nextErrors = [.databaseOutOfSync]
        $0.forgetRequests()
      }
      let refusal = ATTErrorResponse(opcode: .writeRequest, handle: 0, code: .databaseOutOfSync)
      await #expect(throws: GATTError.att(refusal)) { try await client.write([1], to: 0x32) }
      #expect(await server.requests.filter { $0.opcode == .writeRequest }.count == 1)
    }
  }

  @Test func `an out of sync error during a discovery is repeated not waited for`() async throws {
    try await withServer(.headphone) { client, server in
      await server.change { $0.nextErrors = [.databaseOutOfSync] }
      let services = try await client.discoverServices()
      #expect(services.count == 6)
    }
  }
}
