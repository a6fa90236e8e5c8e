import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import Testing

@Suite struct ManyValuesTests {
  private static let handles: [UInt16] = [0x12, 0x14, 0x16, 0x22, 0x2A, 0x32, 0x35]
  private static let values: [UInt16: Bytes] = [
    0x12: hex("45617273686F74"), 0x14: hex("4175726F7261"), 0x16: hex("312E322E33"),
    0x22: [0x50], 0x2A: [0x4B], 0x32: [1], 0x35: [0],
  ]

  private func expectAll(_ results: [UInt16: Result<Bytes, GATTError>]) {
    for handle in Self.handles { #expect(results[handle] == .success(Self.values[handle] ?? [])) }
    #expect(results.count == Self.handles.count)
  }

  @Test func `all values come in one request`() async throws {
    try await withServer(.headphone) { client, server in
      try await client.exchangeMTU()
      expectAll(try await client.readValues(Self.handles))
      #expect(await server.requests.dropFirst() == [.readMultipleVariable(handles: Self.handles)])
    }
  }

  @Test func `a small MTU takes more requests and loses nothing`() async throws {
    try await withServer(.headphone, mtu: 23) { client, _ in
      expectAll(try await client.readValues(Self.handles))
      #expect(await client.requestCount < Self.handles.count)
    }
  }

  @Test func `a value longer than a PDU is read whole`() async throws {
    let long = Bytes((0..<200).map { UInt8($0) })
    let table: [TableServer.Attribute] = [
      .init(3, .bit16(0x2A00), long), .init(5, .bit16(0x2A24), hex("4142")),
    ]
    try await withServer(table, mtu: 23) { client, _ in
      let results = try await client.readValues([3, 5])
      #expect(results == [3: .success(long), 5: .success(hex("4142"))])
    }
  }

  @Test func `a server without read multiple variable is asked once`() async throws {
    try await withServer(.headphone) { client, server in
      await server.change { $0.unsupported = [.readMultipleVariableRequest] }
      try await client.exchangeMTU()
      try await client.discoverAll()
      await server.forgetRequests()
      expectAll(try await client.readValues(Self.handles))
      let requests = await server.requests
      // Both battery levels are one Read By Type.
      #expect(requests.count == 7)
      #expect(
        requests.contains(
          .readByType(ATTHandleRange(start: 0x22, end: 0x2A), type: .bit16(0x2A19))))
      _ = try await client.readValues([0x32, 0x35])
      #expect(await server.requests.filter { $0.opcode == .readMultipleVariableRequest }.count == 1)
    }
  }

  @Test func `one that cannot be read is an error and the others are read`() async throws {
    try await withServer(.headphone) { client, server in
      await server.change { $0.errors = [0x22: .readNotPermitted] }
      try await client.exchangeMTU()
      var results = try await client.readValues(Self.handles)
      let refusal = ATTErrorResponse(
        opcode: .readMultipleVariableRequest, handle: 0x22, code: .readNotPermitted)
      #expect(results[0x22] == .failure(.att(refusal)))
      results[0x22] = .success([0x50])
      expectAll(results)
      #expect(await client.requestCount == 3)
    }
  }

  @Test func `the link's end is the error of the whole`() async throws {
    try await withClient(script: [.expectsAnything, .hangsUp]) { client in
      await #expect(throws: GATTError.closed(BearerClosed(.peer))) {
        try await client.readValues([3, 4])
      }
    }
  }

  @Test func `values of known length come together`() async throws {
    try await withClient(script: [.expects("0E 0300 0500"), .says("0F 0102")]) { client in
      let values = try await client.readMultiple([3, 5])
      #expect(values == [1, 2])
    }
  }

  @Test(arguments: [[], [ATTOpcode.readMultipleVariableRequest]])
  func `a pairing that is refused takes away only what is protected`(
    unsupported: [ATTOpcode]
  ) async throws {
    let hooks = LinkCallbacks(
      raiseSecurity: { (_, _) throws(SecurityFailure) in throw .refused })
    try await withServer(.headphone, hooks: hooks) { client, server in
      await server.change {
        $0.unsupported = Set(unsupported)
        $0.errors = [0x22: .insufficientEncryption]
      }
      try await client.exchangeMTU()
      try await client.discoverAll()
      var results = try await client.readValues(Self.handles)
      #expect(results.removeValue(forKey: 0x22) == .failure(.security(.refused)))
      #expect(results.count == Self.handles.count - 1)
      for (handle, result) in results { #expect(result == .success(Self.values[handle] ?? [])) }
    }
  }
}
