import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Locking
import Testing

@Suite struct SubscriptionTests {
  private func characteristic(
    _ properties: CharacteristicProperties,
    descriptors: [Descriptor]? = [
      Descriptor(uuid: .clientConfiguration, handle: 4)
    ]
  ) -> Characteristic {
    Characteristic(
      uuid: .bit16(0xFFF4), properties: properties, declaration: 2, handle: 3, end: 4,
      descriptors: descriptors)
  }

  @Test(
    arguments: [
      ([.notify], "0100"), ([.indicate], "0200"), ([.notify, .indicate], "0100"),
    ] as [(CharacteristicProperties, String)])
  func `notifications are preferred and indications taken where there are only those`(
    properties: CharacteristicProperties, bits: String
  ) async throws {
    try await withClient(script: [.expects("12 0400" + bits), .says("13")]) { client in
      _ = try await client.subscribe(to: characteristic(properties))
    }
  }

  @Test func `what follows asking does not wait for the answer`() async throws {
    try await withClient(
      script: [.expects("12 0400 0100"), .expects("52 0600 07"), .says("1B 0300 01"), .says("13")]
    ) { client in
      var values = await client.values(of: 3).makeAsyncIterator()
      let answer = try await client.ask(for: characteristic([.notify]))
      try await client.writeWithoutResponse([7], to: 6)
      #expect(try await values.next()?.value == [1])
      try await answer.value.get()
    }
  }

  @Test func `values are delivered before the answer that follows them, and the end at last`()
    async throws
  {
    let delivered = Mutex<[Result<Bytes, GATTError>]>([])
    try await withClient(
      script: [
        .expects("12 0400 0100"), .says("1B 0300 01"), .says("13"), .expects("0A 0100"),
        .says("1B 0300 02"), .says("0B 00"),
      ]
    ) { client in
      try await client.subscribe(to: characteristic([.notify])) { value in
        delivered.withLock { $0.append(value) }
      }
      #expect(delivered.withLock { $0 } == [.success([1])])
      _ = try await client.read(1)
      #expect(delivered.withLock { $0 } == [.success([1]), .success([2])])
      await client.close()
      #expect(delivered.withLock { $0.last } == .failure(.closed(BearerClosed(.user))))
    }
  }

