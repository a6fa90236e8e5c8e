import AudioRoute
import TestSupport

/// Keeps what a source tells, and waits for what a test expects of it.
actor Observer {
  /// All that was told, in order.
  private(set) var history: [AudioObservation] = []
  private var waiters: [Int: Waiter] = [:]
  private var waiterCount = 0

  private struct Waiter {
    let isMet: (AudioObservation) -> Bool
    let continuation: CheckedContinuation<AudioObservation?, Never>
  }

  init(_ source: some AudioRouteSource) {
    Task { [weak self, observations = source.observations] in
      for await observation in observations { await self?.receive(observation) }
    }
  }

  /// The present observation, or the first to come, of which `isMet` holds.
  ///
  /// `seen`: the number of observations that are too old. The time is a bound for a broken test; nothing is waited for that an event does not tell.
  @discardableResult
  func wait(
    for what: String, after seen: Int = 0, atMost time: Duration = .seconds(300),
    where isMet: @escaping @Sendable (AudioObservation) -> Bool
  ) async throws -> AudioObservation {
    if history.count > seen, let last = history.last, isMet(last) { return last }
    waiterCount += 1
    let me = waiterCount
    let bound = Task {
      try await ContinuousClock().sleep(for: time)
      self.giveUp(me)
    }
    defer { bound.cancel() }
    let met = await withCheckedContinuation {
      waiters[me] = Waiter(isMet: isMet, continuation: $0)
    }
    guard let met else {
      throw RigFailure("no sign of \(what) in \(time); last: \(String(describing: history.last))")
    }
    return met
  }

  /// As `wait(for:atMost:where:)`, of a running server.
  @discardableResult
  func waitForSound(
    _ what: String, where isMet: @escaping @Sendable (AudioSnapshot) -> Bool
  ) async throws -> AudioSnapshot {
    let observation = try await wait(for: what) {
      if case .running(let sound) = $0 { isMet(sound) } else { false }
    }
    guard case .running(let sound) = observation else { throw RigFailure("not running: \(what)") }
    return sound
  }

  private func receive(_ observation: AudioObservation) {
    history.append(observation)
    for (key, waiter) in waiters where waiter.isMet(observation) {
      waiters[key] = nil
      waiter.continuation.resume(returning: observation)
    }
  }

  private func giveUp(_ waiter: Int) {
    waiters.removeValue(forKey: waiter)?.continuation.resume(returning: nil)
  }
}
