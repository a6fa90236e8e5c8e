import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import Glibc
import Locking
import Testing

@Suite struct DescriptorBearerTests {
  private func receiveError(_ bearer: SocketBearer) async -> BearerClosed? {
    do throws(BearerClosed) {
      _ = try await bearer.receive()
      return nil
    } catch {
      return error
    }
  }

  /// Fills the buffer, so that further senders wait.
  private func fill(_ bearer: SocketBearer) {
    let pdu = [UInt8](repeating: 1, count: 500)
    bearer.withDescriptor { while send($0, pdu, pdu.count, Int32(MSG_DONTWAIT)) > 0 {} }
  }

  @Test func `what one end sends the other receives in order`() async throws {
    let (a, b) = try SocketBearer.pair(loop: .shared)
    for number in 0..<200 { try await a.send([UInt8(number), 1, 2]) }
    for number in 0..<200 { #expect(try await b.receive() == [UInt8(number), 1, 2]) }
    a.close(.user)
    b.close(.user)
  }

  @Test func `of a stream that takes a part of a frame the rest follows before the next frame`()
    async throws
  {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    let near = try SocketBearer(descriptor: ends[0], loop: .shared, sendBuffer: 1)
    let far = try SocketBearer(descriptor: ends[1], loop: .shared)
    let frames = (0..<40 as Range<UInt8>).map { [UInt8](repeating: $0, count: 8192) }
    let sending = Task { for frame in frames { try await near.send(frame[...]) } }
    var received: [UInt8] = []
    while received.count < 40 * 8192 { received += try await far.receive() }
    try await sending.value
    #expect(received == frames.flatMap(\.self))
    near.close(.user)
    far.close(.user)
  }

  @Test func `what arrived before the hang up is still delivered`() async throws {
    let (a, b) = try SocketBearer.pair(loop: .shared)
    try a.post([1])
    try a.post([2])
    a.close(.user)
    #expect(try await b.receive() == [1])
    #expect(try await b.receive() == [2])
    #expect(await receiveError(b) == BearerClosed(.peer))
    #expect(await receiveError(b) == BearerClosed(.peer))
  }

  @Test func `a peer that closes with unread bytes ends the link too`() async throws {
    let (a, b) = try SocketBearer.pair(loop: .shared)
    try b.post([9])
    try a.post([1])
    a.close(.user)
    #expect(try await b.receive() == [1])
    #expect(await receiveError(b) == BearerClosed(.peer))
  }

  /// `epoll_ctl` fails, as if the kernel had lost the registration.
  @Test
  func `a bearer that the loop cannot watch closes instead of falling silent`() async throws {
    let (a, b) = try SocketBearer.pair(loop: .shared)
    defer { b.close(.user) }
    let other = open("/dev/null", O_RDWR)
    try #require(other >= 0)
    a.withDescriptor { _ = dup2(other, $0) }
    close(other)
    await #expect(throws: BearerClosed(.system(errno: EPERM, during: "epoll_ctl"))) {
      try await a.writable()
    }
  }

  @Test func `the hook tells the reason`() async throws {
    let hooks = LinkCallbacks(closeReason: { _ in .supervisionTimeout })
    let (a, b) = try SocketBearer.pair(loop: .shared, hooks: hooks)
    a.close(.user)
    #expect(await receiveError(a) == BearerClosed(.user))
    #expect(await receiveError(b) == BearerClosed(.supervisionTimeout))
  }

  @Test func `closing fails who waits to receive and only the first reason counts`() async throws {
    let (a, b) = try SocketBearer.pair(loop: .shared)
    async let error = receiveError(a)
    a.close(.adapterGone)
    a.close(.user)
    #expect(await error == BearerClosed(.adapterGone))
    #expect(throws: BearerClosed(.adapterGone)) { try a.post([1]) }
    await #expect(throws: BearerClosed(.adapterGone)) { try await a.send([1]) }
    b.close(.user)
  }

