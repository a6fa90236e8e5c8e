internal import BluetoothRadio

extension VirtualHeadphone {
  /// The minimum time between a connection and the next step of the script.
  private static let pauseAfterConnecting: Duration = .seconds(5)

  func resumeScript() {
    guard let due = upcoming else { return }
    let earliest = timeline.elapsed + Self.pauseAfterConnecting
    upcoming = (max(due.timestamp, earliest), due.event)
  }

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
