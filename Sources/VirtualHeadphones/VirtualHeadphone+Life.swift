internal import Bluetooth

/// The time: one sleep until something is due, none when nothing is.
extension VirtualHeadphone {
  /// The least time after a connection before the script goes on; what was due meanwhile waited.
  private static let pauseAfterConnecting: Duration = .seconds(5)

  /// Goes on where the script stopped when the last phone left.
  func resumeScript() {
    guard let due = upcoming else { return }
    let earliest = timeline.elapsed + Self.pauseAfterConnecting
    upcoming = (max(due.timestamp, earliest), due.event)
  }

  /// Sleeps until the next event, while a phone is connected.
  func rearm() {
    timer?.cancel()
    timer = nil
    guard connection != nil else { return }
    let now = timeline.elapsed
    if upcoming == nil, let step = script.next() { upcoming = (now + step.after, step.event) }
    let moments = [upcoming?.timestamp, life.nextChange(after: now), firmware?.nextDeadline]
      .compactMap { $0 }
    guard let next = moments.min() else { return }
    timer = Task {
      try? await timeline.sleep(until: next)
      if !Task.isCancelled { wake() }
    }
  }

  /// Lets everything happen that is due, and sleeps until the next.
  private func wake() {
    let now = timeline.elapsed
    report(life.advance(to: now))
    guard advanceFirmware() else { return }
    if let due = upcoming, due.timestamp <= now {
      upcoming = nil
      report(life.happen(due.event, at: now))
    }
    rearm()
  }
}
