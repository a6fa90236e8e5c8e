internal import Companion
public import Headphones

/// An image on its way to one headphone, over as many links as it takes: what the screen and the
/// command line have in common.
@MainActor
public final class FirmwareInstallation {
  let world: World
  private let image: FirmwareImage
  private let policy: FirmwarePolicy
  private let installer: FirmwareInstaller
  private var lock: UpdateLock?

  public init(_ image: FirmwareImage, by policy: FirmwarePolicy, world: World) {
    self.image = image
    self.policy = policy
    self.world = world
    installer = FirmwareInstaller(image, clock: world.clock)
  }

  /// Whether something has been sent, so that a failure of a link only pauses the update.
  var hasBegun: Bool { lock != nil }

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
  ///   - target: what the headphone tells of itself; looked at before the first byte only.
  ///   - report: is told how far it is.
  func proceed(
    with target: FirmwareTarget, named name: String, on link: any FirmwareLink,
    report: @escaping @Sendable (FirmwareProgress) async -> Void
  ) async throws(CommandError) -> FirmwareInstaller.LinkEnd {
    if lock == nil {
      try check(target)
      lock = try UpdateLock(name, in: world.known.folder)
    }
    do throws(HeadphoneError) {
      return try await installer.run(on: link, report: report)
    } catch {
      throw .command(CommandFailure(error))
    }
  }

  /// No link can be made any more.
  func giveUp() async -> FirmwareOutcome? { await installer.giveUp() }
}
