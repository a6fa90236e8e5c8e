internal import EventLoop

/// An actor on a loop that reads kernel sockets, off the thread that draws the screen.
actor LoopReader {
  private let loop: PollLoop

  init(on loop: PollLoop) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Runs `body` on the loop, with everything `nonisolated(nonsending)` that it calls.
  func run(_ body: @Sendable (isolated LoopReader) async -> Void) async { await body(self) }
}
