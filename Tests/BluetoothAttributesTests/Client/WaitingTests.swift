import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import TestSupport
import Testing

/// Every await ends, and no caller gets another's response.
@Suite struct WaitingTests {
  @Test func `a cancelled caller returns at once and the next gets its own answer`() async throws {
    let isAsked = AsyncStream<Void>.makeStream()
    let isCancelled = AsyncStream<Void>.makeStream()
    try await withClient(
      script: [
        .expects("0A 0300"),
        .runs {
          isAsked.continuation.finish()
          for await _ in isCancelled.stream {}
        },
        .says("0B 33"), .expects("0A 0400"), .says("0B 44"),
      ]
    ) { client in
      let cancelled = Task { try await client.read(3) }
      for await _ in isAsked.stream {}
      cancelled.cancel()
      await #expect(throws: GATTError.cancelled) { try await cancelled.value }
      let next = Task { try await client.read(4) }
      isCancelled.continuation.finish()
      let value = try await next.value
      #expect(value == [0x44])
    }
  }

  @Test func `an MTU whose asker was cancelled is not asked for again`() async throws {
    let isAsked = AsyncStream<Void>.makeStream()
    let isCancelled = AsyncStream<Void>.makeStream()
    try await withClient(
      script: [
        .expects("02 0502"),
        .runs {
          isAsked.continuation.finish()
          for await _ in isCancelled.stream {}
        },
        .says("03 6400"), .expects("0A 0400"), .says("0B 44"),
      ]
    ) { client in
      let cancelled = Task { try await client.exchangeMTU() }
      for await _ in isAsked.stream {}
      cancelled.cancel()
      await #expect(throws: GATTError.cancelled) { try await cancelled.value }
      isCancelled.continuation.finish()
      _ = try await client.read(4)
      let mtu = try await client.exchangeMTU()
      #expect(mtu == 100)
      #expect(await client.requestCount == 2)
    }
  }

