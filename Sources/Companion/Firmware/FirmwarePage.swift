import HeadphoneProtocols

extension UserCommand {
  package static let firmware = UserCommand(
    "firmware", keys: ["U"], "update the headphone's firmware (asks)", hint: 90, label: "Update",
    availability: { $0.known("firmware update") { $1.hasFirmwareUpdate } }
  ) { state, _ in state.openFirmware() }
}

extension PageKind {
  package static let firmware = PageKind(
    "Firmware",
    commands: [
      PageCommand(
        .accept, "choose a file, install, continue or try again",
        currentLabel: { $0.labelForInstalling }
      ) { $0.actOnFirmware(at: $1) },
      PageCommand(
        .firmware, "choose another file", currentLabel: { $0.hasImage ? "Other file" : nil }
      ) { $0.chooseImage(at: $1) },
      PageCommand(
        .nextANC,
        currentLabel: { $0.isInstalling && $0.readyHeadphone != nil ? "Noise" : nil }),
      PageCommand(
        .connectOrDisconnect,
        currentLabel: { $0.isInstalling ? UserCommand.connectOrDisconnect.label(in: $0) : nil }),
    ])
}

extension Question.Subject {
  package static func installFirmware(_ id: HeadphoneID) -> Self {
    Self("Install firmware?", yes: "Install", of: id, text: { $0.installText(id) }) {
      $0.install(on: id, at: $1)
    }
  }
}

extension TextEntry.Purpose {
  package static func firmwareImage(_ id: HeadphoneID) -> Self {
    Self(
      "FIRMWARE IMAGE", "Path to a .fw file (nothing is installed yet).", of: id, isPath: true
    ) { state, entry, _ in
      state.dialog = nil
      return state.examine(entry.text, for: id)
    }
  }
}

extension State {
  /// Opens the page, and requests the headphone's status and the unfinished update of an earlier
  /// run.
  fileprivate mutating func openFirmware() -> [Effect] {
    guard let headphone = headphones.selected else { return [] }
    page = .firmware
    let asking: [Effect] = headphone.link.isReady ? [.askFirmware(headphone.id)] : []
    guard headphone.firmware.stage == .none else { return asking }
    return asking + [.recallFirmware(headphone.id)] + chooseImage(for: headphone)
  }

  fileprivate var labelForInstalling: String? {
    guard let headphone = headphones.selected else { return nil }
    switch headphone.firmware.stage {
    case .offered where headphone.firmwareChecks.contains { $0.refusal?.canBeForced == false }:
      return nil
    case .none where headphone.firmware.resumable != nil: return "Continue"
    case .none, .rejected, .ended(_, .installed): return "Choose file"
    case .examining, .running: return nil
    case .offered: return "Install"
    case .paused: return "Continue"
    case .ended(_, .failed): return "Try again"
    }
  }

  fileprivate var hasImage: Bool {
    guard let firmware = headphones.selected?.firmware else { return false }
    return switch firmware.stage {
    case .none: firmware.resumable != nil
    case .offered, .paused, .ended(_, .failed): true
    case .rejected, .ended(_, .installed), .examining, .running: false
    }
  }

  fileprivate var isInstalling: Bool {
    switch headphones.selected?.firmware.stage {
    case .examining, .running: true
    default: false
    }
  }

  /// Takes the next step: asks for an image, or whether to install the current one.
  fileprivate mutating func actOnFirmware(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected else { return noteNotConnected(at: timestamp) }
    switch headphone.firmware.stage {
    case .none where headphone.firmware.resumable != nil:
      return examine(headphone.firmware.path, for: headphone.id)
    case .none, .rejected, .ended(_, .installed): return chooseImage(for: headphone)
    case .examining, .running: return []
    case .offered(let offer), .paused(let offer, _), .ended(let offer, .failed):
      return askToInstall(offer, on: headphone, at: timestamp)
    }
  }

  /// Reads the file at a path, which may be quoted.
  fileprivate mutating func examine(_ text: String, for id: HeadphoneID) -> [Effect] {
    let path = text.withoutQuotes
    guard !path.isEmpty else { return [] }
    setStage(.examining(path: path), of: id)
    return [.examineFirmware(id, path: path)]
  }

  /// Installs the image, after repeating all checks.
  ///
  /// The charge and version may have changed while the question was open. The update is forced only
  /// if the headphone itself may overrule all refusals, such as of an older version.
  fileprivate mutating func install(on id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = readyHeadphone, headphone.id == id, var offer = headphone.firmware.offer
    else { return noteNotConnected(at: timestamp) }
    let refusals = headphone.firmwareChecks.compactMap(\.refusal)
    guard let gravest = refusals.first(where: { !$0.canBeForced }) else {
      offer.isForced = !refusals.isEmpty
      let start = FirmwareProgress(
        phase: .asking, bytes: 0, total: Int(offer.manifest.imageSize))
      setStage(.running(offer, start), of: id)
      return note(.info, id, "firmware \(offer.manifest.version) is being installed", at: timestamp)
    }
    return noteRefused(gravest, id, at: timestamp)
  }

  /// Enters the path of an earlier run's file, unless the user has typed something.
  mutating func recall(_ update: InterruptedUpdate, for id: HeadphoneID) {
    headphones.update(id) { $0.firmware.unfinished = update }
    guard case .entry(let entry) = dialog, entry == TextEntry(.firmwareImage(id)),
      let resumable = headphones[id]?.firmware.resumable
    else { return }
    dialog = .entry(TextEntry(.firmwareImage(id), text: resumable.path))
  }

  fileprivate mutating func chooseImage(at timestamp: Timestamp) -> [Effect] {
    headphones.selected.map { chooseImage(for: $0) } ?? noteNotConnected(at: timestamp)
  }

  private mutating func chooseImage(for headphone: HeadphoneState) -> [Effect] {
    switch headphone.firmware.stage {
    case .running, .examining: break
    case .none, .rejected, .offered, .paused, .ended:
      dialog = .entry(TextEntry(.firmwareImage(headphone.id), text: headphone.firmware.path))
    }
    return []
  }

  private mutating func askToInstall(
    _ offer: FirmwareCandidate, on headphone: HeadphoneState, at timestamp: Timestamp
  ) -> [Effect] {
    guard headphone.link.isReady else { return noteNotConnected(at: timestamp) }
    let refusals = headphone.firmwareChecks.compactMap(\.refusal)
    if let gravest = refusals.first(where: { !$0.canBeForced }) {
      return noteRefused(gravest, headphone.id, at: timestamp)
    }
    dialog = .question(Question(.installFirmware(headphone.id)))
    return []
  }

  private mutating func noteRefused(
    _ refusal: FirmwareRefusal, _ id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    complain(
      "firmware not sent: \(refusal.explanation)", advice: refusal.advice, id, at: timestamp)
  }
}
