import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import TestSupport
import Testing

@Suite struct WritingTests {
  @Test func `a write ends with the server's answer`() async throws {
    try await withClient(script: [.expects("12 0300 0102"), .says("13")]) { client in
      try await client.write([1, 2], to: 3)
    }
  }

  @Test func `a refused write is an error never a success`() async throws {
    try await withClient(script: [.expects("12 0300 01"), .says("01 12 0300 03")]) { client in
      let refusal = ATTErrorResponse(opcode: .writeRequest, handle: 3, code: .writeNotPermitted)
      await #expect(throws: GATTError.att(refusal)) { try await client.write([1], to: 3) }
    }
  }

  @Test func `a write that does not fit goes by parts whose echoes are compared`() async throws {
    let part = String(repeating: "AA", count: 18)
    try await withClient(
      script: [
        .expects("16 0300 0000" + part), .says("17 0300 0000" + part),
        .expects("16 0300 1200 AABBCC"), .says("17 0300 1200 AABBCC"),
        .expects("18 01"), .says("19"),
      ]
    ) { client in
      try await client.write(hex(part + "AABBCC"), to: 3)
    }
  }

  @Test(arguments: ["17 0300 0000 AB", "17 0400 0000 AA", "17 0300 0100 AA", "17 0300 0000"])
  func `a wrong echo cancels the whole write`(echo: String) async throws {
    try await withClient(
      script: [.expects("16 0300 0000 AA"), .says(echo), .expects("18 00"), .says("19")]
    ) { client in
      await #expect(throws: GATTError.writeNotVerified) {
        try await client.writeLong([0xAA], to: 3)
      }
    }
  }

  @Test func `a failed prepare is cancelled and the first error is kept`() async throws {
    let part = String(repeating: "AA", count: 18)
    try await withClient(
      script: [
        .expects("16 0300 0000" + part), .says("17 0300 0000" + part),
        .expects("16 0300 1200 AA"), .says("01 16 0300 09"),
        .expects("18 00"), .says("01 18 0000 0E"),
      ]
    ) { client in
      let refusal = ATTErrorResponse(
        opcode: .prepareWriteRequest, handle: 3, code: .prepareQueueFull)
      await #expect(throws: GATTError.att(refusal)) {
        try await client.writeLong(hex(part + "AA"), to: 3)
      }
    }
  }

  @Test func `two long writes do not interleave`() async throws {
    let hasBegun = AsyncStream<Void>.makeStream()
    try await withClient(
      script: [
        .expects("16 0300 0000 AA"), .runs { hasBegun.continuation.finish() },
        .says("17 0300 0000 AA"), .expects("18 01"), .says("19"),
        .expects("16 0400 0000 BB"), .says("17 0400 0000 BB"), .expects("18 01"), .says("19"),
      ]
    ) { client in
      let first = Task { try await client.writeLong([0xAA], to: 3) }
      for await _ in hasBegun.stream {}
      let second = Task { try await client.writeLong([0xBB], to: 4) }
      try await first.value
      try await second.value
    }
  }

  @Test func `several values are written by one commit`() async throws {
    try await withClient(
      script: [
        .expects("16 0300 0000 AA"), .says("17 0300 0000 AA"),
        .expects("16 0400 0000 BB"), .says("17 0400 0000 BB"),
        .expects("18 01"), .says("19"),
      ]
    ) { client in
      try await client.writeReliably([
        ATTHandleValue(handle: 3, value: [0xAA]), ATTHandleValue(handle: 4, value: [0xBB]),
      ])
    }
  }

  /// Whether the answer arrives before or after the cancellation, nothing is ever committed.
  @Test(arguments: 0..<20) func `cancelling a long write cancels what is prepared`(attempt: Int)
    async throws
  {
    let isPrepared = AsyncStream<Void>.makeStream()
    let isCancelled = AsyncStream<Void>.makeStream()
    try await withClient(
      script: [
        .expects("16 0300 0000 AA"),
        .runs {
          isPrepared.continuation.finish()
          for await _ in isCancelled.stream {}
        },
        .says("17 0300 0000 AA"), .expects("18 00"), .says("19"),
        .expects("0A 0300"), .says("0B 64"),
      ]
    ) { client in
      let task = Task { try await client.writeLong([0xAA], to: 3) }
      for await _ in isPrepared.stream {}
      task.cancel()
      isCancelled.continuation.finish()
      await #expect(throws: GATTError.cancelled) { try await task.value }
      let value = try await client.read(3)
      #expect(value == [0x64])
    }
  }

  @Test func `a refused commit is an error and cleans up`() async throws {
    try await withClient(
      script: [
        .expects("16 0300 0000 AA"), .says("17 0300 0000 AA"),
        .expects("18 01"), .says("01 18 0300 0D"), .expects("18 00"), .says("19"),
      ]
    ) { client in
      let refusal = ATTErrorResponse(
        opcode: .executeWriteRequest, handle: 3, code: .invalidAttributeValueLength)
      await #expect(throws: GATTError.att(refusal)) { try await client.writeLong([0xAA], to: 3) }
    }
  }

  @Test func `a value of more than 512 bytes is refused here`() async throws {
    try await withClient(script: []) { client in
      await #expect(throws: GATTError.valueTooLong(count: 513, limit: 512)) {
        try await client.write(Bytes(repeating: 0, count: 513), to: 3)
      }
      await #expect(throws: GATTError.valueTooLong(count: 21, limit: 20)) {
        try await client.writeWithoutResponse(Bytes(repeating: 0, count: 21), to: 3)
      }
      #expect(await client.requestCount == 0)
    }
  }

  @Test func `a write without response that was handed over is not cancelled`() async throws {
    let isHeld = AsyncStream<Void>.makeStream()
    let isReleased = AsyncStream<Void>.makeStream()
    let hooks = LinkCallbacks(
      raiseSecurity: { (_, _) throws(SecurityFailure) in
        isHeld.continuation.finish()
        for await _ in isReleased.stream {}
      })
    let (base, peer) = try ScriptedPeer.connected(hooks: hooks, [.expects("52 0300 07")])
    let bearer = ObservedBearer(base)
    let client = GATTClient(bearer: bearer, clock: ManualClock())
    async let played: Void = peer.play()
    let raising = Task { try await bearer.raiseSecurity(to: .medium) }
    for await _ in isHeld.stream {}
    let writing = Task { try await client.writeWithoutResponse([7], to: 3) }
    await bearer.handsOver()
    writing.cancel()
    // It counts as written, although the bearer holds it back still.
    try await writing.value
    isReleased.continuation.finish()
    try await raising.value
    await played
    await client.close()
    peer.bearer.close(.user)
  }

  @Test func `a write without response of a cancelled task is not handed over`() async throws {
    try await withClient(script: [.expects("0A 0300"), .says("0B 64")]) { client in
      let isCancelled = AsyncStream<Void>.makeStream()
      let writing = Task {
        for await _ in isCancelled.stream {}
        try await client.writeWithoutResponse([7], to: 3)
      }
      writing.cancel()
      isCancelled.continuation.finish()
      await #expect(throws: GATTError.cancelled) { try await writing.value }
      _ = try await client.read(3)
    }
  }

  @Test func `a cancelled long write does not wait for the one before`() async throws {
    let hasBegun = AsyncStream<Void>.makeStream()
    let goesOn = AsyncStream<Void>.makeStream()
    try await withClient(
      script: [
        .expects("16 0300 0000 AA"),
        .runs {
          hasBegun.continuation.finish()
          for await _ in goesOn.stream {}
        },
        .says("17 0300 0000 AA"), .expects("18 01"), .says("19"),
      ]
    ) { client in
      let first = Task { try await client.writeLong([0xAA], to: 3) }
      for await _ in hasBegun.stream {}
      let second = Task { try await client.writeLong([0xBB], to: 4) }
      second.cancel()
      await #expect(throws: GATTError.cancelled) { try await second.value }
      goesOn.continuation.finish()
      try await first.value
    }
  }

  @Test func `writes without response wait for room and arrive in order`() async throws {
    let (ours, theirs) = try SocketBearer.packetPair()
    let bearer = try SocketBearer(descriptor: ours, loop: .shared, sendBuffer: 4608)
    let far = try SocketBearer(descriptor: theirs, loop: .shared)
    let client = GATTClient(bearer: bearer, clock: ManualClock())
    let writing = Task {
      for number in 0..<500 {
        try await client.writeWithoutResponse(
          [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)], to: 3)
      }
    }
    for number in 0..<500 {
      let pdu: Bytes = [0x52, 3, 0, UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
      #expect(try await far.receive() == pdu)
    }
    try await writing.value
    await client.close()
    await #expect(throws: GATTError.closed(BearerClosed(.user))) {
      try await client.writeWithoutResponse([1], to: 3)
    }
    far.close(.user)
  }
}
