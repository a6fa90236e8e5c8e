internal import Companion
public import Headphones

extension CommandTarget {
  /// The way by which firmware travels to the headphone.
  ///
  /// - Throws: ``CommandError/firmwareRefused(_:)`` where the headphone takes no firmware.
  private func firmwareLink() async throws(CommandError) -> any FirmwareLink {
    try require(\.hasFirmwareUpdate, "firmware update")
    guard let id else { throw .link(.user) }
    if let link = await effects.firmwareLink(of: id) { return link }
    guard let link = headphone?.link, !link.isReady else { throw .firmwareRefused(.unsupported) }
    throw Self.end(of: link)
  }

  /// What the headphone says of its firmware.
  public func firmwareStatus() async throws(CommandError) -> FirmwareStatus {
    let link = try await firmwareLink()
    do throws(HeadphoneError) {
      let data = try await link.perform(.status)
      guard let status = try? FirmwareStatus(decoding: data) else {
        throw .refused(.badPayload)
      }
      return status
    } catch {
      throw .command(CommandFailure(error))
    }
  }

  /// Checks what an image file alone forbids.
  ///
  /// - Throws: ``CommandError/firmwareRefused(_:)``, or ``CommandError/file(_:)``.
  public func check(
    _ path: String, trusting keys: MakerKeys, isForced: Bool
  ) async throws(CommandError) {
    let image = try await FirmwareFile.load(path)
    let trusted = await effects.world.makerKeys
    let policy = FirmwarePolicy(keys: trusted + keys, isForced: isForced)
    if let refusal = image.refusals(for: FirmwareTarget(), by: policy).first {
      throw .firmwareRefused(refusal)
    }
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
    let image = try await FirmwareFile.load(path)
    let trusted = await effects.world.makerKeys
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
      // The update outlives its links.
      store.send(.linkWanted(headphone.id, retries: true))
      try await offer(path, headphone, trusting: keys)
      let question = Question(.installFirmware(headphone.id), isYesChosen: true)
      ask(.accept, in: .question(question)) { [effects, store] effect in
        guard case .installFirmware(let id, let offer, let target) = effect else { return false }
        effects.installFirmware(offer, on: id, target, trusting: keys) { store.send($0) }
        return true
      }
    }
    return try await follow(report)
  }

  /// Links in a row that may fail before the headphone is given up.
  private static let maximumFailures = 8

  /// Lets the program look at the file.
  private func offer(
    _ path: String, _ headphone: HeadphoneState, trusting keys: MakerKeys
  ) async throws(CommandError) {
    let entry = TextEntry(.firmwareImage(headphone.id), text: path)
    ask(.accept, in: .entry(entry)) { [effects, store] effect in
      guard case .examineFirmware(let id, let path) = effect else { return false }
      effects.examineFirmware(id, at: path, trusting: keys) { store.send($0) }
      return true
    }
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
    let before = state.problem
    func why(_ state: State, else displayText: String) -> CommandError {
      guard let problem = state.problem, problem != before else {
        return .unavailable(state.notice?.text ?? displayText)
      }
      return .unavailable([problem.text, problem.advice].joined(separator: "\n"))
    }
    // Every state: a phase may be over soon.
    for await state in store.follow(.unbounded) {
      guard let headphone = id.flatMap({ state.headphones[$0] }) else { break }
      if case .reconnecting(let retry) = headphone.link, retry.attempt > Self.maximumFailures {
        throw .link(retry.after)
      }
      switch headphone.firmware.stage {
      case .running(_, let progress):
        if progress != last { report(progress) }
        last = progress
      case .ended(_, let outcome): return try outcome.version()
      case .paused: throw why(state, else: "the update is paused")
      case .none, .examining, .rejected, .offered:
        throw why(state, else: "the image is not sent")
      }
    }
    keepLink()
    throw .command(.cancelled)
  }
}

extension FirmwareOutcome {
  fileprivate func version() throws(CommandError) -> FirmwareVersion {
    switch self {
    case .installed(let version): return version
    case .failed(let failure): throw .firmwareFailed(failure)
    }
  }
}
