/// Detects an owner that does not answer, and decides when to warn the user and when to give up.
///
/// The kernel reports an owner that exits, by the end of the connection. This covers the others: a
/// process that was stopped (^Z), that hangs, or that serves no client until its own command has
/// ended. A value without a clock: ``check(_:isStopped:)`` is called each time that ``pause`` has
/// passed.
///
/// ```swift
/// var monitor = OwnerLivenessMonitor(limit: .seconds(20))
/// monitor.receive(.begun)
/// monitor.check(process, isStopped: false)    // .ping
/// monitor.check(process, isStopped: false)    // .report(.silent(process))
/// ```
struct OwnerLivenessMonitor: Hashable, Sendable {
  /// The client's next step.
  enum Step: Hashable, Sendable {
    case wait
    /// To send ``ClientMessage/ping``, which a running owner answers at once.
    case ping
    /// To warn the user.
    case report(OwnerUnavailable.Problem)
    case giveUp(OwnerUnavailable.Problem)
  }

  private enum Stage {
    /// Nothing was received since the request.
    case requested
    /// The owner sent ``OwnerMessage/busy``.
    case queued
    case running
    /// The last ping is unanswered.
    case pinged
  }

  /// Time in which an owner must answer a request or a ping.
  static let responseTimeout = Duration.seconds(5)

  /// Time until the next check.
  private(set) var pause = Duration.seconds(1)
  private let limit: Duration?
  private var stage = Stage.requested
  /// Time until a ping counts as unanswered, or is followed by the next one.
  ///
  /// Doubles while there is nothing but answers, up to the limit: a command that runs for hours
  /// must cause few wake-ups.
  private var interval = responseTimeout
  /// Since the request, and later since the report.
  private var waited = Duration.zero
  private var reported: OwnerUnavailable.Problem?

  /// - Parameter limit: time from the report of a problem to giving up; nil: for ever.
  init(limit: Duration?) { self.limit = limit }

  /// Receives the owner's next message.
  mutating func receive(_ message: OwnerMessage) {
    if message == .busy { stage = .queued }
    if message == .begun || stage == .pinged { stage = .running }
    if message != .alive { interval = Self.responseTimeout }
  }

  /// Checks the owner.
  ///
  /// - Parameters:
  ///   - process: its process ID, if known.
  ///   - isStopped: whether the kernel says that it is stopped.
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
