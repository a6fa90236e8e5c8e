/// A monitor of an owner that may not answer: when to warn the user, and when to give up.
///
/// An owner that exits ends the connection. This monitor covers an owner that is stopped (^Z),
/// hangs, or serves no client until its command has ended. It has no clock: ``check(_:isStopped:)``
/// is called after each ``pause``.
struct OwnerLivenessMonitor: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    case wait
    /// Send ``ClientMessage/ping``, which a running owner answers immediately.
    case ping
    case report(OwnerUnavailable.Problem)
    case giveUp(OwnerUnavailable.Problem)
  }

  private enum Stage {
    case requested
    case queued
    case running
    case pinged
  }

  static let responseTimeout = Duration.seconds(5)

  private(set) var pause = Duration.seconds(1)
  private var limit: Duration?
  private var stage = Stage.requested
  /// The time until a ping counts as unanswered, or is followed by the next one.
  ///
  /// It doubles while only answers arrive, up to the limit, to cause few wake-ups.
  private var interval = responseTimeout
  /// The time since the request, or since the report.
  private var waited = Duration.zero
  private var reported: OwnerUnavailable.Problem?

  /// Creates a monitor that gives up `limit` after reporting a problem, or never if it is nil.
  init(limit: Duration?) { self.limit = limit }

  mutating func receive(_ message: OwnerMessage) {
    if message == .busy { stage = .queued }
    if case .command(let traits) = message { limit = traits.limit }
    if message == .begun || stage == .pinged { stage = .running }
    if message != .alive { interval = Self.responseTimeout }
  }

  /// Returns the next step; `process` is the owner's process ID, if known.
  mutating func check(_ process: Int32?, isStopped: Bool) -> Step {
    let problem: OwnerUnavailable.Problem
    switch stage {
    case _ where isStopped: problem = .stopped(process)
    case .queued: problem = .busy(process)
    case .requested, .pinged: problem = .silent(process)
    case .running:
      (stage, reported, pause) = (.pinged, nil, interval)
      interval = limit.map { min(interval * 2, max($0, Self.responseTimeout)) } ?? interval * 2
      return .ping
    }
    if stage != .requested, reported != problem {
      (reported, waited, pause) = (problem, .zero, .seconds(1))
      return .report(problem)
    }
    waited += pause
    guard let limit = stage == .requested ? Self.responseTimeout : limit, waited >= limit else {
      return .wait
    }
    return .giveUp(problem)
  }
}
