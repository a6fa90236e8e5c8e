extension FirmwareFailure {
  /// The failure, as a sentence without a full stop.
  public var explanation: String {
    switch self {
    case .impossibleAcknowledgement(let offset, let sent):
      "the headphone acknowledged \(offset) bytes, but only \(sent) were sent"
    case .blockNeverMatches(let index): "block \(index) was corrupt each time it arrived"
    case .refused(let command, let status): Self.refusal(command, status)
    case .badResponse(let command):
      "the headphone was asked to \(Self.name(command)), and its answer was malformed"
    case .noProgress: "no data got through on several links in a row"
    case .anotherOnTrial(let version): "the headphone is trying out \(version)"
    case .rolledBack(let running):
      "the new firmware failed: the headphone rolled back to \(running)"
    case .revisionDiffers(let expected, let reported):
      "the headphone restarted into \(expected), but reports \(reported)"
    case .neverCameBack: "the headphone did not come back after its restart"
    }
  }

  /// The advice, without a capital and a full stop.
  public var advice: String {
    switch self {
    case .noProgress: "bring the headphone nearer and start again; it continues where it stopped"
    case .neverCameBack: "take it out of its case; it then returns to the old firmware"
    case .rolledBack, .revisionDiffers, .anotherOnTrial:
      "wait a minute, then try again; if it happens again, report it to the maker"
    case .refused(_, .batteryTooLow): "charge both buds, then start again"
    case .refused(_, .busy): "wait until it is idle, then start again"
    case .refused(_, .notPermitted): "pair with the headphone first"
    case .refused, .impossibleAcknowledgement, .blockNeverMatches, .badResponse:
      "the old firmware is still running; report this to the maker"
    }
  }

  private static func refusal(_ command: CommandID, _ status: HeadphoneStatus) -> String {
    let reason =
      switch status {
      case .signatureInvalid: "the image is not signed by a key that it trusts"
      case .wrongHardware: "the image is for other hardware"
      case .downgradeRefused: "the image is older than firmware that it has run"
      case .digestWrong: "the image does not match the digest that was announced"
      case .batteryTooLow: "its battery is too low"
      case .busy: "it is busy"
      case .wrongState: "it is not ready for this"
      case .storageFailure: "it could not store the image"
      case .notPermitted: "it must be paired first"
      default: "status \(status.code)"
      }
    return "the headphone refused to \(name(command)): \(reason)"
  }

  private static func name(_ command: CommandID) -> String {
    switch command {
    case .firmwareBegin: "begin"
    case .firmwareData: "take data"
    case .firmwareBlockDone: "check a block"
    case .firmwareVerify: "verify the image"
    case .firmwareActivate: "restart"
    case .firmwareConfirm: "keep the image"
    case .firmwareStatus: "report its state"
    default: "carry out command \(command.rawValue)"
    }
  }
}
