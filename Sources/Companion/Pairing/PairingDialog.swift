public import Bluetooth

/// A question of a pairing, with the time that is left to answer it.
public struct PairingDialog: Hashable, Sendable {
  /// The headphone that the pairing is for.
  public var headphone: HeadphoneID
  /// The question, which may change while it is open, as when digits are typed on the headphone.
  public var question: PairingAgent.Question
  /// The time left in s, 0 or more; counts down once a second.
  public var secondsLeft: Int
  /// The answer that Enter gives; No until the person chooses otherwise.
  public var isYesChosen = false
  /// The digits of the headphone's number that are typed so far.
  public var digits = ""
  /// Why Enter did not take the digits; nil: nothing is wrong so far.
  public var complaint: String?

  /// A new question: nothing is typed, and all its time is left.
  public init(_ question: PairingAgent.Question, for headphone: HeadphoneID) {
    self.headphone = headphone
    self.question = question
    secondsLeft = Int(question.limit.components.seconds)
  }
}

/// The state of pairing a headphone's BR/EDR side, which follows its LE side.
public enum AudioPairing: Hashable, Sendable {
  case underWay
  case failed(FailureReason)
}

/// A step of a pairing.
public enum PairingEvent: Hashable, Sendable {
  /// A question about this headphone, or a change of one that is open: it keeps its identifier.
  case asked(HeadphoneID, PairingAgent.Question)
  /// The question with this identifier is no longer open; `isTooLate`: its time was over.
  case closed(UInt64, isTooLate: Bool)
  /// The pairing that a person asked for has ended; nil: it succeeded.
  case ended(HeadphoneID, FailureReason?)
  /// The BR/EDR side, where the headphone has one, has ended its pairing; nil: it succeeded.
  case audioEnded(HeadphoneID, FailureReason?)
  /// Whether there are keys of this headphone.
  case bonded(HeadphoneID, Bool)
}
