import BluetoothCodec
import Descriptors
import GATT
import Glibc
import Synchronization
import Testing

@Suite struct DescriptorBearerTests {
  private func receiveError(_ bearer: DescriptorBearer) async -> BearerClosed? {
    do throws(BearerClosed) {
      _ = try await bearer.receive()
      return nil
    } catch {
      return error
    }
  }

  @Test func whatOneEndSendsTheOtherReceivesInOrder() async throws {
    let (a, b) = try DescriptorBearer.pair(loop: .shared)
    for number in 0..<200 { try await a.send([UInt8(number), 1, 2]) }
    for number in 0..<200 { #expect(try await b.receive() == [UInt8(number), 1, 2]) }
    a.close(.user)
    b.close(.user)
  }

  @Test func whatArrivedBeforeTheHangUpIsStillDelivered() async throws {
    let (a, b) = try DescriptorBearer.pair(loop: .shared)
    try a.post([1])
    try a.post([2])
    a.close(.user)
    #expect(try await b.receive() == [1])
    #expect(try await b.receive() == [2])
    #expect(await receiveError(b) == BearerClosed(.peer))
    #expect(await receiveError(b) == BearerClosed(.peer))
  }

  @Test func aPeerThatClosesWithUnreadBytesEndsTheLinkToo() async throws {
    let (a, b) = try DescriptorBearer.pair(loop: .shared)
    try b.post([9])
    try a.post([1])
    a.close(.user)
    #expect(try await b.receive() == [1])
    #expect(await receiveError(b) == BearerClosed(.peer))
  }

  @Test func theHookTellsTheReason() async throws {
    let hooks = BearerHooks(closeReason: { _ in .supervisionTimeout })
    let (a, b) = try DescriptorBearer.pair(loop: .shared, hooks: hooks)
    a.close(.user)
    #expect(await receiveError(a) == BearerClosed(.user))
    #expect(await receiveError(b) == BearerClosed(.supervisionTimeout))
  }

  @Test func closingFailsWhoWaitsToReceiveAndOnlyTheFirstReasonCounts() async throws {
    let (a, b) = try DescriptorBearer.pair(loop: .shared)
    async let error = receiveError(a)
    a.close(.adapterGone)
    a.close(.user)
    #expect(await error == BearerClosed(.adapterGone))
    #expect(throws: BearerClosed(.adapterGone)) { try a.post([1]) }
    await #expect(throws: BearerClosed(.adapterGone)) { try await a.send([1]) }
    b.close(.user)
  }

  @Test func sendingWaitsForAPeerThatDoesNotRead() async throws {
    let (ours, theirs) = try DescriptorBearer.packetPair()
    let bearer = try DescriptorBearer(descriptor: ours, loop: .shared, sendBuffer: 4608)
    let pdu = Bytes(repeating: 7, count: 183)
    let sent = Atomic<Int>(0)
    let task = Task {
      for _ in 0..<100 {
        try await bearer.send(pdu)
        sent.add(1, ordering: .relaxed)
      }
    }
    var room = [UInt8](repeating: 0, count: 600)
    var received = 0
    while received < 100 {
      try await PollLoop.shared.readable(theirs)
      #expect(sent.load(ordering: .relaxed) - received < 20, "more than the buffer holds")
      while recv(theirs, &room, room.count, Int32(MSG_DONTWAIT)) == 183 { received += 1 }
    }
    try await task.value
    #expect(sent.load(ordering: .relaxed) == 100)
    bearer.close(.user)
    close(theirs)
  }

  @Test func closingFailsWhoWaitsToSend() async throws {
    let (ours, theirs) = try DescriptorBearer.packetPair()
    let bearer = try DescriptorBearer(descriptor: ours, loop: .shared, sendBuffer: 4608)
    fill(ours)
    // Whether it waits by now or begins only after the close: it fails for the same reason.
    let task = Task { try await bearer.send([1]) }
    bearer.close(.micFailure)
    await #expect(throws: BearerClosed(.micFailure)) { try await task.value }
    close(theirs)
  }

  @Test func cancellingASenderEndsItsWait() async throws {
    let (ours, theirs) = try DescriptorBearer.packetPair()
    let bearer = try DescriptorBearer(descriptor: ours, loop: .shared, sendBuffer: 4608)
    fill(ours)
    let task = Task {
      while !Task.isCancelled { try await bearer.send([1]) }
    }
    task.cancel()
    try await task.value
    bearer.close(.user)
    close(theirs)
  }

  @Test func postingWithoutEndToADeafPeerClosesTheBearer() async throws {
    let (ours, theirs) = try DescriptorBearer.packetPair()
    let bearer = try DescriptorBearer(descriptor: ours, loop: .shared, sendBuffer: 4608)
    let error = #expect(throws: BearerClosed.self) {
      for _ in 0..<1000 { try bearer.post([0x1E]) }
    }
    guard case .protocolViolation = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    close(theirs)
  }

