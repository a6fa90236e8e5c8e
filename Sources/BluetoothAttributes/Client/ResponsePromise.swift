internal import Locking

/// A value that arrives once: an actor whose callers are suspended until it has arrived.
///
/// As its own serial executor, it keeps the jobs of its callers until ``fulfil(_:)``, and then
/// enqueues them on the bearer's executor, where a caller continues on the thread on which the
/// value arrived. A continuation would reach that thread by two hops, which cost several times the
/// request.
///
/// `ResponsePromiseTests` verifies the two assumptions: that the runtime calls `enqueue(_:)` for
/// each entry into the actor, and that a job may run on another executor than its own.
package actor ResponsePromise<Value: Sendable>: SerialExecutor {
  private struct State {
    var value: Value?
    /// The first suspended caller, usually the only one, kept without an array.
    var job: UnownedJob?
    var moreJobs: [UnownedJob] = []
  }

  private nonisolated let state = Mutex(State())
  private nonisolated let executor: any SerialExecutor

  package init(on executor: any SerialExecutor) { self.executor = executor }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { asUnownedSerialExecutor() }

  package nonisolated func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFulfilled = state.withLock { state in
      guard state.value == nil else { return true }
      if state.job == nil { state.job = job } else { state.moreJobs.append(job) }
      return false
    }
    if isFulfilled { executor.enqueue(ExecutorJob(job)) }
  }

  /// Stores the value and resumes the callers; only the first call counts.
  package nonisolated func fulfil(_ value: Value) {
    let (job, moreJobs) = state.withLock { state -> (UnownedJob?, [UnownedJob]) in
      guard state.value == nil else { return (nil, []) }
      state.value = value
      return (state.job.take(), state.moreJobs)
    }
    if let job { executor.enqueue(ExecutorJob(job)) }
    for job in moreJobs { executor.enqueue(ExecutorJob(job)) }
  }

  /// The value, never nil for a caller from outside, which waits until it has arrived.
  package var value: Value? { state.withLock { $0.value } }
}
