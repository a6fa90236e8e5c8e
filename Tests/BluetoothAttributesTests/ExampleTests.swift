import BluetoothAttributes
import BluetoothCodec
import Testing

/// The examples in the documentation of the main types, compiled and run.
@Suite struct ExampleTests {
  @Test func `the example of the engine`() {
    var engine = ATTEngine()
    let id = ATTRequestID(rawValue: 1)
    let sent = engine.send(.read(handle: 3), as: id, at: .zero)
    #expect(sent == [.transmit([0x0A, 0x03, 0x00])])
    let received = engine.receive([0x0B, 0x64], at: .milliseconds(30))
    #expect(received == [.complete(id, .success(.read(value: [0x64])))])
  }

  @Test func `the example of the client`() async throws {
    try await withServer(.headphone) { client, server in
      try await client.exchangeMTU()
      try await client.discover(using: nil)
      let level = try #require(await client.database.characteristic(.bit16(0x2A19)))
      let value = try await client.read(level.handle)
      #expect(value == [80])
      var changes: [Bytes] = []
      let subscription = try await client.subscribe(to: level)
      await server.report("1B 2200 4F")
      for try await change in subscription {
        changes.append(change.value)
        break
      }
      #expect(changes == [[79]])
      await client.close()
    }
  }
}
