internal import Companion
internal import EventLoop
internal import HeadphoneDrivers
public import HeadphoneProtocols
internal import Persistence

/// An image on its way to one headphone, over as many links as it takes: what the screen and the
/// command line have in common.
@MainActor
public final class FirmwareInstallation {
  let world: Dependencies
  private let image: FirmwareImage
  /// Absolute: what a later run reads to go on.
  private let path: String
  private let policy: FirmwarePolicy
  private let installer: FirmwareInstaller
  private var lock: FirmwareLock?
  /// The progress that is written down.
  private var kept: FirmwareProgress?

  /// - Parameter path: the file that the image was read from.
  public init(
    _ image: FirmwareImage, at path: String, by policy: FirmwarePolicy, world: Dependencies
  ) {
    self.image = image
    self.path = FirmwareFile.absolute(path)
    self.policy = policy
    self.world = world
    installer = FirmwareInstaller(image, clock: world.clock)
  }

  /// - Throws: `.firmwareRefused` with the gravest of what forbids the update of this headphone.
  func check(_ target: FirmwareTarget) throws(CommandError) {
    if let refusal = image.refusals(for: target, by: policy).first {
      throw .firmwareRefused(refusal)
    }
  }

  /// Goes on with the update on a link that is ready.
  ///
  /// Cancelling the task pauses the update; the headphone keeps what it has.
  ///
  /// - Parameters:
  ///   - target: what the headphone says of itself; checked before the first byte is sent.
  ///   - report: is told how far it is.
  func proceed(
    with target: FirmwareTarget, of id: HeadphoneID, on link: any FirmwareLink,
    report: @escaping @Sendable (FirmwareProgress) async -> Void
  ) async throws(CommandError) -> FirmwareInstaller.LinkEnd {
    if lock == nil {
      try check(target)
      lock = try await Self.lock(id, in: world.known.folder)
    }
    do throws(HeadphoneError) {
      let end = try await installer.run(on: link) { [weak self] progress in
        // Before the file, which may be slow: the headphone's restart is expected from now on.
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

  private static func lock(
    _ id: HeadphoneID, in folder: StateFolder
  ) async throws(CommandError) -> FirmwareLock {
    let lock: FirmwareLock?
    do throws(FileError) {
      lock = try await FileIO.shared.run { () throws(FileError) in
        try FirmwareLock(id.rawValue, in: folder)
      }
    } catch {
      throw .file(error)
    }
    guard let lock else { throw .firmwareRefused(.updateRunning) }
    return lock
  }

  /// Writes down how far the update is, so that a later run can offer to go on.
  private func keep(
    _ progress: FirmwareProgress, of id: HeadphoneID, isLast: Bool = false
  ) async {
    guard progress.phase.isUnfinished else { return }
    // Some twenty times in all: the headphone knows it to the byte.
    let isNews =
      progress.phase != kept?.phase || progress.percent / 5 != kept.map { $0.percent / 5 }
    guard isNews || isLast else { return }
    kept = progress
    // Without the reminder the person finds the file again.
    let now = world.now()
    try? await FileIO.shared.run { [known = world.known, image, path] () throws(FileError) in
      try known.keepUpdate(to: image, at: path, bytes: progress.bytes, now, of: id)
    }
  }

  private func settle(_ end: FirmwareInstaller.LinkEnd, of id: HeadphoneID) async {
    switch end {
    case .reconnect: break
    case .finished(.failed(let failure)) where failure.isResumable: break
    case .finished:
      try? await FileIO.shared.run { [known = world.known] () throws(FileError) in
        try known.dropUpdate(of: id)
      }
    }
  }
}

extension FirmwareUpdate.Phase {
  /// Whether the headphone has a part of the image, or all of it, that is not kept yet.
  fileprivate var isUnfinished: Bool {
    switch self {
    case .transferring, .verifying, .activating, .restarting, .confirming: true
    case .waitingForLink, .asking, .beginning, .ended: false
    }
  }
}
