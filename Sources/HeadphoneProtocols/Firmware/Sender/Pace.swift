/// A congestion window: the number of bytes that may be in flight, derived from acknowledgements.
///
/// Sending as fast as the local buffer accepts would make all other traffic on the link wait behind
/// the image. The window is twice the bandwidth-delay product (the highest delivery rate of the
/// last seconds times the shortest round trip), plus the largest single acknowledgement. That keeps
/// the link busy without a queue. As the measured rate itself grows with the bytes in flight, the
/// window doubles with every round trip until the link is full.
struct Pace: Sendable {
  /// The state of the measurement at the time a frame was sent.
  struct Departure: Hashable, Sendable {
    /// The time at which the frame was sent, on the caller's clock.
    var timestamp: Duration
    /// The number of bytes that had been acknowledged by then.
    var arrived: Int
    /// The time of the most recent of those acknowledgements.
    var lastArrival: Duration
  }

  /// The initial window in frames, before anything has been measured.
  private static let framesAtFirst = 16
  /// The longest time, in seconds, that the initial window may take on a slow link.
  private static let waitAtFirst = 2.0
  /// The lower limit of the window, in frames.
  private static let fewestFrames = 8

  /// The number of bytes that have been acknowledged.
  private var arrived = 0
  /// When the last acknowledgement arrived.
  private var lastArrival: Duration?
  /// The shortest round-trip time so far; `nil` before the first acknowledgement.
  private(set) var shortestTrip: Duration?
  /// The largest number of bytes that a single event has acknowledged.
  private var largestStep = 0
  /// The highest delivery rate of the last 2 to 4 s, in bytes per second.
  private var bestRate = Maximum()
  /// The window: the number of bytes that may be in flight.
  private(set) var limit: Int

  /// Opens the initial window.
  ///
  /// - Parameters:
  ///   - longestFrame: the length of the longest frame in bytes.
  ///   - leastRate: a lower bound of the link's rate in bytes per second; `nil` if unknown.
  init(longestFrame: Int, leastRate: Double?) {
    limit = Self.framesAtFirst * longestFrame
    if let leastRate { limit = max(1, min(limit, Int(leastRate * Self.waitAtFirst))) }
  }

  /// The record to keep with a frame that is sent now.
  func departure(at now: Duration) -> Departure {
    Departure(timestamp: now, arrived: arrived, lastArrival: lastArrival ?? now)
  }

  /// Whether a frame fits into the window; a single frame always does.
  ///
  /// - Parameters:
  ///   - bytes: the length of the frame's data.
  ///   - onTheWay: the number of bytes in flight.
  func allows(_ bytes: Int, beyond onTheWay: Int) -> Bool {
    onTheWay == 0 || onTheWay + bytes <= limit
  }

  /// Measures the round trip and the delivery rate by an acknowledged frame.
  ///
  /// A frame that was retransmitted a moment ago, in less time than any round trip, must have
  /// arrived by its first transmission; its measurement is ignored (Karn's algorithm).
  ///
  /// - Parameters:
  ///   - flight: the newest frame that the event acknowledges.
  ///   - bytes: the number of bytes that the event acknowledges.
  ///   - now: the time of the event.
  /// - Returns: the transmission that arrived, as its place in the order of all transmissions.
  mutating func arrived(_ flight: Flight, bytes: Int, at now: Duration) -> Int {
    arrived += bytes
    largestStep = max(largestStep, bytes)
    lastArrival = now
    let trip = now - flight.sent.timestamp
    // Too fast for a round trip: the first transmission has arrived.
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

/// The highest value of the last 2 to 4 s, in constant space.
///
/// Values are kept in two consecutive windows of 2 s. When the current window is over, it replaces
/// the previous one.
struct Maximum: Sendable {
  private static let window: Duration = .seconds(2)
  private var current: Double?
  private var previous: Double?
  private var since: Duration = .zero

  /// The maximum of both windows; `nil` if they are empty.
  var value: Double? { [current, previous].compactMap { $0 }.max() }

  /// Records a value, at a time not earlier than that of the previous one.
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
  /// The duration in seconds, as a floating-point number.
  var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
