internal import Bluetooth
public import BluetoothCodec
public import GATT
public import HeadphoneProtocols
internal import Locking

/// The driver of a headphone by its GATT services: its own protocol, a maker's, or the services of
/// the Bluetooth SIG alone.
///
/// It discovers the services, which tell what the headphone is (`DeviceKind`), and leaves the
/// rest to a session of that kind. One lock orders commands and readings, because what a command
/// writes follows from what those before it have changed. A command that meets a change of the
/// services is repeated once where they are now. The driver runs on the client's executor and does
/// not close the link.
public actor GATTDriver: HeadphoneDriver, GATTBacked {
  /// Whoever made it closes it.
  public nonisolated let client: GATTClient
  private nonisolated let emitter: EventEmitter
  private let profiles: [DeviceProfile]
  private let forced: HeadphoneFamily?
  private let models: ModelCatalog
  private let clock: any Clock<Duration>
  private let cache: GATTCache?
  private let isBonded: Bool
  private let longTermKey: @Sendable () -> SecretKey?
  private let audioSide: AudioDeviceInfo?

  /// Held by the command, or the reading, that is carried out.
  private let mutex = AsyncMutex()
  private var session: (any GATTSession)?
  private nonisolated let firmware = Mutex<(any FirmwareLink)?>(nil)
  private var isOver = false

  /// - Parameters:
  ///   - client: on a connected bearer, not used before.
  ///   - profiles: the kinds of headphones with Earshot's own protocol; the first that fits counts.
  ///   - forced: the forced family (`--driver`); nil: determined by its services.
  ///   - clock: measures the time that a response may take.
  ///   - cache: what ``/GATT/GATTClient/cache`` gave after an earlier connection.
  ///   - isBonded: whether the two ends share a key, so that the headphone need not prove the
  ///     cache.
  ///   - longTermKey: the link's, where this program stores it; it decrypts an encrypted set key
  ///     (SIRK). It is read when needed, as the headphone may have been paired since the start.
  ///   - audioSide: of the same headphone; nil: that is not known.
  ///   - emitter: where events go; by default they are dropped.
  public init(
    client: GATTClient, profiles: [DeviceProfile] = [.earshot], forced: HeadphoneFamily? = nil,
    models: ModelCatalog = ModelCatalog(), clock: any Clock<Duration> = ContinuousClock(),
    cache: GATTCache? = nil, isBonded: Bool = false,
    longTermKey: @escaping @Sendable () -> SecretKey? = { nil }, audioSide: AudioDeviceInfo? = nil,
    emitter: EventEmitter = EventEmitter.makeStream().emitter
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

  public nonisolated var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

  public nonisolated var attributes: GATTClient? { client }

  /// Nil before the start, and where the headphone takes no updates.
  public nonisolated var firmwareLink: (any FirmwareLink)? { firmware.withLock { $0 } }

  // MARK: The start

  /// Raises security first on a bonded link, so that no read is refused for want of it.
  ///
  /// - Throws: ``/HeadphoneProtocols/HeadphoneError/notAHeadphone(missing:)`` where nothing fits,
  ///   or the family that is forced does not.
  public func start() async throws(HeadphoneError) -> HeadphoneDescription {
    do throws(HeadphoneError) {
      let description = try await findSession().start()
      Task { await followServiceChanges() }
      return description
    } catch {
      end(error)
      throw error
    }
  }

  /// Discovers the services, and makes the session that they tell.
  private func findSession() async throws(HeadphoneError) -> any GATTSession {
    emitter.report(.starting(.discoveringServices))
    let isProtected = try await gatt { client throws(GATTError) in
      try await client.encrypt(ifBonded: self.isBonded)
    }
    let isProved = isProtected && cache != nil
    var handles: [UInt16] = []
    var expected: EarshotSession?
    if let cache, case .controlService(let map)? = (try? kind(by: cache.database))?.transport {
      handles = map.readableInformation.map(\.handle)
      if isProved {
        // A bonded headphone may send events from the first moment on.
        let session = earshotSession(map)
        await session.listen()
        expected = session
        handles += [map.eventConfiguration].compactMap(\.self)
      }
    }
    let values = try await gatt { [handles] client throws(GATTError) in
      try await client.begin(
        using: self.cache, isBonded: isProved, reading: handles, reporting: emitter)
    }
    let database = await client.database
    let kind = try kind(by: database)
    guard case .controlService(let map) = kind.transport else {
      let session = FamilySession(
        kind, in: database, of: client, models: models, clock: clock, longTermKey: longTermKey,
        audioSide: audioSide, emitter: emitter, hasEnded: hasEnded)
      self.session = session
      return session
    }
    let session = expected ?? earshotSession(map)
    await session.adopt(map, because: kind.reason, read: values)
    self.session = session
    firmware.withLock { $0 = session }
    return session
  }

  private func kind(by database: Database) throws(HeadphoneError) -> DeviceKind {
    try DeviceKind(database, profiles: profiles, forced: forced)
  }

  private func earshotSession(_ map: HeadphoneMap) -> EarshotSession {
    EarshotSession(map, of: client, clock: clock, emitter: emitter, hasEnded: hasEnded)
  }

  // MARK: Commands and readings

  /// - Throws: `notStarted` before the start.
  public func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    guard let session else { throw .notStarted }
    // It may wait for a broadcast for long, and shares no value with other commands.
    if case .broadcast = command { return try await session.perform(command) }
    try await mutex.acquire()
    defer { mutex.unlock() }
    do throws(HeadphoneError) {
      try await session.perform(command)
    } catch .gatt(.servicesChanged) {
      try await findHandles(of: session)
      try await session.perform(command)
    }
  }

  /// Reads all values again, which need not be the echo of anything that was asked for.
  ///
  /// - Throws: `notStarted` before the start.
  public func refresh() async throws(HeadphoneError) {
    guard let session else { throw .notStarted }
    try await mutex.acquire()
    defer { mutex.unlock() }
    try await session.refresh()
  }

  // MARK: Changes of the services, and the end

  private func findHandles(of session: any GATTSession) async throws(HeadphoneError) {
    try await gatt { client throws(GATTError) in try await client.servicesSettled() }
    try await session.findHandles(in: await client.database)
  }

  /// Looks the handles up again when services change, until the link ends.
  private func followServiceChanges() async {
    for await _ in client.serviceChanges {
      guard let session else { continue }
      do throws(HeadphoneError) {
        try await findHandles(of: session)
        if try await session.servicesHaveMoved() { try await refresh() }
      } catch {
        emitter.report(.malformed("the services have changed: \(error)"))
      }
    }
    end(await .closed(client.closed ?? BearerClosed(.localHost)))
  }

  /// Called by the session, on the same executor.
  private var hasEnded: @Sendable (HeadphoneError) -> Void {
    { [weak self] error in self?.assumeIsolated { $0.end(error) } }
  }

  private func end(_ error: HeadphoneError) {
    guard !isOver else { return }
    isOver = true
    if let session { Self.end(session, error) }
    emitter.finish()
  }

  private static func end(_ session: some GATTSession, _ error: HeadphoneError) {
    session.assumeIsolated { $0.end(error) }
  }
}

/// What is spoken with a headphone over its services, once it is known what it is.
protocol GATTSession: GATTBacked {
  /// Subscribes and reads the first values, each of which is emitted once.
  func start() async throws(HeadphoneError) -> HeadphoneDescription
  /// Carries out a command at the present handles; one at a time.
  func perform(_ command: HeadphoneCommand) async throws(HeadphoneError)
  /// Reads all values again; between two commands.
  func refresh() async throws(HeadphoneError)
  /// Looks up the handles where the services are now.
  func findHandles(in database: Database) async throws(HeadphoneError)
  /// The handles have been found after a change that the headphone has indicated.
  ///
  /// - Returns: whether all values are to be read again.
  func servicesHaveMoved() async throws(HeadphoneError) -> Bool
  /// The link has ended: ends everything that waits.
  func end(_ error: HeadphoneError)
}
