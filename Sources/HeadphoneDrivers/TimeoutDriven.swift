internal import Bluetooth
internal import HeadphoneProtocols

/// An actor around a state machine that needs a callback when its deadline has passed.
///
/// One task sleeps until the next deadline; there is none while nothing is awaited.
protocol TimeoutDriven: Actor {
  /// Time base of the deadlines.
  var timeline: ElapsedClock { get }
  /// The task that sleeps.
  var watch: Task<Void, Never>? { get set }
  /// Nil: nothing is awaited.
  var nextDeadline: Duration? { get }

  /// The deadline has passed.
  func elapse(to now: Duration)
}

extension TimeoutDriven {
  /// To be called whenever the deadline may be another one.
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
