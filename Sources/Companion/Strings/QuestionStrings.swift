import BluetoothCodec
import HeadphoneProtocols

/// What a question says.
public struct QuestionWords: Sendable {
  /// What it is about.
  public let title: String
  /// What happens, what is lost, how long it takes.
  ///
  /// Names are those of the headphones, unsanitised; the dialog sanitises what it draws.
  public let text: String
  /// The answers as verbs, so that they can be told apart without the question.
  public let choices: (no: String, yes: String)

  fileprivate init(_ title: String, no: String = "Cancel", yes: String, _ text: String) {
    self.title = title
    self.text = text
    choices = (no, yes)
  }
}

extension State {
  /// The words of a question, as they are true now.
  public func words(of question: Question) -> QuestionWords {
    switch question.subject {
    case .find(let id, let sides?):
      QuestionWords(
        "Play a loud sound?", yes: "Play",
        "Play a loud sound on the \(sides.displayText) bud of \(name(of: id))? "
          + "Take it out of your ear first.")
    case .find(let id, nil):
      QuestionWords(
        "Play a loud sound?", yes: "Play",
        "Play a loud sound on \(name(of: id))? "
          + (headphones[id]?.hasOneBattery == true
            ? "Take it off first." : "Take both buds out of your ears first."))
    case .forget(let id):
      QuestionWords(
        "Forget this headphone?", no: "Keep", yes: "Forget",
        "Forget \(name(of: id))? It won't reconnect automatically. Its pairing keys are deleted, "
          + "Earshot's and bluetoothd's, so the desktop forgets it as well.")
    case .pairedDevice(let id, let command): words(of: command, for: id)
    case .factoryReset(let id, isCertain: false):
      QuestionWords(
        "Factory reset?", yes: "Reset",
        "Reset \(name(of: id)) to factory settings? Its name, its settings and all its pairings, "
          + "also with other devices, are lost.")
    case .factoryReset(let id, isCertain: true):
      QuestionWords(
        "Erase everything now?", yes: "Erase",
        "This cannot be undone, and \(name(of: id)) must be paired again. Reset it now?")
    case .installFirmware(let id):
      QuestionWords("Install firmware?", yes: "Install", installText(id))
    case .replaceEQ(let saved):
      QuestionWords(
        "Replace the preset?", no: "Keep", yes: "Replace",
        "A preset \"\(saved.name)\" exists. Replace it? Its gains are lost.")
    case .writeAttribute(let write):
      QuestionWords("Write these bytes?", yes: "Write", writeText(write))
    case .deleteEQ(let name):
      QuestionWords(
        "Delete the preset?", no: "Keep", yes: "Delete",
        "Delete the preset \"\(name)\"? Its gains are lost; the headphone keeps what it has now.")
    case .deleteScene(let name):
      QuestionWords(
        "Delete the scene?", no: "Keep", yes: "Delete",
        "Delete the scene \"\(name)\" from the configuration file? What is set now stays.")
    case .runFix(let fix):
      QuestionWords(
        "Run this fix?", yes: "Run",
        "Run `\(fix.text)` in this terminal? The screen comes back afterwards.")
    case .quitDuringUpdate:
      QuestionWords(
        "Quit during the update?", no: "Stay", yes: "Quit",
        "Quit while the firmware is being updated? The update pauses: install the same image again, "
          + "and it continues where it stopped.")
    }
  }

  /// What a command for a paired device ends.
  private func words(of command: PairedDeviceCommand, for id: HeadphoneID) -> QuestionWords {
    let device = headphones[id].map(pairedDevices)?.first { $0.address == command.address }
    let title = device?.title ?? command.address.description
    guard command.action != .forget else {
      return QuestionWords(
        "Forget this device?", no: "Keep", yes: "Forget",
        "Make \(name(of: id)) forget \(title)? They must be paired again before they can connect.")
    }
    return QuestionWords(
      "Disconnect this computer?", yes: "Disconnect",
      "Disconnect \(title) from \(name(of: id))? "
        + (device?.isThisComputer == true ? "Its" : "If that is this computer, its")
        + " sound and this link end; connect it again from here, or with the headphone's own button."
    )
  }

  /// The note on what continues in the owner when a client's screen is quit; nil: nothing notable.
  public var clientQuitText: String? {
    headphones.first(where: \.firmware.isRunning).map {
      "the firmware update of \(name(of: $0.id)) continues in the earshot that owns the link"
    }
  }

  /// The bytes in full, with their handle and the kind of write: what is asked is what is sent.
  private func writeText(_ write: AttributeWrite) -> String {
    let title =
      headphones[write.headphone]?.inspection?.characteristic(write.handle)?.title ?? "the value"
    let count = write.bytes.count
    return "Write \(count) \(count == 1 ? "byte" : "bytes") to \(title), handle "
      + "\(handleText(write.handle)), \(write.withResponse ? "with" : "without") response: "
      + "\(hexadecimalText(write.bytes))? A wrong write can damage the headphone."
  }

  /// The headphone's name, unsanitised, or its address where it has none.
  public func name(of id: HeadphoneID) -> String {
    guard let headphone = headphones[id] else { return id.rawValue }
    return headphone.name.isEmpty ? headphone.address.address.description : headphone.name
  }
}
