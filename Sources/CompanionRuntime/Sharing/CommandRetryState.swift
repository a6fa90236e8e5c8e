/// How far an owner has come with a visitor's command, by what it has answered.
///
/// An owner may leave at any time, and the visitor must know then what doing the command again
/// does. So an owner says ``Answer/acting(as:)`` before the headphone hears of it, never after.
public struct CommandRetryState: Hashable, Sendable {
  /// What doing a command a second time does.
  public enum Repetition: Hashable, Sendable {
    /// The same as doing it once.
    case harmless
    /// One more step: only the owner knows which word does the same however often.
    case step
    /// Nobody knows.
    case unknown
  }

  /// What is left to do when the owner has left.
  public enum Rest: Hashable, Sendable {
    /// All of it; `word`: instead of the step that was asked for.
    case everything(word: String?)
    case nothing
    /// It may have been done, and must not be done twice.
    case unknown
  }

  /// The owner is awake.
  public private(set) var hasBegun = false
  /// From here on the command may have been done.
  public private(set) var hasActed = false
  private var word: String?
  private var hasAnswered = false

  public init() {}

  /// Takes the owner's next answer.
  public mutating func take(_ answer: Answer) {
    switch answer {
    case .begun: hasBegun = true
    case .acting(let word):
      hasActed = true
      self.word = word ?? self.word
    case .output: hasAnswered = true
    case .busy, .alive, .message, .progress, .ask, .end: break
    }
  }

  /// What an owner that leaves now leaves to do.
  ///
  /// - Parameter isAnsweredOnce: the command writes when all is done, and not before.
  public func rest(of repetition: Repetition, isAnsweredOnce: Bool) -> Rest {
    if isAnsweredOnce, hasAnswered { return .nothing }
    guard hasActed else { return .everything(word: nil) }
    switch repetition {
    case .harmless: return .everything(word: nil)
    case .step: return word.map { .everything(word: $0) } ?? .unknown
    case .unknown: return .unknown
    }
  }
}
