public import BluetoothCodec
public import GATT
internal import Synchronization

/// Finds out by its services which kind of headphone this is, and drives it as such.
///
/// docs/protocol.md and the profiles of the configuration go first; then the families, each by its
/// service; then what has at least a standard service. Never by name.
public final class DetectingDriver: HeadphoneDriver {
  private let emitter: EventEmitter
  private let client: GATTClient
  private let profiles: [DeviceProfile]
  private let forced: HeadphoneFamily?
  private let models: ModelCatalog
  private let clock: any Clock<Duration>
  private let cache: GATTCache?
  private let isBonded: Bool
  private let longTermKey: @Sendable () -> SecretKey?
  private let audioSide: AudioDeviceInfo?
  private let chosen = Mutex<(any HeadphoneDriver)?>(nil)

  /// - Parameters:
  ///   - client: on a connected bearer, not used before.
  ///   - forced: the family that a person says it is; nil: its services tell.
  ///   - cache: what ``/GATT/GATTClient/cache`` gave after an earlier connection.
  ///   - longTermKey: of the link, as soon as there is one and this program keeps it.
  ///   - audioSide: of the same headphone; nil: that is not known.
  ///   - outlet: where its events go; who made it may tell something there, too.
  ///   - isBonded: whether the two ends share a key, so that the headphone need not prove the cache.
  public init(
    client: GATTClient, profiles: [DeviceProfile] = [.earshot], forced: HeadphoneFamily? = nil,
    models: ModelCatalog = ModelCatalog(), clock: any Clock<Duration> = ContinuousClock(),
    cache: GATTCache? = nil, isBonded: Bool = false,
    longTermKey: @escaping @Sendable () -> SecretKey? = { nil }, audioSide: AudioDeviceInfo? = nil,
    emitter: EventEmitter = EventEmitter()
  ) {
    self.client = client
    self.profiles = profiles
    self.forced = forced
    self.models = models
    self.clock = clock
    self.cache = cache
    self.isBonded = isBonded
    self.longTermKey = longTermKey
    self.audioSide = audioSide
    self.emitter = emitter
  }

  /// Those of the driver that was chosen; finishes when that one's do.
  public var events: AsyncStream<HeadphoneEvent> { emitter.events }

  /// That of the driver that was chosen; nil before ``start()``, too.
  public var firmwareLink: (any FirmwareLink)? { chosen.withLock { $0?.firmwareLink } }

  /// Tries docs/protocol.md and the profiles, then the families; the discovery is done once.
  ///
  /// - Throws: ``HeadphoneError/notAHeadphone(missing:)`` where nothing fits, or the one that is
  ///   forced does not.
  public func start() async throws(HeadphoneError) -> HeadphoneDescription {
    if forced == nil || forced == .earshot {
      let earshot = EarshotDriver(
        client: client, profiles: profiles, clock: clock, cache: cache, isBonded: isBonded)
      do throws(HeadphoneError) {
        return try await start(earshot, isLast: forced != nil)
      } catch .notAHeadphone(missing: HeadphoneMap.controlService) where forced == nil {
        // Another maker's, then: what was discovered is there.
      }
    }
    return try await start(
      FamilyDriver(
        client: client, forced: forced, models: models, clock: clock, cache: cache,
        isBonded: isBonded, longTermKey: longTermKey, audioSide: audioSide),
      isLast: true)
  }

  /// Behind all that the chosen driver has told; before there is one, at once.
  public func mark(_ number: UInt64) {
    guard let driver = chosen.withLock({ $0 }) else { return emitter.report(.mark(number)) }
    driver.mark(number)
  }

  /// By the driver that was chosen.
  ///
  /// - Throws: ``HeadphoneError/notStarted`` before ``start()``.
  public func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    try await driver().perform(command)
  }

  /// By the driver that was chosen.
  ///
  /// - Throws: ``HeadphoneError/notStarted`` before ``start()``.
  public func refresh() async throws(HeadphoneError) { try await driver().refresh() }

  private func driver() throws(HeadphoneError) -> any HeadphoneDriver {
    guard let driver = chosen.withLock({ $0 }) else { throw .notStarted }
    return driver
  }

  /// - Parameter isLast: whether the events end with this driver's, even if it does not start.
  private func start(
    _ driver: any HeadphoneDriver, isLast: Bool
  ) async throws(HeadphoneError) -> HeadphoneDescription {
    let forwarding = Task { [emitter] in
      for await event in driver.events { emitter.report(event) }
    }
    do throws(HeadphoneError) {
      let description = try await driver.start()
      chosen.withLock { $0 = driver }
      Task { [emitter] in
        await forwarding.value
        emitter.finish()
      }
      return description
    } catch {
      await forwarding.value
      guard !isLast else {
        emitter.finish()
        throw error
      }
      switch error {
      case .notAHeadphone(missing: HeadphoneMap.controlService): break
      default: emitter.finish()
      }
      throw error
    }
  }
}
