package import BluetoothRadio

package struct PairingDialog: Hashable, Sendable {
  package var headphone: HeadphoneID
  /// The question, which may change while digits are typed on the headphone.
  package var question: PairingAgent.Question
  package var secondsLeft: Int
  package var isYesChosen = false
  /// The digits or PIN characters typed so far.
  package var typed = ""
  /// The reason why Enter did not accept the text.
  package var complaint: String?
  /// The time when this question became the first; nil while others are open before it.
  var appeared: Timestamp?

  package init(_ question: PairingAgent.Question, for headphone: HeadphoneID) {
    self.headphone = headphone
    self.question = question
    secondsLeft = Int(question.limit.components.seconds)
  }
}

/// The last pairing of a headphone that the user requested.
package enum PairingState: Hashable, Sendable {
  /// No pairing was requested, or the last one succeeded.
  case none
  /// A pairing is in progress; `thenSound` connects the sound afterwards.
  case underWay(PairingStep, thenSound: Bool = false)
  case failed(FailureReason)
  /// The BR/EDR side, which is paired after the control link, could not be paired.
  case audioFailed(FailureReason)

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

package enum PairingStep: Hashable, Sendable {
  /// The pairing begins when the link is ready.
  case awaitingLink
  case control
  case audio
}

/// An event of the pairing agent (`asked`, `closed`), for either side, or of a requested pairing.
package enum PairingEvent: Hashable, Sendable {
  /// A question was asked or, if it has an open question's identifier, changed.
  case asked(HeadphoneID, PairingAgent.Question)
  /// A question was closed; `isTooLate` if its time was over.
  case closed(UInt64, isTooLate: Bool)
  /// A requested pairing ended, successfully if the failure is nil.
  case ended(HeadphoneID, FailureReason?)
  /// The pairing of the BR/EDR side ended, successfully if the failure is nil.
  case audioEnded(HeadphoneID, FailureReason?)
  case bonded(HeadphoneID, Bool)
}
