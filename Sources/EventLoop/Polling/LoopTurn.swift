/// A pause for busy actors on a loop, in which the loop does what waits.
///
/// `Task.yield()` would continue its caller by way of the default executor, which may draw a frame
/// meanwhile.
package actor LoopTurn: SerialExecutor {
  private nonisolated let loop: PollLoop

  package init(of loop: PollLoop) { self.loop = loop }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { asUnownedSerialExecutor() }

  /// Appends the caller, who enters this actor, to the jobs of the loop.
  package nonisolated func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(job) }

  /// Returns after the jobs that wait on the loop now.
  package func pass() {}
}
