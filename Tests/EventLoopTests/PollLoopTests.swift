import BluetoothCodec
import BluetoothRadio
import EventLoop
import Glibc
import TestSupport
import Testing

@Suite struct PollLoopTests {
  /// An actor on a loop.
  private actor LoopActor {
    let loop: PollLoop
    private(set) var order: [Int] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: PollLoop) { self.loop = loop }

    func isOnThread() -> Bool { loop.isOnThread }

    func note(_ number: Int) { order.append(number) }

    func waitUntilReadable(_ descriptor: Int32, on loop: PollLoop) async throws {
      try await loop.readable(descriptor)
    }

    /// Blocks the thread until `mutex` is readable.
    func stayBusy(until mutex: Int32, reporting started: Int32) {
      _ = write(started, "x", 1)
      var byte: UInt8 = 0
      _ = read(mutex, &byte, 1)
    }
  }

  /// Both ends of a pipe, closed at the end.
  private struct Pipe: ~Copyable {
    var reading: Int32
    var writing: Int32

    init() {
      var ends: [Int32] = [-1, -1]
      pipe(&ends)
      (reading, writing) = (ends[0], ends[1])
    }

    func put() { _ = write(writing, "x", 1) }

    deinit {
      close(reading)
      close(writing)
    }
  }

  @Test func `an actor of a loop runs on its thread`() async {
    let loop = PollLoop(name: "test")
    #expect(await LoopActor(loop: loop).isOnThread())
    #expect(!loop.isOnThread)
  }

  @Test func `jobs from many threads all run one after the other`() async {
    let resident = LoopActor(loop: .shared)
    await withTaskGroup { group in
      for number in 0..<1000 { group.addTask { await resident.note(number) } }
    }
    #expect(await resident.order.sorted() == Array(0..<1000))
  }

  @Test func `a wait ends when bytes arrive`() async throws {
    let pipe = Pipe()
    async let readiness = PollLoop.shared.readable(pipe.reading)
    pipe.put()
    #expect(try await readiness.contains(.readable))
  }

  @Test func `bytes that are there already end a wait at once`() async throws {
    let pipe = Pipe()
    pipe.put()
    for _ in 0..<3 { #expect(try await PollLoop.shared.readable(pipe.reading) == .readable) }
  }

  @Test func `a free pipe is writable`() async throws {
    let pipe = Pipe()
    #expect(try await PollLoop.shared.writable(pipe.writing).contains(.writable))
  }

  @Test func `a hang up ends a wait`() async throws {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    let reading = ends[0]
    async let readiness = PollLoop.shared.readable(reading)
    close(ends[1])
    #expect(try await readiness.contains(.hangUp))
    close(reading)
  }

  @Test func `a cancelled wait ends`() async {
    let pipe = Pipe()
    let descriptor = pipe.reading
    let task = Task { try await PollLoop.shared.readable(descriptor) }
    task.cancel()
    await #expect(throws: SystemCallError.cancelled) { try await task.value }
  }

  @Test func `closing a descriptor ends its wait`() async throws {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    let reading = ends[0]
    let loop = PollLoop(name: "test")
    let resident = LoopActor(loop: loop)
    let task = Task { try await loop.readable(reading) }
    // Whether the wait began or not: it must not outlive the descriptor.
    while !loop.isWaiting(for: reading) { _ = await resident.isOnThread() }
    loop.close(reading)
    await #expect(throws: SystemCallError.closed) { try await task.value }
    close(ends[1])
  }

  /// A wait ends on its task's thread while another thread closes the descriptor.
  @Test(.timeLimit(.minutes(1)))
  func `the end of a wait leaves a new descriptor of the same number watched`() async throws {
    let loop = PollLoop.shared
    for _ in 0..<Thoroughness.rounds(50, thorough: 20_000) {
      let (waited, other) = try SocketBearer.packetPair()
      let waiting = Task { try? await loop.readable(waited) }
      while !loop.isWaiting(for: waited) { await Task.yield() }
      _ = write(other, "x", 1)
      loop.close(waited)
      let (near, far) = try SocketBearer.pair(loop: loop)
      close(other)
      try await far.send([1])
      #expect(try await near.receive() == [1])
      near.close(.user)
      far.close(.user)
      _ = await waiting.value
    }
  }

  @Test
  func `a number that is used again is not unwatched by who waited for it before`() async throws {
    let loop = PollLoop(name: "test")
    let late = PollLoop(name: "late")
    let resident = LoopActor(loop: loop)
    let waiter = LoopActor(loop: late)
    let old = Pipe()
    let new = Pipe()
    let mutex = Pipe()
    let started = Pipe()
    let (number, gateEnd, startedEnd) = (dup(old.reading), mutex.reading, started.writing)
    let first = Task { try await waiter.waitUntilReadable(number, on: loop) }
    while !loop.isWaiting(for: number) { _ = await resident.isOnThread() }
    // Its thread is busy, so that it learns late that its wait is over.
    let busy = Task { await waiter.stayBusy(until: gateEnd, reporting: startedEnd) }
    try await loop.readable(started.reading)
    // In one step, so that no other test gets the number in between.
    loop.endWaits(for: number)
    dup2(new.reading, number)
    let second = Task { try await loop.readable(number) }
    while !loop.isWaiting(for: number) { _ = await resident.isOnThread() }
    mutex.put()
    await busy.value
    await #expect(throws: SystemCallError.closed) { try await first.value }
    new.put()
    #expect(try await second.value.contains(.readable))
    loop.close(number)
  }

  @Test func `a descriptor that is not open is an error`() async {
    await #expect(throws: SystemCallError.system(errno: EBADF, during: "epoll_ctl")) {
      try await PollLoop.shared.readable(-1)
    }
  }

  @Test func `a regular file is always readable`() async throws {
    let file = open("/proc/self/exe", O_RDONLY)
    #expect(try await PollLoop.shared.readable(file) == .readable)
    close(file)
  }
}
