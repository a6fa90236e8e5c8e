internal import Companion
public import HeadphoneDrivers
public import HeadphoneProtocols

extension SharedHeadphone {
  /// The way of the owner's link.
  ///
  /// - Throws: ``CommandError/firmwareRefused(_:)`` where the headphone takes no firmware.
  public func firmwareLink() async throws(CommandError) -> any FirmwareLink {
    try require(\.hasFirmwareUpdate, "firmware update")
    guard let id else { throw .link(.user) }
    if let link = await effects.firmwareLink(of: id) { return link }
    guard let link = headphone?.link, !link.isReady else { throw .firmwareRefused(.unsupported) }
    throw Self.end(of: link)
  }

  /// Lets the program install an image, as its screen would; gives the version that runs then.
  ///
  /// All screens show it. One that is under way already is followed. It goes on when this is
  /// cancelled: the program carries it, not the command.
  ///
  /// - Parameters:
  ///   - path: absolute, for the program opens the file too.
  ///   - keys: makers who are trusted for this image, beside those that the program trusts.
  ///   - report: is told how far it is.
  public func install(
    _ path: String, trusting keys: MakerKeys, isForced: Bool,
    report: (FirmwareProgress) -> Void
  ) async throws(CommandError) -> FirmwareVersion {
    let image = try FirmwareFile.read(path)
    let trusted = await effects.firmware.keys(for: path)
    guard let headphone else { throw .link(.user) }
    try require(\.hasFirmwareUpdate, "firmware update")
    if case .running(let offer, _) = headphone.firmware.stage {
      guard offer.manifest == image.manifest else {
        throw .unavailable("another update of it is under way: \(displayable(offer.path))")
      }
    } else {
      let policy = FirmwarePolicy(keys: trusted + keys, isForced: isForced)
      if let refusal = image.refusals(for: FirmwareTarget(headphone), by: policy).first {
        throw .firmwareRefused(refusal)
      }
      effects.firmware.trust(keys, for: path)
      try await offer(path, headphone)
      view.dialog = .question(.init(.installFirmware(headphone.id), isYesChosen: true))
      ask(.accept)
    }
    return try await follow(report)
  }

  /// Lets the program look at the file.
  private func offer(_ path: String, _ headphone: HeadphoneState) async throws(CommandError) {
    view.dialog = .entry(TextEntry(.firmwareImage(headphone.id), text: path))
    ask(.accept)
    for await state in store.follow() {
      switch state.headphones[headphone.id]?.firmware.stage {
      case .examining?: continue
      case .offered(let offer)? where offer.path == path: return
      case .rejected(_, let reason, _)?: throw .unavailable(reason)
      default: throw .unavailable("somebody else has chosen another image for it")
      }
    }
    throw .link(.localHost)
  }

  private func follow(
    _ report: (FirmwareProgress) -> Void
  ) async throws(CommandError) -> FirmwareVersion {
    var last: FirmwareProgress?
    for await state in store.follow() {
      guard let headphone = id.flatMap({ state.headphones[$0] }) else { break }
      switch headphone.firmware.stage {
      case .running(_, let progress):
        if progress != last { report(progress) }
        last = progress
      case .ended(_, let outcome): return try outcome.version()
      case .paused: throw .unavailable(state.notice?.text ?? "the update is paused")
      case .none, .examining, .rejected, .offered:
        throw .unavailable(state.notice?.text ?? "the image is not sent")
      }
    }
    keepLink()
    throw .command(.cancelled)
  }
}
