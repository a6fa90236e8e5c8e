import BluetoothAttributes
import BluetoothRadio
import EventLoop
import Testing

/// The behaviour of the runtime on which ``ResponsePromise`` relies.
///
/// A change of the toolchain that breaks it would otherwise only show as a thread hop per request.
@Suite struct ResponsePromiseTests {
  /// An actor on the poll loop, like a client.
  private actor Caller {
    nonisolated var unownedExecutor: UnownedSerialExecutor {
      PollLoop.shared.asUnownedSerialExecutor()
    }

    private(set) var received: [Int] = []

    /// Waits for the promise, and returns whether it continued on the loop.
    func wait(
      for promise: ResponsePromise<Int>, _ isWaiting: AsyncStream<Void>.Continuation
    ) async -> Bool {
      isWaiting.finish()
      guard let value = await promise.value else { return false }
      preconditionIsolated()
      received.append(value)
      return PollLoop.shared.isOnThread
    }
  }

  @Test func `a caller continues on the executor when the value arrives`() async {
    let promise = ResponsePromise<Int>(on: PollLoop.shared)
    let caller = Caller()
    let isWaiting = AsyncStream<Void>.makeStream()
    let waiting = Task { await caller.wait(for: promise, isWaiting.continuation) }
    for await _ in isWaiting.stream {}
    #expect(await caller.received == [])
    promise.fulfil(7)
    #expect(await waiting.value)
    #expect(await caller.received == [7])
  }

  @Test func `a caller that comes after the value does not wait`() async {
    let promise = ResponsePromise<Int>(on: PollLoop.shared)
    promise.fulfil(7)
    promise.fulfil(8)
    let caller = Caller()
    #expect(await caller.wait(for: promise, AsyncStream<Void>.makeStream().continuation))
    #expect(await caller.received == [7])
  }

  @Test func `several callers get the same value each on the executor`() async {
    let promise = ResponsePromise<Int>(on: PollLoop.shared)
    let caller = Caller()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          await caller.wait(for: promise, AsyncStream<Void>.makeStream().continuation)
        }
      }
      promise.fulfil(7)
      for await isOnThread in group { #expect(isOnThread) }
    }
    #expect(await caller.received == Array(repeating: 7, count: 8))
  }

  @Test func `a caller of no actor gets the value too`() async {
    let promise = ResponsePromise<Int>(on: PollLoop.shared)
    let waiting = Task { await promise.value }
    promise.fulfil(7)
    #expect(await waiting.value == 7)
  }
}
