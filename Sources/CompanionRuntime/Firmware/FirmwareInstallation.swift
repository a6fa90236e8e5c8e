internal import Companion
internal import EventLoop
package import FirmwareCrypto
internal import HeadphoneDrivers
package import HeadphoneProtocols
internal import Persistence

/// The installation of one image on one headphone, over as many connections as needed.
///
/// The image is checked against the headphone once, before the first byte. A lock file keeps out
/// other processes of this user until the installation is released. Progress is stored in 5 % steps
/// for a later run.
@MainActor
package final class FirmwareInstallation {
  let dependencies: Dependencies
  private let image: FirmwareImage
  private let path: String
  private let policy: FirmwarePolicy
  private let installer: FirmwareInstaller
  private var lock: FirmwareLock?
  private var kept: FirmwareProgress?
  /// Whether the disk did not respond in time; nothing waits for it any more.
  private var isDiskStalled = false

  /// Creates the installation; `path` is the absolute path of the image's file.
  package init(
    _ image: FirmwareImage, at path: String, by policy: FirmwarePolicy, dependencies: Dependencies
  ) {
    self.image = image
    self.path = path
    self.policy = policy
    self.dependencies = dependencies
    installer = FirmwareInstaller(image, clock: dependencies.clock)
  }

  /// Throws the most serious objection to the image, if there is one.
  func check(_ target: FirmwareTarget) throws(CommandError) {
    if let refusal = image.refusals(for: target, by: policy).first {
      throw .firmwareRefused(refusal)
    }
  }

  /// Continues the update over a ready link, and returns how this connection's part ended.
  ///
  /// `target` is checked before the first byte. Cancelling the task pauses the update.
  func proceed(
    with target: FirmwareTarget, of id: HeadphoneID, on link: any FirmwareLink,
    report: @escaping @Sendable (FirmwareProgress) async -> Void
  ) async throws(CommandError) -> FirmwareInstaller.LinkEnd {
    if lock == nil {
      try check(target)
      lock = try await Self.lock(id, in: dependencies.known.folder)
    }
    do throws(HeadphoneError) {
      let end = try await installer.run(on: link) { [weak self] progress in
        // Before the file is written, which may be slow, as the restart is expected from now on.
        await report(progress)
        await self?.keep(progress, of: id)
      }
      await settle(end, of: id)
      return end
    } catch {
      await keep(await installer.progress, of: id, isLast: true)
      throw .command(CommandFailure(error))
    }
  }

  /// Throws `updateRunning` if another process has the lock, `file` if the disk is stalled.
  private static func lock(
    _ id: HeadphoneID, in folder: StateFolder
  ) async throws(CommandError) -> FirmwareLock {
    let locked = await FileIO.shared.run(within: lockTimeout) {
      Result { () throws(FileError) in try FirmwareLock(id.rawValue, in: folder) }
    }
    switch locked {
    case .success(let lock?): return lock
    case .success(nil): throw .firmwareRefused(.updateRunning)
    case .failure(let error): throw .file(error)
    case nil: throw .file(.stalled(path: folder.path))
    }
  }

  private func keep(
    _ progress: FirmwareProgress, of id: HeadphoneID, isLast: Bool = false
  ) async {
    guard progress.phase.isUnfinished else { return }
    // In 5 % steps, as the headphone knows the exact offset.
    let isNews =
      progress.phase != kept?.phase || progress.percent / 5 != kept.map { $0.percent / 5 }
    guard isNews || isLast else { return }
    kept = progress
    // Best effort: without the file, the user chooses the image again.
    let now = dependencies.now()
    await write { [known = dependencies.known, image, path] in
      try? known.keepUpdate(to: image, at: path, bytes: progress.bytes, now, of: id)
    }
  }

  /// Changes a file; waits for a hanging disk only once and briefly, as the transfer continues.
  private func write(_ change: @escaping @Sendable () -> Void) async {
    // Not cancelled with the transfer: a later run resumes from the last write.
    let writing = Task { await FileIO.shared.run(within: Self.diskTimeout, change) != nil }
    guard !isDiskStalled else { return }
    isDiskStalled = await !writing.value
  }

  private static let diskTimeout: Duration = .seconds(3)
  private static let lockTimeout: Duration = .seconds(10)

  /// Deletes the stored progress once nothing can be resumed.
  private func settle(_ end: FirmwareInstaller.LinkEnd, of id: HeadphoneID) async {
    switch end {
    case .reconnect: break
    case .finished(.failed(let failure)) where failure.isResumable: break
    case .finished:
      await write { [known = dependencies.known] in try? known.dropUpdate(of: id) }
    }
  }
}

extension FirmwareUpdate.Phase {
  /// Whether the headphone has received some or all of the image but not confirmed it.
  fileprivate var isUnfinished: Bool {
    switch self {
    case .transferring, .verifying, .activating, .restarting, .confirming: true
    case .waitingForLink, .asking, .beginning, .ended: false
    }
  }
}
