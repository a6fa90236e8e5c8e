import Headphones

/// What keys do about firmware: choose an image, look at it, say yes.
extension State {
  /// Opens the page; on it, chooses another image.
  mutating func openFirmware(at moment: Moment) -> [Effect] {
    guard let headphone = headphones.selected else { return sayNotConnected(at: moment) }
    if page == .firmware { return chooseImage(for: headphone) }
    guard let capabilities = headphone.capabilities else { return sayNotConnected(at: moment) }
    guard capabilities.hasFirmwareUpdate else {
      return sayMissing("firmware update", of: headphone.id, at: moment)
    }
    page = .firmware
    let asking: [Effect] = headphone.link.isReady ? [.askFirmware(headphone.id)] : []
    guard headphone.firmware.stage == .none else { return asking }
    return asking + [.recallFirmware(headphone.id)] + chooseImage(for: headphone)
  }

  /// Enter on the page: the next step.
  mutating func actOnFirmware(at moment: Moment) -> [Effect] {
    guard let headphone = headphones.selected else { return sayNotConnected(at: moment) }
    switch headphone.firmware.stage {
    case .none where headphone.firmware.resumable != nil:
      return examine(headphone.firmware.path, for: headphone.id)
    case .none, .rejected, .ended(_, .installed): return chooseImage(for: headphone)
    case .examining, .running: return []
    case .offered(let offer), .paused(let offer, _), .ended(let offer, .failed):
      return askToInstall(offer, on: headphone, at: moment)
    }
  }

  /// Reads the file that was typed.
  mutating func examine(_ text: String, for id: HeadphoneID) -> [Effect] {
    let path = text.withoutQuotes
    guard !path.isEmpty else { return [] }
    setStage(.examining(path: path), of: id)
    return [.examineFirmware(id, path: path)]
  }

  /// The person has said yes.
  mutating func install(on id: HeadphoneID, at moment: Moment) -> [Effect] {
    guard let headphone = readyHeadphone, headphone.id == id, var offer = headphone.firmware.offer
    else { return sayNotConnected(at: moment) }
    let refusals = headphone.firmwareChecks.compactMap(\.refusal)
    guard let gravest = refusals.first(where: { !$0.canBeForced }) else {
      offer.isForced = !refusals.isEmpty
      let start = FirmwareProgress(
        phase: .asking, bytes: 0, total: Int(offer.manifest.imageSize))
      setStage(.running(offer, start), of: id)
      return note(.info, id, "firmware \(offer.manifest.version) is being installed", at: moment)
        + resumeUpdate(of: id, at: moment)
    }
    return sayRefused(gravest, id, at: moment)
  }

  /// An earlier run's file stands in the entry already, unless something was typed meanwhile.
  mutating func recall(_ update: UnfinishedUpdate, for id: HeadphoneID) {
    headphones.update(id) { $0.firmware.unfinished = update }
    guard case .entry(let entry) = dialog, entry == TextEntry(.firmwareImage(id)),
      let resumable = headphones[id]?.firmware.resumable
    else { return }
    dialog = .entry(TextEntry(.firmwareImage(id), text: resumable.path))
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
    _ offer: FirmwareOffer, on headphone: HeadphoneState, at moment: Moment
  ) -> [Effect] {
    guard headphone.link.isReady else { return sayNotConnected(at: moment) }
    let refusals = headphone.firmwareChecks.compactMap(\.refusal)
    if let gravest = refusals.first(where: { !$0.canBeForced }) {
      return sayRefused(gravest, headphone.id, at: moment)
    }
    dialog = .question(Question(.installFirmware(headphone.id)))
    return []
  }

  private mutating func sayRefused(
    _ refusal: FirmwareRefusal, _ id: HeadphoneID, at moment: Moment
  ) -> [Effect] {
    complain(
      "firmware is not sent: \(refusal.explanation)", advice: refusal.advice, id, at: moment)
  }
}
