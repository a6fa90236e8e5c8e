/// How much may be on the way, measured by what arrives.
///
/// A buffer that takes all at once would make everything else on the link wait behind it. Twice
/// what the link carries in its shortest round trip keeps it busy; more only waits. As the measure
/// itself grows with what is on the way, it doubles with every round trip until the link is full.
struct Pace: Sendable {
  /// What was known when a frame left.
  struct Departure: Hashable, Sendable {
    var timestamp: Duration
    /// Bytes that had arrived by then.
    var arrived: Int
    /// When the last of those were acknowledged.
    var lastArrival: Duration
  }

  /// At first, before anything is known: frames, and s that they may wait on a slow link.
  private static let framesAtFirst = 16
  private static let waitAtFirst = 2.0
  private static let fewestFrames = 8

  private var arrived = 0
  private var lastArrival: Duration?
  /// The shortest round trip, and the most bytes that one event has acknowledged.
  private(set) var shortestTrip: Duration?
  private var largestStep = 0
  /// Bytes a second; the highest of the last while.
  private var bestRate = Maximum()
  /// Bytes.
  private(set) var limit: Int

  init(longestFrame: Int, leastRate: Double?) {
    limit = Self.framesAtFirst * longestFrame
    if let leastRate { limit = max(1, min(limit, Int(leastRate * Self.waitAtFirst))) }
  }

  func departure(at now: Duration) -> Departure {
    Departure(timestamp: now, arrived: arrived, lastArrival: lastArrival ?? now)
  }

  /// Whether this many more bytes may leave when others are on the way.
  func allows(_ bytes: Int, beyond onTheWay: Int) -> Bool {
    onTheWay == 0 || onTheWay + bytes <= limit
  }

  /// Notes that a frame has arrived, with `bytes` in all; gives the order in which it did.
  mutating func arrived(_ flight: Flight, bytes: Int, at now: Duration) -> Int {
    arrived += bytes
    largestStep = max(largestStep, bytes)
    lastArrival = now
    let trip = now - flight.sent.timestamp
    // A frame that was sent again just now has arrived by its first sending.
    if flight.order != flight.firstOrder, trip < shortestTrip ?? .zero { return flight.firstOrder }
    if flight.order == flight.firstOrder { shortestTrip = min(shortestTrip ?? trip, trip) }
    let span = now - flight.sent.lastArrival
    if span > .zero {
      bestRate.add(Double(arrived - flight.sent.arrived) / span.inSeconds, at: now)
    }
    return flight.order
  }

  /// Recalculates the limit from the measurements.
  ///
  /// - Parameter frame: bytes of a frame.
  mutating func update(frame: Int) {
    guard let shortestTrip, let rate = bestRate.value, arrived > 2 * frame else { return }
    let carried = Int(rate * shortestTrip.inSeconds)
    limit = max(Self.fewestFrames * frame, 2 * carried + largestStep)
  }
}

/// The highest value of the last 2 to 4 s.
struct Maximum: Sendable {
  private static let window: Duration = .seconds(2)
  private var current: Double?
  private var previous: Double?
  private var since: Duration = .zero

  var value: Double? { [current, previous].compactMap { $0 }.max() }

  mutating func add(_ value: Double, at now: Duration) {
    if now - since >= Self.window {
      previous = current
      current = nil
      since = now
    }
    current = max(current ?? value, value)
  }
}

extension Duration {
  /// Seconds.
  var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
