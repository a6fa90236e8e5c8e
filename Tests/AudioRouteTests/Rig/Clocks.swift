import Locking

/// A clock on which moments pass, but never a second: what happens after that was told by an event.
struct MomentsClock: Clock {
  var now: ContinuousClock.Instant { ContinuousClock.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    if deadline < now.advanced(by: .milliseconds(500)) {
      return try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
    let (never, ringer) = AsyncStream.makeStream(of: Never.self)
    for await _ in never {}
    withExtendedLifetime(ringer) {}
    throw CancellationError()
  }
}

/// A clock on which ten times as much passes as in reality.
struct FastClock: Clock {
  var now: ContinuousClock.Instant { ContinuousClock.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await ContinuousClock().sleep(for: now.duration(to: deadline) / 10)
  }
}

/// A clock whose sleeps end at once and are kept, until there are enough of them.
final class HurriedClock: Clock {
  private let slept = Mutex<[Duration]>([])
  private let enough: Int
  /// A sleep that never ends, and is not kept.
  private let except: Duration
  /// Tells the sleeps once they are enough.
  let finished: AsyncStream<[Duration]>
  private let finish: AsyncStream<[Duration]>.Continuation

  init(enough: Int, except: Duration) {
    self.enough = enough
    self.except = except
    (finished, finish) = AsyncStream.makeStream()
  }

  /// It stands still, so that a deadline tells the duration asked for.
  let now = ContinuousClock.now
  let minimumResolution = Swift.Duration.zero

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    if now.duration(to: deadline) == except {
      return try await MomentsClock().sleep(until: .now + .seconds(1), tolerance: tolerance)
    }
    let all = slept.withLock { slept in
      slept.append(now.duration(to: deadline))
      return slept
    }
    guard all.count >= enough else { return }
    if all.count == enough { finish.yield(all) }
    try await MomentsClock().sleep(until: .now + .seconds(1), tolerance: tolerance)
  }
}
