internal import EventLoop

/// An actor on a loop, for what reads a kernel socket: it runs beside the links, and not on the thread
/// that draws the screen.
actor LoopReader {
  private let loop: PollLoop

  init(on loop: PollLoop) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Runs `body`, which stays on the loop in all that it calls and that is `nonisolated(nonsending)`.
  func run(_ body: @Sendable (isolated LoopReader) async -> Void) async { await body(self) }
}
