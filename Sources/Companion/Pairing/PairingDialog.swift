/// What pairing asks of the person, with the time that is left to answer.
public struct PairingDialog: Hashable, Sendable {
  /// What is asked.
  public var question: PairingQuestion
  /// 0 or more; counts down once a second.
  public var secondsLeft: Int
  /// The answer that Enter gives; No until the person chooses otherwise.
  public var isYesChosen = false
  /// What was typed so far of the headphone's number.
  public var digits = ""
  /// Why Enter did not take it; nil: nothing wrong so far.
  public var complaint: String?

  /// As it is when it is asked: nothing is typed, and all the time is left.
  public init(_ question: PairingQuestion) {
    self.question = question
    secondsLeft = question.seconds
  }
}

/// Something that pairing asks.
public struct PairingQuestion: Hashable, Sendable {
  /// The same while the question changes, as when digits are typed on the headphone.
  public var id: PairingID
  /// Whom it is about.
  public var headphone: HeadphoneID
  /// What the person is to do.
  public var need: PairingNeed
  /// What helps to answer; nil: nothing.
  public var hint: String?
  /// How long the answer is waited for, from now on.
  public var seconds: Int

  public init(
    id: PairingID, headphone: HeadphoneID, need: PairingNeed, hint: String? = nil, seconds: Int
  ) {
    self.id = id
    self.headphone = headphone
    self.need = need
    self.hint = hint
    self.seconds = seconds
  }
}

/// Which question of a pairing.
public struct PairingID: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// What the person is to do; numbers are six digits.
public enum PairingNeed: Hashable, Sendable {
  /// Say whether to pair at all.
  case consent
  /// Say whether the headphone has the same number.
  case compare(String)
  /// Type the number on the headphone, where so many digits are typed already.
  case show(String, entered: Int)
  /// Type the number of the headphone here.
  case enter
}

/// What the person says.
public enum PairingReply: Hashable, Sendable {
  case yes
  case no
  /// Six digits.
  case number(String)
}

/// What becomes of a headphone's audio side when its other side is paired.
public enum AudioPairing: Hashable, Sendable {
  case underWay
  case failed(FailureReason)
}

/// How pairing goes on.
public enum PairingEvent: Hashable, Sendable {
  /// Also for a question that has changed: it keeps its identity.
  case asked(PairingQuestion)
  /// A question is not to be answered any more; `isTooLate`: its time was over.
  case closed(PairingID, isTooLate: Bool)
  /// What the person asked for with a key has ended; nil: well.
  case ended(HeadphoneID, FailureReason?)
  /// After that its audio side has, where it has one; nil: well.
  case audioEnded(HeadphoneID, FailureReason?)
  /// Whether there are keys of this headphone.
  case bonded(HeadphoneID, Bool)
}
