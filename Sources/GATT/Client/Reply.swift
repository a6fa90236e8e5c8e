internal import BluetoothCodec
internal import Synchronization

/// The answer to one request: an actor whose callers wait until it is there.
///
/// It is its own executor, which keeps its jobs until the answer has come and then gives them to
/// the bearer's. So a caller continues where the answer arrives. A continuation would be resumed on
/// the global executor and get there by two hops between threads, which cost several times the
/// read.
actor Reply: SerialExecutor {
  typealias Answer = Result<ATTResponse, GATTError>

  private struct State {
    var answer: Answer?
    /// The one caller, usually; no array is made for it.
    var job: UnownedJob?
    var moreJobs: [UnownedJob] = []
  }

  private nonisolated let state = Mutex(State())
  private nonisolated let executor: any SerialExecutor

  /// `executor` runs the callers once the answer has come.
  init(on executor: any SerialExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { asUnownedSerialExecutor() }

  nonisolated func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isAnswered = state.withLock { state in
      guard state.answer == nil else { return true }
      if state.job == nil { state.job = job } else { state.moreJobs.append(job) }
      return false
    }
    if isAnswered { executor.enqueue(ExecutorJob(job)) }
  }

  /// Brings the answer; only the first counts.
  nonisolated func arrive(_ answer: Answer) {
    let (job, moreJobs) = state.withLock { state -> (UnownedJob?, [UnownedJob]) in
      guard state.answer == nil else { return (nil, []) }
      state.answer = answer
      return (state.job.take(), state.moreJobs)
    }
    if let job { executor.enqueue(ExecutorJob(job)) }
    for job in moreJobs { executor.enqueue(ExecutorJob(job)) }
  }

  /// The answer; as all of this actor it runs only when that has come.
  var answer: Answer { state.withLock { $0.answer } ?? .failure(.cancelled) }
}
