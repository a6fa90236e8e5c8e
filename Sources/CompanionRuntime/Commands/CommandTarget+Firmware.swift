internal import Companion
package import FirmwareCrypto
internal import HeadphoneDrivers
package import HeadphoneProtocols

extension CommandTarget {
  private func firmwareLink() async throws(CommandError) -> any FirmwareLink {
    try require(.firmware)
    guard let id else { throw .link(.user) }
    if let link = effects.firmwareLink(of: id) { return link }
    guard let link = headphone?.link, !link.isReady else { throw .firmwareRefused(.unsupported) }
    throw Self.end(of: link)
  }

  /// Reads the running version, and the state of an interrupted transfer.
  package func firmwareStatus() async throws(CommandError) -> FirmwareStatus {
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

  /// Checks everything about an image that needs no headphone: format, digest, signature.
  package func check(
    _ path: String, trusting keys: MakerKeys, isForced: Bool
  ) async throws(CommandError) {
    let image = try await FirmwareFile.load(path).image
    let trusted = await effects.dependencies.makerKeys
    let policy = FirmwarePolicy(keys: trusted + keys, isForced: isForced)
    if let refusal = image.refusals(for: FirmwareTarget(), by: policy).first {
      throw .firmwareRefused(refusal)
    }
  }

  /// Installs an image through the app, and returns the version that runs afterwards.
  ///
  /// Screens show the progress. An update that is already running is followed instead. Cancelling
  /// the task does not cancel the update, which belongs to the app.
  ///
  /// - Parameters:
  ///   - path: The absolute path, because the owner of the link opens the file.
  ///   - keys: Vendor keys trusted for this image, in addition to the app's.
  ///
  /// - Throws: ``CommandError/firmwareRefused(_:)`` before the first byte,
  ///   ``CommandError/firmwareFailed(_:)`` after it.
  package func install(
    _ path: String, trusting keys: MakerKeys, isForced: Bool,
    report: (FirmwareProgress) -> Void
  ) async throws(CommandError) -> FirmwareVersion {
    let image = try await FirmwareFile.load(path).image
    let trusted = await effects.dependencies.makerKeys
    guard let headphone else { throw .link(.user) }
    try require(.firmware)
    if case .running(let offer, _) = headphone.firmware.stage {
      guard offer.manifest == image.manifest else {
        throw .unavailable(
          "another update of this headphone is under way: \(displayable(offer.path))")
      }
    } else {
      let policy = FirmwarePolicy(keys: trusted + keys, isForced: isForced)
      if let refusal = image.refusals(for: FirmwareTarget(headphone), by: policy).first {
        throw .firmwareRefused(refusal)
      }
      // An update spans several connections: the headphone restarts.
      store.send(.linkWanted(headphone.id, by: holder, retries: true))
      try await offer(path, headphone, trusting: keys)
      let question = Question(.installFirmware(headphone.id), isYesChosen: true)
      let refusal = ask(.accept, in: .question(question)) { [effects, store] effect in
        guard case .installFirmware(let id, let offer, let target) = effect else { return false }
        effects.installFirmware(offer, on: id, target, trusting: keys) { store.send($0) }
        return true
      }
      if let refusal { throw .unavailable(refusal) }
    }
    return try await follow(report)
  }

  /// The number of failures after which the headphone is not expected back from its restart.
  private static let maximumFailures = 8

  /// Has the app read and verify the file, as if the user had entered the path on a screen.
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
      default: throw .unavailable("another image has been chosen for this headphone meanwhile")
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
    // Unbounded, as a phase may last for one state only.
    for await state in store.follow(.unbounded) {
      guard let headphone = id.flatMap({ state.headphones[$0] }) else { break }
      if case .reconnecting(let retry) = headphone.link, retry.attempt > Self.maximumFailures {
        throw .link(retry.after)
      }
      // The update goes on when the adapter is back, and the headphone keeps what it has received.
      try requireAdapter()
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
