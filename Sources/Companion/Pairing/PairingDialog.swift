package import BluetoothRadio

/// A pairing question, with the time left to answer it.
package struct PairingDialog: Hashable, Sendable {
  package var headphone: HeadphoneID
  /// The question, which may change while it is open, such as while digits are typed on the
  /// headphone.
  package var question: PairingAgent.Question
  /// The time left in seconds.
  package var secondsLeft: Int
  /// Whether Enter answers Yes.
  package var isYesChosen = false
  /// The digits or PIN characters typed so far.
  package var typed = ""
  /// Why Enter did not accept the text, or nil if it was not rejected.
  package var complaint: String?
  /// The time when this question became the first, or nil while others are open before it.
  var appeared: Timestamp?

  /// Creates the dialog of a new question, with all its time left.
  package init(_ question: PairingAgent.Question, for headphone: HeadphoneID) {
    self.headphone = headphone
    self.question = question
    secondsLeft = Int(question.limit.components.seconds)
  }
}

/// The last pairing of a headphone that the user requested.
package enum PairingState: Hashable, Sendable {
  /// None was requested, or it succeeded.
  case none
  /// A pairing is in progress; `thenSound` connects the sound afterwards.
  case underWay(PairingStep, thenSound: Bool = false)
  /// The control link could not be paired.
  case failed(FailureReason)
  /// The BR/EDR side, which is paired after the control link, could not be paired.
  case audioFailed(FailureReason)

  /// The current step, or nil if there is none.
  package var step: PairingStep? { if case .underWay(let step, _) = self { step } else { nil } }

  var wantsSound: Bool { if case .underWay(_, true) = self { true } else { false } }

  /// Handles the end of the wanted link: a pairing that waits for it is dropped.
  mutating func loseLink() {
    switch self {
    case .underWay(.awaitingLink, _): self = .none
    case .underWay(let step, _): self = .underWay(step)
    case .none, .failed, .audioFailed: break
    }
  }
}

/// A step of a pairing.
package enum PairingStep: Hashable, Sendable {
  /// It begins when the link is ready.
  case awaitingLink
  case control
  case audio
}

/// An event of a pairing.
///
/// `asked` and `closed` come from the pairing agent for either side, the others from requested
/// pairings.
package enum PairingEvent: Hashable, Sendable {
  /// A question was asked or, if it has an open question's identifier, changed.
  case asked(HeadphoneID, PairingAgent.Question)
  /// A question was closed; `isTooLate` if its time was over.
  case closed(UInt64, isTooLate: Bool)
  /// A requested pairing ended, successfully if the failure is nil.
  case ended(HeadphoneID, FailureReason?)
  /// The pairing of the BR/EDR side ended, successfully if the failure is nil.
  case audioEnded(HeadphoneID, FailureReason?)
  /// Whether there are keys of this headphone.
  case bonded(HeadphoneID, Bool)
}
