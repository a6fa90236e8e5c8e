/// Decides when a client asks a silent owner whether it is awake, warns the person, and gives up.
///
/// It has no clock: it is asked after each ``pause``.
public struct OwnerLivenessMonitor: Hashable, Sendable {
  /// What there is to do.
  public enum Deed: Hashable, Sendable {
    case nothing
    /// To send a ``ClientMessage/ping``, which an owner that is awake answers at once.
    case ask
    /// The person should know.
    case report(OwnerUnavailable.Kind)
    case giveUp(OwnerUnavailable.Kind)
  }

  /// How long an owner may take to begin, and to answer a ping.
  static let answerTime = Duration.seconds(5)

  /// Until the next look.
  public private(set) var pause = Duration.seconds(1)
  private let limit: Duration?
  private var stage = Stage.asked
  private var question = Question.none
  /// Between an answer and the next question: ever longer, for a command that goes on for hours
  /// must not wake anything up.
  private var interval = Duration.seconds(1)
  /// Since the request, and then since the person was told.
  private var waited = Duration.zero
  private var reported: OwnerUnavailable.Kind?

  private enum Stage { case asked, waiting, begun }
  private enum Question { case none, asked, answered }

  /// - Parameter limit: from the word of what is wrong until the end; nil: for ever.
  public init(limit: Duration?) { self.limit = limit }

  /// Takes the owner's next answer.
  public mutating func receive(_ message: OwnerMessage) {
    switch message {
    case .busy: stage = .waiting
    case .begun: stage = .begun
    case .resolved, .alive, .output, .message, .progress, .ask, .end: break
    }
    if message != .alive { interval = .seconds(1) }
    if question == .asked { question = .answered }
  }

  /// Looks at the owner.
  ///
  /// - Parameter process: its number, if it is known.
  public mutating func look(at process: Int32?, isStopped: Bool) -> Deed {
    if stage == .asked {
      waited += pause
      guard waited >= Self.answerTime else { return .nothing }
      return .giveUp(isStopped ? .stopped(process) : .silent(process))
    }
    guard let trouble = trouble(process, isStopped) else { return ask() }
    if reported != trouble {
      (reported, waited, pause) = (trouble, .zero, .seconds(1))
      return .report(trouble)
    }
    waited += pause
    if let limit, waited >= limit { return .giveUp(trouble) }
    return .nothing
  }

  private func trouble(_ process: Int32?, _ isStopped: Bool) -> OwnerUnavailable.Kind? {
    if isStopped { return .stopped(process) }
    if stage == .waiting { return .busy(process) }
    return question == .asked ? .silent(process) : nil
  }

  private mutating func ask() -> Deed {
    reported = nil
    if question == .answered {
      (question, pause) = (.none, interval)
      return .nothing
    }
    (question, pause) = (.asked, Self.answerTime)
    interval = limit.map { min(interval * 2, max($0, .seconds(1))) } ?? interval * 2
    return .ask
  }
}
