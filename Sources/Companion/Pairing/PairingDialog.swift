public import Bluetooth

/// A question of a pairing, with the time that is left to answer it.
public struct PairingDialog: Hashable, Sendable {
  /// The headphone that the pairing is for.
  public var headphone: HeadphoneID
  /// The question, which may change while it is open, as when digits are typed on the headphone.
  public var question: PairingAgent.Question
  /// The time left in s, 0 or more; counts down once a second.
  public var secondsLeft: Int
  /// The answer that Enter gives; No until another one is chosen.
  public var isYesChosen = false
  /// The digits of the headphone's number, or the characters of its PIN, that are typed so far.
  public var typed = ""
  /// Why Enter did not take what was typed; nil: nothing is wrong so far.
  public var complaint: String?

  /// A new question: nothing is typed, and all its time is left.
  public init(_ question: PairingAgent.Question, for headphone: HeadphoneID) {
    self.headphone = headphone
    self.question = question
    secondsLeft = Int(question.limit.components.seconds)
  }
}

/// The pairing of a headphone that the user asked for last.
public enum PairingState: Hashable, Sendable {
  /// None was asked for, or it succeeded.
  ///
  /// No pairing; the default.
  case none
  /// It waits for something; `thenSound`: whether the user wants the sound here once it is paired.
  case underWay(PairingStep, thenSound: Bool = false)
  /// The control link could not be paired.
  case failed(FailureReason)
  /// The BR/EDR side, which follows the control link, could not be paired.
  case audioFailed(FailureReason)

  /// The step that is under way; nil: none.
  public var step: PairingStep? { if case .underWay(let step, _) = self { step } else { nil } }

  /// Whether the user wants the sound here once it is paired.
  var wantsSound: Bool { if case .underWay(_, true) = self { true } else { false } }

  /// The link is no longer wanted: what waits for it is dropped, and a pairing that is under way
  /// ends with a reason of its own.
  mutating func loseLink() {
    switch self {
    case .underWay(.awaitingLink, _): self = .none
    case .underWay(let step, _): self = .underWay(step)
    case .none, .failed, .audioFailed: break
    }
  }
}

/// A step of a pairing.
public enum PairingStep: Hashable, Sendable {
  /// It begins as soon as the link is ready.
  case awaitingLink
  /// The control link is being paired.
  case control
  /// The BR/EDR side is being paired.
  case audio
}

/// A step of a pairing.
///
/// `asked` and `closed` come from the pairing agent, for pairings of either side; the rest report
/// how one that the user asked for goes on.
public enum PairingEvent: Hashable, Sendable {
  /// A question about this headphone, or a change of one that is open: it keeps its identifier.
  case asked(HeadphoneID, PairingAgent.Question)
  /// The question with this identifier is no longer open; `isTooLate`: its time was over.
  case closed(UInt64, isTooLate: Bool)
  /// The pairing that was asked for has ended; nil: it succeeded.
  case ended(HeadphoneID, FailureReason?)
  /// The BR/EDR side, where the headphone has one, has ended its pairing; nil: it succeeded.
  case audioEnded(HeadphoneID, FailureReason?)
  /// Whether there are keys of this headphone.
  case bonded(HeadphoneID, Bool)
}
