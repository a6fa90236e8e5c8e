public import BluetoothCodec
public import GATT
public import HeadphoneProtocols
internal import Locking

/// Finds out by its services which kind of headphone this is, and starts the driver for it.
///
/// docs/protocol.md and the profiles of the configuration go first; then the families, each by its
/// service; then what has at least a standard service. Never by name.
public final class DetectingDriver: Sendable {
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
  ///   - emitter: where the events of the driver go.
  ///   - isBonded: whether the two ends share a key, so that the headphone need not prove the
  ///     cache.
  public init(
    client: GATTClient, profiles: [DeviceProfile] = [.earshot], forced: HeadphoneFamily? = nil,
    models: ModelCatalog = ModelCatalog(), clock: any Clock<Duration> = ContinuousClock(),
    cache: GATTCache? = nil, isBonded: Bool = false,
    longTermKey: @escaping @Sendable () -> SecretKey? = { nil }, audioSide: AudioDeviceInfo? = nil,
    emitter: EventEmitter
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

  /// The driver that was chosen; nil before ``start()``.
  public var driver: (any HeadphoneDriver)? { chosen.withLock { $0 } }

  /// Tries docs/protocol.md and the profiles, then the families; the discovery is done once.
  ///
  /// - Throws: ``/HeadphoneProtocols/HeadphoneError/notAHeadphone(missing:)`` where nothing fits,
  ///   or the one that is
  ///   forced does not.
  public func start() async throws(HeadphoneError) -> HeadphoneDescription {
    if forced == nil || forced == .earshot {
      let earshot = EarshotDriver(
        client: client, profiles: profiles, clock: clock, cache: cache, isBonded: isBonded,
        emitter: emitter)
      do throws(HeadphoneError) {
        return try await start(earshot)
      } catch .notAHeadphone(missing: HeadphoneMap.controlService) where forced == nil {
        // Another maker's, then: what was discovered is there.
      }
    }
    return try await start(
      FamilyDriver(
        client: client, forced: forced, models: models, clock: clock, cache: cache,
        isBonded: isBonded, longTermKey: longTermKey, audioSide: audioSide, emitter: emitter))
  }

  private func start(
    _ driver: any HeadphoneDriver
  ) async throws(HeadphoneError) -> HeadphoneDescription {
    let description = try await driver.start()
    chosen.withLock { $0 = driver }
    return description
  }
}
