internal import Companion
internal import EventLoop
internal import FirmwareCrypto
internal import HeadphoneDrivers
internal import HeadphoneProtocols
internal import Persistence

/// The firmware updates in progress, at most one for each headphone.
///
/// An update spans connections: its ``FirmwareInstallation`` remains while links come and go, and
/// each new link continues it with ``install(_:on:_:trusting:over:send:released:)``.
///
/// | call | actions that answer it |
/// | --- | --- |
/// | ``ask(_:over:send:)`` | `reported`, or none where the headphone does not answer |
/// | ``recall(_:send:)`` | `recalled`, if there is an unfinished update |
/// | ``examine(_:path:trusting:send:)`` | `examined` or `rejected` |
/// | install | `progressed`, then one of `ended`, `refused`, `stopped`, `needsLink` |
/// | ``pause(_:)`` | none |
@MainActor
final class FirmwareUpdateManager {
  typealias Send = LiveEffectHandler.Send

  @MainActor private final class Work {
    var installation: FirmwareInstallation?
    var task: Task<Void, Never>?
  }

  private let dependencies: Dependencies
  private let tasks: TaskRegistry
  private var works: [HeadphoneID: Work] = [:]

  init(dependencies: Dependencies, tasks: TaskRegistry) {
    self.dependencies = dependencies
    self.tasks = tasks
  }

  func ask(_ id: HeadphoneID, over session: HeadphoneConnection?, send: @escaping Send) {
    tasks.run {
      guard let link = session?.firmwareLink,
        let data = try? await link.perform(.status),
        let status = try? FirmwareStatus(decoding: data)
      else { return }
      send(.firmware(id, .reported(status)))
    }
  }

  /// Reports an update that an earlier run left unfinished, unless another process is running it.
  func recall(_ id: HeadphoneID, send: @escaping Send) {
    tasks.run { [known = dependencies.known] in
      let update = await FileIO.shared.run {
        known.isUpdating(id) ? nil : known.unfinishedUpdate(of: id)
      }
      if let update {
        send(.firmware(id, .recalled(update)))
      }
    }
  }

  /// Reads and verifies an image; the requester's `keys` are trusted in addition to the app's.
  func examine(
    _ id: HeadphoneID, path: String, trusting keys: MakerKeys, send: @escaping Send
  ) {
    tasks.run { [dependencies] in
      do throws(CommandError) {
        let image = try await FirmwareFile.load(path).image
        let trusted = await dependencies.makerKeys + keys
        let offer = FirmwareCandidate(
          path: path, manifest: image.manifest, trust: image.trust(in: trusted))
        send(.firmware(id, .examined(offer)))
      } catch {
        send(
          .firmware(id, .rejected(path: path, reason: error.what, advice: error.advice)))
      }
    }
  }

  /// Starts or resumes an update; `released` is called when the connection no longer carries it.
  func install(
    _ offer: FirmwareCandidate, on id: HeadphoneID, _ target: FirmwareTarget,
    trusting keys: MakerKeys, over session: HeadphoneConnection, send: @escaping Send,
    released: @escaping @MainActor () -> Void
  ) {
    let work = works[id] ?? Work()
    works[id] = work
    let previous = work.task
    work.task = Task {
      // The task of the previous connection may not have ended yet.
      await previous?.value
      let news = await carry(offer, on: id, target, keys, over: session, work, send)
      released()
      guard works[id] === work, !Task.isCancelled, let news else { return }
      if news != .needsLink { works[id] = nil }
      send(.firmware(id, news))
    }
  }

  /// Pauses an update; the headphone keeps what it received, and the same image resumes there.
  func pause(_ id: HeadphoneID) { works.removeValue(forKey: id)?.task?.cancel() }

  /// Pauses all updates, and returns when they have released their connections.
  func close() async {
    let tasks = works.values.compactMap(\.task)
    works = [:]
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  /// Runs one connection's part of an update.
  ///
  /// - Returns: `ended` with the outcome, `needsLink` to continue with the next connection,
  ///   `refused` for a failed check, `stopped` for a problem with the file, or nil if the link has
  ///   ended, which is reported elsewhere.
  private func carry(
    _ offer: FirmwareCandidate, on id: HeadphoneID, _ target: FirmwareTarget, _ keys: MakerKeys,
    over session: HeadphoneConnection, _ work: Work, _ send: @escaping Send
  ) async -> FirmwareEvent? {
    do throws(CommandError) {
      let installation = try await installation(of: offer, for: work, trusting: keys)
      guard let link = session.firmwareLink else { return nil }
      let end = try await installation.proceed(
        with: target, of: id, on: link
      ) { [weak self, weak work] progress in
        await self?.report(progress, of: id, from: work, send)
      }
      switch end {
      case .finished(let outcome): return .ended(outcome)
      case .reconnect: return session.firmwareLink == nil ? nil : .needsLink
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
    of offer: FirmwareCandidate, for work: Work, trusting keys: MakerKeys
  ) async throws(CommandError) -> FirmwareInstallation {
    if let installation = work.installation { return installation }
    let (image, path) = try await FirmwareFile.load(offer.path)
    guard image.manifest == offer.manifest else {
      throw .unavailable("\(offer.path) has changed since it was checked")
    }
    let installation = FirmwareInstallation(
      image, at: path,
      by: FirmwarePolicy(
        keys: await dependencies.makerKeys + keys, isForced: offer.isForced),
      dependencies: dependencies)
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
