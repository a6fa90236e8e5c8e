internal import BluetoothRadio
internal import HeadphoneProtocols

/// An actor around a state machine that must be called when its deadline has passed.
///
/// A single task sleeps until the next deadline. While nothing is awaited, there is no task.
protocol TimeoutDriven: Actor {
  var timeline: ElapsedClock { get }
  var watch: Task<Void, Never>? { get set }
  /// The next deadline, or nil if nothing is awaited.
  var nextDeadline: Duration? { get }

  func elapse(to now: Duration)
}

extension TimeoutDriven {
  /// Starts or cancels the task; call this after each change of the deadline.
  func watchDeadline() {
    guard nextDeadline != nil else {
      watch?.cancel()
      watch = nil
      return
    }
    guard watch == nil else { return }
    watch = Task { await sleepUntilDeadline() }
  }

  private func sleepUntilDeadline() async {
    while let deadline = nextDeadline, !Task.isCancelled {
      let now = timeline.elapsed
      if deadline <= now {
        elapse(to: now)
      } else {
        try? await timeline.sleep(until: deadline)
      }
    }
  }
}