  @Test func `a task that is cancelled already sends nothing`() async throws {
    try await withClient(script: []) { client in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await client.read(3)
      }
      await #expect(throws: GATTError.cancelled) { try await task.value }
      #expect(await client.requestCount == 0)
    }
  }

  @Test func `many callers each get their own answer`() async throws {
    try await withServer((1...200).map { .init($0, .bit16(0x2A19), [UInt8($0)]) }) { client, _ in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for handle in 1...200 {
          group.addTask {
            let value = try await client.read(UInt16(handle))
            #expect(value == [UInt8(handle)])
          }
        }
        try await group.waitForAll()
      }
      #expect(await client.requestCount == 200)
    }
  }

  @Test func `the link's end fails every waiter with its reason`() async throws {
    let hooks = LinkCallbacks(closeReason: { _ in .supervisionTimeout })
    try await withClient(hooks: hooks, script: [.expectsAnything, .hangsUp]) { client in
      let waiters = (3..<8).map { handle in Task { try await client.read(handle) } }
      let lost = GATTError.closed(BearerClosed(.supervisionTimeout))
      for waiter in waiters { await #expect(throws: lost) { try await waiter.value } }
      await #expect(throws: lost) { try await client.write([1], to: 3) }
      #expect(await client.closed == BearerClosed(.supervisionTimeout))
    }
  }

  @Test func `without an answer for 30 seconds the bearer closes`() async throws {
    let clock = ManualClock()
    let silence = AsyncStream<Void>.makeStream()
    try await withClient(
      clock: clock,
      script: [.expects("0A 0300"), .runs { for await _ in silence.stream {} }]
    ) { client in
      let first = Task { try await client.read(3) }
      await clock.sleepers(1, within: .seconds(30))
      // Before the time-out, which has begun.
      clock.jump(by: .seconds(29))
      #expect(await client.closed == nil)
      await clock.pass(.seconds(1))
      let late = GATTError.closed(BearerClosed(.requestTimeout))
      await #expect(throws: late) { try await first.value }
      await #expect(throws: late) { try await client.read(4) }
      #expect(throws: BearerClosed(.requestTimeout)) { try client.bearer.post([0x1E]) }
      silence.continuation.finish()
    }
  }

  /// Runs `body` with a client whose bearer holds back all PDUs until `release` is called.
  private func withHeldClient(
    _ clock: ManualClock, _ script: [ScriptedPeer.Step],
    _ body: (GATTClient, ObservedBearer, _ release: () -> Void) async throws -> Void
  ) async throws {
    let isHeld = AsyncStream<Void>.makeStream()
    let isReleased = AsyncStream<Void>.makeStream()
    let hooks = LinkCallbacks(
      raiseSecurity: { (_, _) throws(SecurityFailure) in
        isHeld.continuation.finish()
        for await _ in isReleased.stream {}
      })
    let (base, peer) = try ScriptedPeer.connected(hooks: hooks, script)
    let bearer = ObservedBearer(base)
    let client = GATTClient(bearer: bearer, clock: clock)
    async let played: Void = peer.play()
    let raising = Task { try await bearer.raiseSecurity(to: .medium) }
    for await _ in isHeld.stream {}
    try await body(client, bearer) { isReleased.continuation.finish() }
    try await raising.value
    await client.close()
    peer.bearer.close(.user)
    await played
  }

  @Test func `a request that a pairing holds back is not timed`() async throws {
    let clock = ManualClock()
    try await withHeldClient(clock, [.expects("0A 0300"), .says("0B 64")]) {
      client, bearer, release in
      let read = Task { try await client.read(3) }
      await bearer.handsOver()
      // No time-out begins while the request is held back.
      clock.jump(by: .seconds(35))
      #expect(await client.closed == nil)
      release()
      let value = try await read.value
      #expect(value == [0x64])
    }
  }

  @Test func `the 30 seconds of a held request begin when it is sent`() async throws {
    let clock = ManualClock()
    try await withHeldClient(clock, [.expects("0A 0300")]) { client, bearer, release in
      let read = Task { try await client.read(3) }
      await bearer.handsOver()
      // No time-out has begun.
      clock.jump(by: .seconds(29))
      release()
      await clock.sleepers(1, within: .seconds(30))
      // Before the time-out, which has begun.
      clock.jump(by: .seconds(29))
      #expect(await client.closed == nil)
      await clock.pass(.seconds(1))
      await #expect(throws: GATTError.closed(BearerClosed(.requestTimeout))) {
        try await read.value
      }
    }
  }

  @Test func `all who exchange the MTU at once get the result`() async throws {
    try await withClient(
      script: [.expects("02 0502"), .says("03 6400")]
    ) { client in
      let results = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 { group.addTask { try await client.exchangeMTU() } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results == Array(repeating: 100, count: 8))
      #expect(await client.requestCount == 1)
    }
  }

  @Test func `a cancelled discovery does not wait for the one before`() async throws {
    let isAsked = AsyncStream<Void>.makeStream()
    let goesOn = AsyncStream<Void>.makeStream()
    try await withClient(
      script: [
        .expects("10 0100 FFFF 0028"),
        .runs {
          isAsked.continuation.finish()
          for await _ in goesOn.stream {}
        },
        .says("11 06 0100 FFFF 0018"),
      ]
    ) { client in
      let first = Task { try await client.discoverServices() }
      for await _ in isAsked.stream {}
      let second = Task { try await client.discoverServices() }
      second.cancel()
      await #expect(throws: GATTError.cancelled) { try await second.value }
      goesOn.continuation.finish()
      let services = try await first.value
      #expect(services.count == 1)
    }
  }

  @Test func `a cancelled caller does not wait for a pairing`() async throws {
    let isRaising = AsyncStream<Void>.makeStream()
    let isDone = AsyncStream<Void>.makeStream()
    let hooks = LinkCallbacks(
      raiseSecurity: { (_, _) throws(SecurityFailure) in
        isRaising.continuation.finish()
        for await _ in isDone.stream {}
      })
    try await withClient(
      hooks: hooks, script: [.expects("0A 0300"), .says("01 0A 0300 0F")]
    ) { client in
      let read = Task { try await client.read(3) }
      for await _ in isRaising.stream {}
      read.cancel()
      await #expect(throws: GATTError.cancelled) { try await read.value }
      isDone.continuation.finish()
    }
  }

  @Test func `an answered request leaves no timer behind`() async throws {
    let clock = ManualClock()
    try await withClient(
      clock: clock,
      script: [.expects("0A 0300"), .says("0B 64"), .expects("0A 0300"), .says("0B 65")]
    ) { client in
      _ = try await client.read(3)
      // Before the time-out of the request that was answered.
      clock.jump(by: .seconds(29))
      _ = try await client.read(3)
      // The one watch wakes at the first request's deadline, finds none, and ends.
      await clock.pass(.seconds(1))
      await client.deadlineWatchEnds()
      #expect(clock.sleeping == 0)
      #expect(await client.closed == nil)
    }
  }

  /// The link ends before, and instead of, each PDU of the server.
  @Test(arguments: 0..<12) func `a link that dies anywhere in a discovery fails it`(
    after answers: Int
  )
    async throws
  {
    let (ours, theirs) = try SocketBearer.packetPair()
    let bearer = try SocketBearer(descriptor: ours, loop: .shared)
    let far = try SocketBearer(descriptor: theirs, loop: .shared)
    let server = TableServer(.headphone, bearer: far)
    let client = GATTClient(bearer: bearer, clock: ManualClock())
    let serving = Task { await server.serve(atMost: answers) }
    await #expect(throws: GATTError.closed(BearerClosed(.peer))) {
      while true {
        let database = try await client.discoverAll()
        _ = try await client.discoverDescriptors(of: database.services.flatMap(\.characteristics))
      }
    }
    await serving.value
  }
}
