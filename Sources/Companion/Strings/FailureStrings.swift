package import HeadphoneProtocols

extension HeadphoneStatus {
  /// The status in lower case; unknown codes keep their number.
  package var displayText: String {
    switch self {
    case .ok: "ok"
    case .unknownCommand: "unknown command"
    case .badPayload: "bad payload"
    case .busy: "busy"
    case .notPermitted: "not permitted without pairing"
    case .batteryTooLow: "battery too low"
    case .badChecksum: "bad checksum"
    case .versionNotSupported: "version not supported"
    case .wrongState: "not possible right now"
    case .storageFailure: "storage failure"
    case .signatureInvalid: "signature invalid"
    case .wrongHardware: "wrong hardware"
    case .downgradeRefused: "downgrade refused"
    case .timeout: "timeout"
    case .notWorn: "not worn"
    case .digestWrong: "image digest wrong"
    case .blockChecksumWrong: "block checksum wrong"
    case .unspecified: "unspecified error"
    case .other(let code): "unknown code \(code)"
    }
  }

  package var advice: String {
    switch self {
    case .busy, .timeout: "try again in a moment"
    case .notPermitted: "pair the headphone first"
    case .batteryTooLow: "charge it first"
    case .wrongState: "take the buds out of your ears, or the headphone out of its case"
    case .notWorn: "put the buds in your ears"
    default: ""
    }
  }
}

extension CommandFailure {
  /// The failure in lower case, to follow a command: "Noise control off: …".
  package var displayText: String {
    switch self {
    case .unsupported(let feature): "the headphone has no \(feature)"
    case .refused(let status): "the headphone refused: \(status.displayText)"
    case .broadcast(let failure): failure.displayText
    case .noResponse: "the headphone did not answer"
    case .badArgument(let what): what
    case .readOnly: HeadphoneError.readOnlyWords
    case .withheld: "bluetoothd holds the link, and keeps this for itself"
    case .notReady: "the headphone is not ready yet"
    case .attribute(let what): what
    case .linkLost(let reason): "the link ended: \(reason.displayText)"
    case .notSecured(let reason): reason.displayText
    case .cancelled: "cancelled"
    }
  }

  package var advice: String {
    switch self {
    case .unsupported, .badArgument, .attribute, .cancelled: ""
    case .readOnly(let file): HeadphoneError.advice(for: file)
    case .refused(let status): status.advice
    case .broadcast(let failure): failure.advice
    case .withheld: Self.withheldAdvice
    case .notReady: "try again in a moment"
    case .noResponse: "try again; if it happens again, reconnect"
    case .linkLost(let reason): reason.advice
    case .notSecured(let reason): reason.advice
    }
  }
}

extension CommandFailure {
  /// The advice for a feature that bluetoothd keeps to itself: use a link of this program.
  package static let withheldAdvice =
    "disconnect it in the desktop's Bluetooth settings, then connect it here"
}

extension CommandFailure {
  var remedy: UserCommand? {
    if case .notSecured(let reason) = self { reason.remedy } else { nil }
  }
}

extension HeadphoneCommand {
  /// The command in words, as the beginning of a sentence about its outcome.
  package var displayText: String {
    switch self {
    case .setANC(let mode): "noise control \(mode.title.lowercased())"
    case .setANCLevel(let level): "noise control level \(level)"
    case .setEQ(let preset): "equaliser \(preset.title.lowercased())"
    case .setCustomEQ: "custom equaliser"
    case .setVolume(let volume): "volume \(volume.displayText)"
    case .find(let sides, let isOn): isOn ? "find \(sides.displayText)" : "find stop"
    case .setTouchAction(let side, let gesture, _):
      "touch action of \(side.name) \(gesture.title)"
    case .readTouchActions: "touch actions"
    case .set(let id, let value): "\(id.displayText) \(value.text)"
    case .pairedDevice(let action, let address): "\(action.title) \(address)"
    case .broadcast(.join(let broadcast, _)): "listening to \(broadcast.title)"
    case .broadcast(.leave): "leaving the broadcast"
    case .announceSearch(let isOn): "search for broadcasts \(isOn ? "begins" : "ends")"
    case .rename: "rename"
    case .restart: "restart"
    case .factoryReset: "factory reset"
    }
  }
}
