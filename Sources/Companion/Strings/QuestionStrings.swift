import BluetoothCodec
import HeadphoneProtocols

extension Question {
  /// The answers as verbs, so that they can be told apart without the question.
  public var answers: (no: String, yes: String) {
    switch subject {
    case .find: ("Cancel", "Play")
    case .forget: ("Keep", "Forget")
    case .pairedDevice(_, let order):
      order.action == .forget ? ("Keep", "Forget") : ("Cancel", "Disconnect")
    case .factoryReset(_, isCertain: false): ("Cancel", "Reset")
    case .factoryReset(_, isCertain: true): ("Cancel", "Erase")
    case .installFirmware: ("Cancel", "Install")
    case .replaceEQ: ("Keep", "Replace")
    case .writeAttribute: ("Cancel", "Write")
    case .deleteEQ, .deleteScene: ("Keep", "Delete")
    case .runFix: ("Cancel", "Run")
    case .quitDuringUpdate: ("Stay", "Quit")
    }
  }
}

extension State {
  /// What a question is about, as its title.
  public func title(of question: Question) -> String {
    switch question.subject {
    case .find: "Play a loud sound?"
    case .forget: "Forget this headphone?"
    case .pairedDevice(_, let order):
      order.action == .forget ? "Forget this device?" : "Disconnect this computer?"
    case .factoryReset(_, isCertain: false): "Factory reset?"
    case .factoryReset(_, isCertain: true): "Erase everything now?"
    case .installFirmware: "Install firmware?"
    case .replaceEQ: "Replace the preset?"
    case .writeAttribute: "Write these bytes?"
    case .deleteEQ: "Delete the preset?"
    case .deleteScene: "Delete the scene?"
    case .runFix: "Run this fix?"
    case .quitDuringUpdate: "Quit during the update?"
    }
  }

  /// What a question says: what happens, what is lost, how long it takes.
  ///
  /// Names are those of the headphones, unsanitised; the dialog sanitises what it draws.
  public func displayText(for question: Question) -> String {
    switch question.subject {
    case .find(let id, let sides?):
      "Play a loud sound on the \(sides.displayText) bud of \(name(of: id))? "
        + "Take it out of your ear first."
    case .find(let id, nil):
      "Play a loud sound on \(name(of: id))? "
        + (headphones[id]?.hasOneBattery == true
          ? "Take it off first." : "Take both buds out of your ears first.")
    case .forget(let id):
      "Forget \(name(of: id))? It won't reconnect automatically. Its pairing keys are deleted, "
        + "Earshot's and bluetoothd's, so the desktop forgets it as well."
    case .pairedDevice(let id, let order): text(of: order, for: id)
    case .factoryReset(let id, isCertain: false):
      "Reset \(name(of: id)) to factory settings? Its name, its settings and all its pairings, "
        + "also with other devices, are lost."
    case .factoryReset(let id, isCertain: true):
      "This cannot be undone, and \(name(of: id)) must be paired again. Reset it now?"
    case .installFirmware(let id): installText(id)
    case .replaceEQ(let saved):
      "A preset \"\(saved.name)\" exists. Replace it? Its gains are lost."
    case .writeAttribute(let write): writeText(write)
    case .deleteEQ(let name):
      "Delete the preset \"\(name)\"? Its gains are lost; the headphone keeps what it has now."
    case .deleteScene(let name):
      "Delete the scene \"\(name)\" from the configuration file? What is set now stays."
    case .runFix(let fix):
      "Run `\(fix.text)` in this terminal? The screen comes back afterwards."
    case .quitDuringUpdate:
      "Quit while the firmware is being updated? The update pauses: install the same image again, "
        + "and it continues where it stopped."
    }
  }

  /// What a command for a paired device ends.
  private func text(of order: PairedDeviceCommand, for id: HeadphoneID) -> String {
    let device = headphones[id].map(pairedDevices)?.first { $0.address == order.address }
    let title = device?.title ?? order.address.description
    return order.action == .forget
      ? "Make \(name(of: id)) forget \(title)? They must be paired again before they can connect."
      : "Disconnect \(title) from \(name(of: id))? "
        + (device?.isThisComputer == true ? "Its" : "If that is this computer, its")
        + " sound and this link end; connect it again from here, or with the headphone's own button."
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
