import BluetoothAttributes
import BluetoothCodec
import Testing

@Suite struct ReadingTests {
  @Test func `a short value takes one request`() async throws {
    try await withClient(script: [.expects("0A 0300"), .says("0B 64")]) { client in
      let value = try await client.read(3)
      #expect(value == [100])
      #expect(await client.requestCount == 1)
    }
  }

  @Test func `a value that fills the PDU is read on to its end`() async throws {
    let full = String(repeating: "AB", count: 22)
    try await withClient(
      script: [
        .expects("0A 0300"), .says("0B" + full),
        .expects("0C 0300 1600"), .says("0D" + full),
        .expects("0C 0300 2C00"), .says("0D 01"),
      ]
    ) { client in
      let value = try await client.read(3)
      #expect(value == hex(full + full + "01"))
    }
  }

  @Test(arguments: ["0B", "07"])
  func `a value of exactly one PDU ends with attribute not long or invalid offset`(code: String)
    async throws
  {
    let full = String(repeating: "AB", count: 22)
    try await withClient(
      script: [
        .expects("0A 0300"), .says("0B" + full),
        .expects("0C 0300 1600"), .says("01 0C 0300" + code),
      ]
    ) { client in
      let value = try await client.read(3)
      #expect(value == hex(full))
    }
  }

  @Test(arguments: [23, 100, 517] as [UInt16])
  func `a value is never longer than 512 bytes`(mtu: UInt16) async throws {
    let value = Bytes((0..<600).map { UInt8(truncatingIfNeeded: $0) })
    let table = [TableServer.Attribute(3, .bit16(0x2A00), value)]
    try await withServer(table, mtu: mtu) { client, _ in
      try await client.exchangeMTU()
      let read = try await client.read(3)
      #expect(read == value.prefix(512))
      let whole = try await client.readLong(3)
      #expect(whole == value.prefix(512))
      let rest = try await client.readLong(3, from: 500)
      #expect(rest == value[500..<512])
      let byType = try await client.read(.bit16(0x2A00)).map(\.value)
      #expect(byType == [value.prefix(512)])
      let values = try await client.readValues([3, 3])
      #expect(try values[3]?.get() == value.prefix(512))
    }
  }

  @Test func `a failed read is an error never an empty value`() async throws {
    try await withClient(script: [.expects("0A 0300"), .says("01 0A 0300 02")]) { client in
      let refusal = ATTErrorResponse(opcode: .readRequest, handle: 3, code: .readNotPermitted)
      await #expect(throws: GATTError.att(refusal)) { try await client.read(3) }
    }
  }
}
