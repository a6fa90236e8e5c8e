import BluetoothCodec
import BluetoothRadio

extension PairingRequest {
  var displayText: String {
    switch self {
    case .consent: "whether to pair"
    case .compare: "whether the numbers are the same"
    case .show: "for a number to be typed on the headphone"
    case .enter: "for the headphone's number"
    case .enterPIN: "for the headphone's PIN"
    case .showPIN: "for a PIN to be typed on the headphone"
    }
  }
}

extension State {
  /// Returns the text of the dialog, without the number.
  package func displayText(for open: PairingDialog) -> String {
    let name = name(of: open.headphone)
    switch open.question.request {
    case .consent:
      return "Pair with \(name)? Its controls are then encrypted, and its sound can connect. There "
        + "is no number to compare: say yes only if you have just put it in pairing mode."
    case .compare: return "Does \(name) show, or say, this number?"
    case .show: return "Type this number on \(name)."
    case .enter: return "Type the number that \(name) shows, or says."
    case .enterPIN: return "Type the PIN from the manual of \(name)."
    case .showPIN: return "Type this PIN on \(name)."
    }
  }
}

extension FailureReason {
  package var wordsOfAudioSide: String { "its audio side is not paired: \(displayText)" }

  var remedy: UserCommand? {
    switch self {
    case .security(let failure): failure.remedy
    case .start: nil
    }
  }
}

extension SecurityFailure {
  var remedy: UserCommand? {
    switch self {
    case .refused, .declined, .unanswered, .unattended, .timedOut, .noAgent, .keyMissing: .pair
    case .notPermitted, .unsupported, .closed, .bluetoothdUnresponsive, .bluetoothd: nil
    }
  }
}
