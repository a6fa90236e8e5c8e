import BluetoothAttributes
import BluetoothCodec
import Testing

@Suite struct DiscoveryTests {
  private static let batteryLevel = BluetoothUUID.bit16(0x2A19)
  private static let event = BluetoothUUID.bit16(0xFFF4)

  @Test func `a headphone's structure takes a few requests at a large MTU`() async throws {
    try await withServer(.headphone) { client, server in
      try await client.exchangeMTU()
      let database = try await client.discoverAll()
      let services = database.services.map(\.uuid.description)
      #expect(services == ["1800", "1801", "180A", "180F", "180F", "FFF0"])
      #expect(database.services.map(\.range.start) == [1, 4, 0x10, 0x20, 0x28, 0x30])
      #expect(await client.requestCount == 5)
      #expect(
        await server.requests == [
          .exchangeMTU(clientMTU: 517),
          .readByGroupType(.all, type: .primaryService),
          .readByGroupType(ATTHandleRange(start: 0x3C, end: 0xFFFF), type: .primaryService),
          .readByType(.all, type: .characteristic),
          .readByType(ATTHandleRange(start: 0x3A, end: 0xFFFF), type: .characteristic),
        ])
    }
  }

  @Test func `the smallest MTU finds the same`() async throws {
    try await withServer(.headphone, mtu: 517) { large, _ in
      try await large.exchangeMTU()
      let expected = try await large.discoverAll()
      try await withServer(.headphone, mtu: 23) { small, _ in
        try await small.exchangeMTU()
        let found = try await small.discoverAll()
        #expect(found == expected)
        #expect(await small.mtu == 23)
      }
    }
  }

  @Test func `a characteristic has its end its properties and what can be inferred`() async throws {
    try await withServer(.headphone) { client, _ in
      let database = try await client.discoverAll()
      let event = try #require(database.characteristic(Self.event))
      #expect(event.properties.names == ["notify"])
      // One place, and it can notify: that is its client configuration.
      #expect(event.descriptors == [Descriptor(uuid: .clientConfiguration, handle: 0x3B)])
      let command = try #require(database.characteristic(.bit16(0xFFF3)))
      #expect(command.descriptors == [])
      #expect("\(command.properties)" == "write without response, write")
      let levels = database.services(.bit16(0x180F)).compactMap {
        $0.characteristic(Self.batteryLevel)
      }
      #expect(levels.map(\.handle) == [0x22, 0x2A])
      #expect(levels.map(\.end) == [0x24, 0x2C])
      #expect(levels.map(\.descriptors) == [nil, nil])
    }
  }

  @Test func `the descriptors of several characteristics take one sweep`() async throws {
    try await withServer(.headphone) { client, server in
      try await client.exchangeMTU()
      let database = try await client.discoverAll()
      let levels = database.services.compactMap { $0.characteristic(Self.batteryLevel) }
      await server.forgetRequests()
      let found = try await client.discoverDescriptors(of: levels)
      #expect(
        await server.requests == [.findInformation(ATTHandleRange(start: 0x23, end: 0x2C))])
      #expect(found[0x22]?.map(\.handle) == [0x23, 0x24])
      #expect(found[0x2A]?.map(\.uuid) == [.clientConfiguration, .presentationFormat])
      #expect(await client.database.characteristic(handle: 0x2A)?.descriptors == found[0x2A])
    }
  }

  @Test func `a single last descriptor is not missed`() async throws {
    let table: [TableServer.Attribute] = [
      .init(1, 0x2800, "0F18"), .init(2, 0x2803, "02 0300 192A"), .init(3, 0x2A19, "64"),
      .init(4, 0x2904, "04 00 AD27 01 0D01"),
    ]
    try await withServer(table) { client, _ in
      let database = try await client.discoverAll()
      let level = try #require(database.characteristic(Self.batteryLevel))
      let found = try await client.discoverDescriptors(of: [level])
      #expect(found[3] == [Descriptor(uuid: .presentationFormat, handle: 4)])
    }
  }

  @Test func `services of one type are found alone`() async throws {
    try await withServer(.headphone) { client, server in
      let found = try await client.discoverServices(.bit16(0x180F))
      #expect(found.map(\.range.start) == [0x20, 0x28])
      // The last page is empty.
      #expect(await server.requests.count == 2)
    }
  }

  @Test func `long types of services characteristics and includes are read`() async throws {
    let control = try #require(BluetoothUUID("12345678-1234-5678-1234-56789ABCDEF0"))
    let mode = try #require(BluetoothUUID("12345678-1234-5678-1234-56789ABCDEF1"))
    let table: [TableServer.Attribute] = [
      .init(1, 0x2800, "0F18"), .init(2, 0x2802, "0800 0B00"), .init(3, 0x2802, "0600 0700 0A18"),
      .init(6, 0x2800, "0A18"), .init(7, 0x2803, "02 0700 292A"),
      .init(8, .primaryService, Bytes(control.littleEndianBytes)),
      .init(9, .characteristic, hex("0A 0A00") + mode.littleEndianBytes),
      .init(10, mode, hex("01")), .init(11, 0x2901, "41"),
    ]
    try await withServer(table) { client, _ in
      let services = try await client.discoverServices()
      #expect(services.map(\.uuid) == [.bit16(0x180F), .bit16(0x180A), control])
      let battery = try #require(services.first)
      let included = try await client.discoverIncludedServices(of: battery)
      #expect(included.map(\.uuid) == [control, .bit16(0x180A)])
      #expect(included.map(\.range.end) == [11, 7])
      #expect(await client.database.services.first?.includedServices == included)
    }
  }

  /// The Battery service with all types in 128 bits, as a server may have it.
  private static let longForms: [TableServer.Attribute] = [
    .init(1, .primaryService, Bytes(BluetoothUUID.bit16(0x180F).longLittleEndianBytes)),
    .init(
      2, .characteristic, hex("02 0300") + BluetoothUUID.bit16(0x2A19).longLittleEndianBytes),
    .init(3, 0x2A19, "64"),
    .init(4, 0x2800, "0A18"),
    .init(5, .primaryService, Bytes(BluetoothUUID.bit16(0x180F).longLittleEndianBytes)),
  ]

  @Test func `types that a server stores in 128 bits are the same types`() async throws {
    try await withServer(Self.longForms) { client, _ in
      let database = try await client.discoverAll()
      #expect(database.services(.bit16(0x180F)).count == 2)
      #expect(database.characteristic(Self.batteryLevel)?.handle == 3)
      let values = try await client.read(Self.batteryLevel).map(\.value)
      #expect(values == [[100]])
    }
  }

  @Test func `services of one type are found in either form`() async throws {
    try await withServer(Self.longForms) { client, server in
      let found = try await client.discoverServices(.bit16(0x180F))
      #expect(found.map(\.range.start) == [1, 5])
      let long = try #require(BluetoothUUID("0000180F-0000-1000-8000-00805F9B34FB"))
      let again = try await client.discoverServices(long)
      #expect(again == found)
    }
  }

  @Test func `secondary services are found where there are some`() async throws {
    let table: [TableServer.Attribute] = [
      .init(1, 0x2800, "0F18"), .init(2, 0x2802, "0400 0600 0A18"),
      .init(4, 0x2801, "0A18"), .init(5, 0x2803, "02 0600 292A"), .init(6, 0x2A29, "41"),
      .init(7, 0x2800, "F0FF"), .init(8, 0x2803, "02 0900 F1FF"), .init(9, 0xFFF1, "01"),
    ]
    try await withServer(table) { client, server in
      let database = try await client.discoverAll()
      #expect(database.services.map(\.uuid) == [.bit16(0x180F), .bit16(0x180A), .bit16(0xFFF0)])
      #expect(database.services.map(\.isPrimary) == [true, false, true])
      let maker = try #require(database.service(.bit16(0x180A))?.characteristics.first)
      let value = try await client.read(maker.handle)
      #expect(value == [0x41])
      let battery = try #require(database.services.first)
      let included = try await client.discoverIncludedServices(of: battery)
      #expect(included.map(\.range) == [ATTHandleRange(start: 4, end: 6)])
    }
    try await withServer(.headphone) { client, server in
      try await client.discoverAll()
      #expect(
        await server.requests.allSatisfy {
          if case .readByGroupType(_, .secondaryService) = $0 { false } else { true }
        })
    }
  }

  @Test func `a server with one attribute on a page is given up with an error`() async throws {
    let services = (1...600).map { TableServer.Attribute($0, 0x2800, "0F18") }
    try await withServer(services) { client, server in
      await server.change { $0.pageLimit = 1 }
      let limit = GATTClient.longestList
      await #expect(throws: GATTError.listTooLong(.readByGroupTypeRequest, requests: limit)) {
        try await client.discoverAll()
      }
      #expect(await client.requestCount == limit)
      #expect(await client.cache == nil)
    }
  }

  @Test func `two equal characteristics do not collide`() async throws {
    let table: [TableServer.Attribute] = [
      .init(1, 0x2800, "0F18"), .init(2, 0x2803, "02 0300 192A"), .init(3, 0x2A19, "01"),
      .init(4, 0x2803, "02 0500 192A"), .init(5, 0x2A19, "02"),
    ]
    try await withServer(table) { client, _ in
      let service = try #require(try await client.discoverAll().services.first)
      #expect(service.characteristics.map(\.handle) == [3, 5])
      let values = try await client.read(Self.batteryLevel)
      #expect(values.map(\.value) == [[1], [2]])
    }
  }

  @Test func `an empty server has an empty database`() async throws {
    try await withServer([]) { client, _ in
      let database = try await client.discoverAll()
      #expect(database == Database())
    }
  }

  @Test func `a discovery that fails is an error never an empty list`() async throws {
    try await withServer(.headphone) { client, server in
      await server.change { $0.nextErrors = [.unlikelyError] }
      let refusal = ATTErrorResponse(
        opcode: .readByGroupTypeRequest, handle: 0, code: .unlikelyError)
      await #expect(throws: GATTError.att(refusal)) { try await client.discoverServices() }
    }
  }

  @Test(arguments: [
    // The same handle again, one before the range, an end before its start.
    ["11 06 0100 0300 0018 0100 0300 0018"], ["11 06 0500 0600 0018", "11 06 0100 0200 0018"],
    ["11 06 0500 0400 0018"], ["11 04 0100 0200"], ["0B 01"],
  ])
  func `a server cannot make a discovery loop`(answers: [String]) async throws {
    let steps = answers.flatMap { [ScriptedPeer.Step.expectsAnything, .says($0)] }
    try await withClient(script: steps + [.hangsUp]) { client in
      await #expect(throws: GATTError.self) { try await client.discoverServices() }
    }
  }

  @Test func `a discovery ends at the last handle`() async throws {
    try await withClient(
      script: [.expects("10 0100 FFFF 0028"), .says("11 06 0100 FFFF 0018")]
    ) { client in
      let services = try await client.discoverServices()
      #expect(services.map(\.range) == [.all])
    }
  }
}
