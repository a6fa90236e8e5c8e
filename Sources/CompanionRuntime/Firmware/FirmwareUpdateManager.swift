internal import Companion
internal import EventLoop
internal import Headphones
internal import Persistence

/// The updates that the screen has begun, at most one of each headphone.
@MainActor
final class FirmwareUpdateManager {
  typealias Send = LiveEffectHandler.Send

  /// One update, over all its links.
  @MainActor private final class Work {
    var installation: FirmwareInstallation?
    var task: Task<Void, Never>?
  }

  private let world: Dependencies
  private var works: [HeadphoneID: Work] = [:]
  /// Makers whom a command trusted for the image at a path.
  private var clientKeys: [String: MakerKeys] = [:]

  init(world: Dependencies) { self.world = world }

  func ask(_ id: HeadphoneID, over session: HeadphoneConnection?, send: @escaping Send) {
    Task {
      guard let link = await session?.firmwareLink,
        let data = try? await link.perform(.status),
        let status = try? FirmwareStatus(decoding: data)
      else { return }
      send(.firmware(id, .reported(status)))
    }
  }

  /// Tells of an update that an earlier run has begun, if there is one.
  func recall(_ id: HeadphoneID, send: @escaping Send) {
    Task { [known = world.known] in
      let update = await FileIO.shared.run {
        known.isUpdating(id) ? nil : known.unfinishedUpdate(of: id)
      }
      if let update {
        send(.firmware(id, .recalled(update)))
      }
    }
  }

  /// Trusts makers, beside those whom the program trusts, for the image at a path.
  func trust(_ keys: MakerKeys, for path: String) { clientKeys[path] = keys }

  /// Who is trusted for the image at a path.
  func keys(for path: String) async -> MakerKeys {
    await FileIO.shared.run { [world] in world.trustedKeys() }
      + clientKeys[path, default: MakerKeys()]
  }

  /// Reads an image; a leading "~/" is the home directory, as in a shell.
  private func image(at path: String) async throws(CommandError) -> FirmwareImage {
    try await FileIO.shared.run { () throws(CommandError) in
      try FirmwareFile.read(FirmwareFile.absolute(path))
    }
  }

  func examine(_ id: HeadphoneID, path: String, send: @escaping Send) {
    Task {
      do throws(CommandError) {
        let image = try await image(at: path)
        let offer = FirmwareCandidate(
          path: path, manifest: image.manifest, trust: image.trust(in: await keys(for: path)))
        send(.firmware(id, .examined(offer)))
      } catch {
        send(
          .firmware(id, .rejected(path: path, reason: error.what, advice: error.advice)))
      }
    }
  }

  /// Begins an update, or goes on with it, over a session that is ready.
  ///
  /// `released`: called when the session carries it no more, however that came.
  func install(
    _ offer: FirmwareCandidate, on id: HeadphoneID, over session: HeadphoneConnection,
    send: @escaping Send,
    released: @escaping @MainActor () -> Void
  ) {
    let work = works[id] ?? Work()
    works[id] = work
    let previous = work.task
    work.task = Task {
      // The run on the link before has ended, or is about to.
      await previous?.value
      let news = await carry(offer, on: id, over: session, work, send)
      released()
      guard works[id] === work, !Task.isCancelled, let news else { return }
      if news != .needsLink { works[id] = nil }
      send(.firmware(id, news))
    }
  }

  /// Stops an update where it is.
  func pause(_ id: HeadphoneID) { works.removeValue(forKey: id)?.task?.cancel() }

  /// Stops all; returns when they have let go of their headphones.
  func close() async {
    let tasks = works.values.compactMap(\.task)
    works = [:]
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  /// One link's part of an update; nil: the link's own end tells what is to be told.
  private func carry(
    _ offer: FirmwareCandidate, on id: HeadphoneID, over session: HeadphoneConnection, _ work: Work,
    _ send: @escaping Send
  ) async -> FirmwareEvent? {
    do throws(CommandError) {
      let installation = try await installation(of: offer, for: work)
      guard let link = await session.firmwareLink else { return nil }
      // What the headphone tells of itself was looked at when the person said yes.
      let end = try await installation.proceed(
        with: FirmwareTarget(), of: id, on: link
      ) { [weak self, weak work] progress in
        await self?.report(progress, of: id, from: work, send)
      }
      switch end {
      case .finished(let outcome): return .ended(outcome)
      // A link that has ended by itself needs no other end.
      case .reconnect: return await session.firmwareLink == nil ? nil : .needsLink
      }
    } catch {
      switch error {
      case .firmwareRefused(let refusal): return .refused(refusal)
      case .command(.noResponse): return .needsLink
      case .command(.linkLost), .command(.cancelled): return nil
      default: return .stopped(reason: error.what, advice: error.advice)
      }
    }
  }

  private func installation(
    of offer: FirmwareCandidate, for work: Work
  ) async throws(CommandError) -> FirmwareInstallation {
    if let installation = work.installation { return installation }
    let image = try await image(at: offer.path)
    guard image.manifest == offer.manifest else {
      throw .unavailable("\(offer.path) is another image than the one that was looked at")
    }
    let installation = FirmwareInstallation(
      image, at: offer.path,
      by: FirmwarePolicy(keys: await keys(for: offer.path), isForced: offer.isForced),
      world: world)
    work.installation = installation
    return installation
  }

  private func report(
    _ progress: FirmwareProgress, of id: HeadphoneID, from work: Work?, _ send: Send
  ) {
    guard let work, works[id] === work else { return }
    send(.firmware(id, .progressed(progress)))
  }
}