  @Test func `what cannot notify is not subscribed to`() async throws {
    try await withClient(script: []) { client in
      await #expect(throws: GATTError.notSupported("notify or indicate")) {
        try await client.subscribe(to: characteristic([.read, .write]))
      }
    }
  }

  @Test func `an unknown configuration is found first`() async throws {
    try await withClient(
      script: [
        .expects("04 0400 0400"), .says("05 01 0400 0229"), .expects("12 0400 0100"), .says("13"),
      ]
    ) { client in
      _ = try await client.subscribe(to: characteristic([.notify], descriptors: nil))
    }
  }

  @Test func `a characteristic without configuration is an error`() async throws {
    try await withClient(script: []) { client in
      await #expect(throws: GATTError.notSupported("client characteristic configuration")) {
        try await client.subscribe(to: characteristic([.notify], descriptors: []))
      }
    }
  }

  @Test func `values before the server's answer are not lost`() async throws {
    try await withClient(
      script: [.expects("12 0400 0100"), .says("1B 0300 01"), .says("1B 0300 02"), .says("13")]
    ) { client in
      var values = try await client.subscribe(to: characteristic([.notify])).makeAsyncIterator()
      #expect(try await values.next()?.value == [1])
      #expect(try await values.next()?.value == [2])
    }
  }

  @Test func `a refused subscription is an error and leaves nothing behind`() async throws {
    let reported = Mutex<[ATTDiagnostic]>([])
    try await withClient(
      options: GATTOptions(report: { incident in reported.withLock { $0.append(incident) } }),
      script: [
        .expects("12 0400 0100"), .says("01 12 0400 03"),
        .expects("04 0400 0400"), .says("05 01 0400 0229"),
        .expects("0A 0500"), .says("1B 0300 01"), .says("0B 64"),
      ]
    ) { client in
      await #expect(throws: GATTError.self) {
        try await client.subscribe(to: characteristic([.notify]))
      }
      _ = try await client.read(5)
      #expect(reported.withLock { $0 } == [.unclaimedValue(handle: 3)])
    }
  }

  @Test func `the order of notifications is kept`() async throws {
    let count = 2_000
    let options = GATTOptions(subscriptionCapacity: count)
    try await withServer([], options: options) { client, server in
      let subscription = await client.values(of: 3)
      // The first request makes the client listen.
      _ = try? await client.read(1)
      async let reported: Void = {
        for number in 0..<count {
          await server.report("1B 0300" + String(format: number))
        }
      }()
      var expected = 0
      for try await received in subscription {
        #expect(received.value == [UInt8(expected & 0xFF), UInt8(expected >> 8)])
        #expect(received.lostBefore == 0)
        expected += 1
        if expected == count { break }
      }
      await reported
    }
  }

  @Test func `a full buffer drops the oldest and says how many`() async throws {
    let lost = Mutex(0)
    let options = GATTOptions(
      subscriptionCapacity: 4,
      report: { if case .valuesLost(_, let count) = $0 { lost.withLock { $0 += count } } })
    try await withClient(
      options: options,
      script: (1...10).map { .says("1B 0300 0\($0 % 10)") } + [.expects("0A 0100"), .says("0B 00")]
    ) { client in
      var values = await client.values(of: 3).makeAsyncIterator()
      _ = try await client.read(1)
      #expect(lost.withLock { $0 } == 6)
      let first = try #require(try await values.next())
      #expect(first.value == [7])
      #expect(first.lostBefore == 6)
      let second = try #require(try await values.next())
      #expect(second.value == [8])
      #expect(second.lostBefore == 0)
    }
  }

  @Test func `several values in one PDU reach their subscribers`() async throws {
    try await withClient(
      script: [
        .says("23 0300 0100 01 0500 0100 02 0300 0100 03"), .expects("0A 0100"), .says("0B 00"),
      ]
    ) { client in
      var threes = await client.values(of: 3).makeAsyncIterator()
      var fives = await client.values(of: 5).makeAsyncIterator()
      _ = try await client.read(1)
      #expect(try await threes.next()?.value == [1])
      #expect(try await threes.next()?.value == [3])
      #expect(try await fives.next()?.value == [2])
    }
  }

  @Test func `an indication is confirmed although nobody takes it`() async throws {
    try await withClient(
      script: [
        .expects("12 0400 0200"), .says("1D 0300 01"), .expects("1E"), .says("13"),
        .expects("0A 0100"), .says("1D 0300 02"), .expects("1E"), .says("0B 00"),
      ]
    ) { client in
      var values = try await client.subscribe(to: characteristic([.indicate])).makeAsyncIterator()
      _ = try await client.read(1)
      let first = try #require(try await values.next())
      #expect(first == ReceivedValue(value: [1], isIndication: true))
      #expect(try await values.next()?.value == [2])
    }
  }

  @Test func `a second subscriber costs no request and gets the same`() async throws {
    try await withClient(
      script: [
        .expects("12 0400 0100"), .says("13"), .expects("0A 0100"), .says("1B 0300 07"),
        .says("0B 00"), .expects("12 0400 0000"), .says("13"),
      ]
    ) { client in
      let both = (
        try await client.subscribe(to: characteristic([.notify])),
        try await client.subscribe(to: characteristic([.notify]))
      )
      // The value comes with the answer to it, when both listen.
      _ = try await client.read(1)
      var (first, second) = (both.0.makeAsyncIterator(), both.1.makeAsyncIterator())
      #expect(try await first.next()?.value == [7])
      #expect(try await second.next()?.value == [7])
      try await client.unsubscribe(both.0)
      #expect(await client.requestCount == 2)
      try await client.unsubscribe(both.1)
      #expect(await client.requestCount == 3)
      #expect(try await second.next() == nil)
    }
  }

  @Test func `the link's end ends the sequence with its reason`() async throws {
    try await withClient(
      script: [.expects("12 0400 0100"), .says("13"), .says("1B 0300 07"), .hangsUp]
    ) { client in
      var values = try await client.subscribe(to: characteristic([.notify])).makeAsyncIterator()
      #expect(try await values.next()?.value == [7])
      await #expect(throws: GATTError.closed(BearerClosed(.peer))) { try await values.next() }
    }
  }

  @Test func `a cancelled consumer ends`() async throws {
    try await withClient(script: []) { client in
      let subscription = await client.values(of: 3)
      let task = Task {
        for try await _ in subscription {}
        return true
      }
      task.cancel()
      let hasEnded = try await task.value
      #expect(hasEnded)
    }
  }
}

extension String {
  /// Creates the hexadecimal digits of a number in 2 little-endian bytes.
  fileprivate init(format number: Int) {
    let digits = [number >> 4 & 15, number & 15, number >> 12 & 15, number >> 8 & 15]
    self = digits.map { String($0, radix: 16) }.joined()
  }
}
