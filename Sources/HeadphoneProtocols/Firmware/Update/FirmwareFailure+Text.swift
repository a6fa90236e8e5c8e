extension FirmwareFailure {
  /// What has happened, as a sentence without its full stop.
  public var explanation: String {
    switch self {
    case .impossibleAcknowledgement(let offset, let sent):
      "the headphone acknowledged \(offset) bytes, and \(sent) were sent"
    case .blockNeverMatches(let index): "block \(index) arrived wrong each time"
    case .refused(let command, let status): Self.refusal(command, status)
    case .badAnswer(let command): "the answer to \(Self.name(command)) made no sense"
    case .noProgress: "nothing arrived on several links in a row"
    case .anotherOnTrial(let version): "the headphone is trying out \(version)"
    case .rolledBack(let running):
      "the new firmware did not stay: the headphone went back to \(running)"
    case .revisionDiffers(let expected, let reported):
      "the headphone restarted into \(expected), and calls itself \(reported)"
    case .neverCameBack: "the headphone did not come back after its restart"
    }
  }

  /// What a person can do about it, as a full sentence.
  public var advice: String {
    switch self {
    case .noProgress: "Bring the headphone nearer and start again; it goes on where it stopped."
    case .neverCameBack: "Take it out of its case; it goes back to the old firmware by itself."
    case .rolledBack, .revisionDiffers, .anotherOnTrial:
      "Wait a minute, then try again; if it happens again, tell the maker."
    case .refused(_, .batteryTooLow): "Charge both buds, then start again."
    case .refused(_, .busy): "Wait until what it does has ended, then start again."
    case .refused(_, .notPermitted): "Pair with the headphone first."
    case .refused, .impossibleAcknowledgement, .blockNeverMatches, .badAnswer:
      "The old firmware still runs; tell the maker what you see here."
    }
  }

  /// The sentence for a status that a command was refused with.
  private static func refusal(_ command: CommandID, _ status: HeadphoneStatus) -> String {
    let reason =
      switch status {
      case .signatureInvalid: "no key that it trusts has signed the image"
      case .wrongHardware: "the image is for other hardware"
      case .downgradeRefused: "the image is older than what it has run"
      case .digestWrong: "the image that arrived is not the one that was announced"
      case .batteryTooLow: "its battery is too low"
      case .busy: "it is busy"
      case .wrongState: "it is not ready for this"
      case .storageFailure: "it could not store the image"
      case .notPermitted: "it wants to be paired first"
      default: "status \(status.code)"
      }
    return "the headphone refused to \(name(command)): \(reason)"
  }

  /// A command as a verb phrase.
  private static func name(_ command: CommandID) -> String {
    switch command {
    case .firmwareBegin: "begin"
    case .firmwareData: "take data"
    case .firmwareBlockDone: "check a block"
    case .firmwareVerify: "verify the image"
    case .firmwareActivate: "restart"
    case .firmwareConfirm: "keep the image"
    case .firmwareStatus: "tell its state"
    default: "carry out command \(command.rawValue)"
    }
  }
}