  @Test func aReaderThatRestsPausesThePeer() async throws {
    let (ours, theirs) = try DescriptorBearer.packetPair()
    let a = try DescriptorBearer(descriptor: ours, loop: .shared, sendBuffer: 4608)
    let waiting = fill(ours)
    let task = Task {
      for number in 0..<1000 { try await a.send([UInt8(truncatingIfNeeded: number)]) }
    }
    let b = try DescriptorBearer(descriptor: theirs, loop: .shared)
    for _ in 0..<waiting { #expect(try await b.receive() == [0]) }
    for number in 0..<1000 {
      #expect(try await b.receive() == [UInt8(truncatingIfNeeded: number)])
    }
    try await task.value
    a.close(.user)
    b.close(.user)
  }

  @Test func aPDULongerThanAnyMTUEndsTheBearer() async throws {
    let (ours, theirs) = try DescriptorBearer.packetPair()
    let bearer = try DescriptorBearer(descriptor: ours, loop: .shared)
    let long = [UInt8](repeating: 0x1B, count: 1025)
    send(theirs, long, long.count, 0)
    let reason = await receiveError(bearer)?.reason
    guard case .protocolViolation(let what) = reason else {
      Issue.record("\(String(describing: reason))")
      return
    }
    #expect(what.contains("1025 bytes"))
    close(theirs)
  }

  @Test func nothingIsSentWhileSecurityIsRaised() async throws {
    let (ours, theirs) = try DescriptorBearer.packetPair()
    var room = [UInt8](repeating: 0, count: 8)
    let hooks = BearerHooks(
      raiseSecurity: { (bearer, level) throws(SecurityFailure) in
        #expect(level == .medium)
        do throws(BearerClosed) {
          try bearer.post([0x1E])
          try await bearer.writable()
        } catch {
          throw .closed(error)
        }
        var room = [UInt8](repeating: 0, count: 8)
        #expect(recv(theirs, &room, room.count, Int32(MSG_DONTWAIT)) == -1)
      },
      security: { _ in .medium })
    let bearer = try DescriptorBearer(descriptor: ours, loop: .shared, hooks: hooks)
    try await bearer.raiseSecurity(to: .medium)
    #expect(recv(theirs, &room, room.count, Int32(MSG_DONTWAIT)) == 1)
    #expect(bearer.security == .medium)
    bearer.close(.user)
    close(theirs)
  }

  @Test func withoutAHookSecurityCannotBeRaised() async throws {
    let (a, b) = try DescriptorBearer.pair(loop: .shared)
    await #expect(throws: SecurityFailure.unsupported) { try await a.raiseSecurity(to: .high) }
    #expect(await a.readRSSI() == nil)
    a.close(.user)
    b.close(.user)
  }
}

/// Sends packets of one zero until no more fit; how many those were.
@discardableResult
private func fill(_ descriptor: Int32) -> Int {
  var packet: UInt8 = 0
  var count = 0
  while send(descriptor, &packet, 1, Int32(MSG_DONTWAIT)) == 1 { count += 1 }
  return count
}
