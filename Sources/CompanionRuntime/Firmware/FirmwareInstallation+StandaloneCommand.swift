internal import Bluetooth
internal import BluetoothCodec
public import Companion
internal import GATT
public import Headphones

extension FirmwareInstallation {
  /// Links in a row that may fail before the headphone is given up.
  private static let timeout = 8

  /// Installs the image on the headphone that `finder` means; gives the version that runs then.
  ///
  /// Cancelling the task pauses the update; the next one goes on where it stopped.
  public func run(
    finding finder: Finder, log: @escaping @MainActor (LogLine) -> Void = { _ in },
    report: @escaping @Sendable (FirmwareProgress) async -> Void
  ) async throws(CommandError) -> FirmwareVersion {
    // What the file alone forbids needs no headphone.
    try check(FirmwareTarget())
    var finder = finder
    var failures = 0
    while !Task.isCancelled {
      var end: FirmwareInstaller.LinkEnd?
      let link = StandaloneCommand(world: world, finder: finder, log: log)
      do throws(CommandError) {
        try await link.run { oneShot throws(CommandError) in
          let way = try await oneShot.firmwareLink()
          guard let headphone = oneShot.headphone else { return }
          failures = 0
          end = try await proceed(
            with: FirmwareTarget(headphone), of: headphone.id, on: way, report: report)
        }
      } catch {
        // Before the first link there is nothing to go on with, and a refusal is no accident.
        guard hasBegun, error.isOfTheLink else { throw error }
        failures += 1
      }
      if case .finished(let outcome)? = end { return try outcome.version() }
      if failures > Self.timeout, let outcome = await giveUp() { return try outcome.version() }
      if let id = link.headphone?.address.address.description { finder.selector = id }
      try? await world.clock.sleep(for: .seconds(min(8, 1 << min(failures, 3))) * world.jitter())
    }
    throw .command(.cancelled)
  }
}

extension FirmwareOutcome {
  func version() throws(CommandError) -> FirmwareVersion {
    switch self {
    case .installed(let version): return version
    case .failed(let failure): throw .firmwareFailed(failure)
    }
  }
}

extension CommandError {
  /// Another link may go better.
  var isOfTheLink: Bool {
    switch self {
    case .link, .notFound, .radio(.timedOut), .radio(.refused), .radio(.busy(_)),
      .command(.linkLost), .command(.noResponse):
      true
    default: false
    }
  }
}