  @Test func `sending waits for a peer that does not read`() async throws {
    let (ours, theirs) = try SocketBearer.packetPair()
    let bearer = try SocketBearer(descriptor: ours, loop: .shared, sendBuffer: 4608)
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

  @Test func `closing fails who waits to send`() async throws {
    let (ours, theirs) = try SocketBearer.packetPair()
    let bearer = try SocketBearer(descriptor: ours, loop: .shared)
    fill(bearer)
    let task = Task.immediate { try await bearer.send([1]) }
    bearer.close(.micFailure)
    await #expect(throws: BearerClosed(.micFailure)) { try await task.value }
    close(theirs)
  }

  @Test func `cancelling a sender ends its wait`() async throws {
    let (ours, theirs) = try SocketBearer.packetPair()
    let bearer = try SocketBearer(descriptor: ours, loop: .shared, sendBuffer: 4608)
    fill(bearer)
    let task = Task.immediate { try await bearer.send([1]) }
    task.cancel()
    try await task.value
    bearer.close(.user)
    close(theirs)
  }

  @Test func `posting without end to a peer that does not read closes the bearer`() async throws {
    let (ours, theirs) = try SocketBearer.packetPair()
    let bearer = try SocketBearer(descriptor: ours, loop: .shared, sendBuffer: 4608)
    let error = #expect(throws: BearerClosed.self) {
      for _ in 0..<1000 { try bearer.post([0x1E]) }
    }
    guard case .protocolViolation = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    close(theirs)
  }

  @Test func `a reader that rests pauses the peer`() async throws {
    let loop = PollLoop(name: "test")
    let (ours, theirs) = try SocketBearer.packetPair()
    let bearer = try SocketBearer(descriptor: ours, loop: loop)
    var accepted = 0
    var before = -1
    while before < accepted {
      before = accepted
      while accepted < 100_000, send(theirs, [UInt8(0x1B)], 1, Int32(MSG_DONTWAIT)) == 1 {
        accepted += 1
      }
      // The loop has read what it wants to read when it has turned twice.
      for _ in 0..<2 { await Ownership(loop: loop).happens() }
    }
    #expect(accepted < 100_000, "the bearer took more than its bounded queue holds")
    for _ in 0..<accepted { #expect(try await bearer.receive() == [0x1B]) }
    bearer.close(.user)
    close(theirs)
  }

  private actor Ownership {
    private let loop: PollLoop

    init(loop: PollLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func happens() {}
  }

  @Test func `a PDU longer than any MTU ends the bearer`() async throws {
    let (ours, theirs) = try SocketBearer.packetPair()
    let bearer = try SocketBearer(descriptor: ours, loop: .shared)
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

  @Test func `nothing is sent while security is raised`() async throws {
    let (ours, theirs) = try SocketBearer.packetPair()
    var room = [UInt8](repeating: 0, count: 8)
    let hooks = LinkCallbacks(
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
    let bearer = try SocketBearer(descriptor: ours, loop: .shared, hooks: hooks)
    try await bearer.raiseSecurity(to: .medium)
    #expect(recv(theirs, &room, room.count, Int32(MSG_DONTWAIT)) == 1)
    #expect(bearer.security == .medium)
    bearer.close(.user)
    close(theirs)
  }

  @Test func `all who want security at once are reported what comes of it`() async throws {
    let (begun, beginning) = AsyncStream<SecurityLevel>.makeStream()
    let (answers, answering) = AsyncStream<Void>.makeStream()
    let hooks = LinkCallbacks(
      raiseSecurity: { (_, level) throws(SecurityFailure) in
        beginning.yield(level)
        for await _ in answers { break }
        throw .declined
      })
    let (near, far) = try SocketBearer.pair(loop: .shared, hooks: hooks)
    var levels = begun.makeAsyncIterator()
    func outcome(_ level: SecurityLevel) async -> SecurityFailure? {
      do throws(SecurityFailure) {
        try await near.raiseSecurity(to: level)
        return nil
      } catch {
        return error
      }
    }
    async let first = outcome(.medium)
    #expect(await levels.next() == .medium)
    async let second = outcome(.medium)
    // Of a higher level the first tells nothing.
    async let third = outcome(.high)
    answering.yield()
    #expect(await first == .declined)
    answering.yield()
    #expect(await third == .declined)
    answering.yield()
    #expect(await second == .declined)
    beginning.finish()
    near.close(.user)
    far.close(.user)
  }

  @Test func `without a hook security cannot be raised`() async throws {
    let (a, b) = try SocketBearer.pair(loop: .shared)
    await #expect(throws: SecurityFailure.unsupported) { try await a.raiseSecurity(to: .high) }
    #expect(await a.measure() == LinkQuality())
    await #expect(throws: TimingFailure.unsupported) {
      try await a.retime(
        to: TimingRange(interval: 9...12, latency: 0, supervisionTimeout: 400))
    }
    a.close(.user)
    b.close(.user)
  }
}
