public import Companion
internal import FirmwareCrypto
internal import GATT
public import Headphones

/// An image on its way to one headphone, over as many links as it takes.
@MainActor
public struct FirmwareInstallation {
  private let image: FirmwareImage
  private let policy: FirmwarePolicy
  private let world: World
  private var finder: Finder
  private let log: @MainActor (LogLine) -> Void

  /// Links in a row that may fail before the headphone is given up.
  private static let patience = 8

  public init(
    _ image: FirmwareImage, by policy: FirmwarePolicy, world: World, finder: Finder,
    log: @escaping @MainActor (LogLine) -> Void = { _ in }
  ) {
    self.image = image
    self.policy = policy
    self.world = world
    self.finder = finder
    self.log = log
  }

  /// Installs the image; gives the version that runs then.
  ///
  /// Cancelling the task pauses the update; the next one goes on where it stopped.
  public mutating func run(
    report: @escaping @Sendable (FirmwareProgress) async -> Void
  ) async throws(CommandError) -> FirmwareVersion {
    if let refusal = image.refusals(for: FirmwareTarget(), by: policy).first {
      throw .firmwareRefused(refusal)
    }
    let installer = FirmwareInstaller(image, clock: world.clock)
    var isChecked = false
    var failures = 0
    while !Task.isCancelled {
      var end: FirmwareInstaller.LinkEnd?
      let link = OneShot(world: world, finder: finder, log: log)
      do throws(CommandError) {
        try await link.run { headphone throws(CommandError) in
          if !isChecked { try check(headphone.headphone) }
          isChecked = true
          failures = 0
          end = try await Self.install(installer, on: headphone.firmwareLink(), report)
        }
      } catch {
        // Before the first link is there nothing has begun, and a refusal is no accident.
        guard isChecked, error.isOfTheLink else { throw error }
        failures += 1
      }
      if case .finished(let outcome)? = end { return try Self.result(outcome) }
      if failures > Self.patience, let outcome = await installer.giveUp() {
        return try Self.result(outcome)
      }
      if let id = link.headphone?.address.text { finder.selector = id }
      try? await world.clock.sleep(for: .seconds(min(8, 1 << min(failures, 3))))
    }
    throw .command(.cancelled)
  }

  private static func install(
    _ installer: FirmwareInstaller, on link: any FirmwareLink,
    _ report: @escaping @Sendable (FirmwareProgress) async -> Void
  ) async throws(CommandError) -> FirmwareInstaller.LinkEnd {
    do throws(HeadphoneError) {
      return try await installer.run(on: link, report: report)
    } catch {
      throw .command(CommandFailure(error))
    }
  }

  private static func result(
    _ outcome: FirmwareOutcome
  ) throws(CommandError) -> FirmwareVersion {
    switch outcome {
    case .installed(let version): return version
    case .failed(let failure): throw .firmwareFailed(failure)
    }
  }

  /// All that forbids the update by what this headphone is and tells.
  private func check(_ headphone: HeadphoneState?) throws(CommandError) {
    let target = FirmwareTarget(
      hardware: headphone?.information.hardware.flatMap(FirmwareTarget.hardware(named:)),
      running: headphone?.information.firmware.flatMap { FirmwareVersion($0) },
      batteries: headphone?.battery?.value ?? [:])
    if let refusal = image.refusals(for: target, by: policy).first {
      throw .firmwareRefused(refusal)
    }
  }
}

extension CommandError {
  /// Another link may go better.
  fileprivate var isOfTheLink: Bool {
    switch self {
    case .link, .notFound, .radio(.timedOut), .radio(.refused), .radio(.busy(_)),
      .command(.linkLost), .command(.noResponse):
      true
    default: false
    }
  }
}
