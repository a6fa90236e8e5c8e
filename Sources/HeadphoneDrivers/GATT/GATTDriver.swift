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
  /// How often the services had changed when the session last found its handles.
  private var changesFound: UInt64 = 0
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
      let session = try await findSession()
      let description = try await session.start()
      Task { await followServices(of: session) }
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
    if case .broadcast = command {
      do throws(HeadphoneError) {
        return try await session.perform(command)
      } catch .gatt(.servicesChanged) {
        try await inTurn { driver throws(HeadphoneError) in
          try await driver.findHandles(of: session)
        }
        return try await session.perform(command)
      }
    }
    try await inTurn { driver throws(HeadphoneError) in
      try? await driver.findHandles(of: session)
      do throws(HeadphoneError) {
        try await session.perform(command)
      } catch .gatt(.servicesChanged) {
        try await driver.findHandles(of: session)
        try await session.perform(command)
      }
    }
  }

  /// Reads all values again, which need not be the echo of anything that was asked for.
  ///
  /// - Throws: `notStarted` before the start.
  public func refresh() async throws(HeadphoneError) {
    guard let session else { throw .notStarted }
    try await inTurn { driver throws(HeadphoneError) in
      try? await driver.findHandles(of: session)
      try await session.refresh()
    }
  }

  /// Carries out a command or a reading after those before it.
  private func inTurn(
    _ body: (isolated GATTDriver) async throws(HeadphoneError) -> Void
  ) async throws(HeadphoneError) {
    try await mutex.acquire()
    defer { mutex.unlock() }
    try await body(self)
  }

  // MARK: Changes of the services, and the end

  /// Takes up the services where they are now, unless that has been done; in turn.
  private func findHandles(of session: any GATTSession) async throws(HeadphoneError) {
    // Counted before: what changes meanwhile is looked up once more.
    let changes = await client.serviceChangeCount
    guard changes != changesFound else { return }
    try await lookUpHandles(of: session)
    try await session.takeUpServices(in: await client.database)
    changesFound = changes
  }

  private func lookUpHandles(of session: any GATTSession) async throws(HeadphoneError) {
    try await gatt { client throws(GATTError) in try await client.servicesSettled() }
    try await session.findHandles(in: await client.database)
  }

  /// Follows values for which nothing waits, and changes of the services, until the link ends.
  private func followServices(of session: any GATTSession) async {
    // Nothing here awaits its turn: the end of the link also ends a command that is under way.
    Task {
      try? await client.watchForServiceChanges()
      try? await inTurn { driver throws(HeadphoneError) in try await session.followValues() }
    }
    for await _ in client.serviceChanges {
      await reporting { driver throws(HeadphoneError) in
        // A command that waits for its response needs the handles now.
        try await driver.lookUpHandles(of: session)
        let isReadAgain = try await session.servicesHaveMoved()
        Task { await driver.takeUp(session, isReadAgain: isReadAgain) }
      }
    }
    end(await .closed(client.closed ?? BearerClosed(.localHost)))
  }

  /// Takes up the services that have changed, after the command that is under way.
  private func takeUp(_ session: any GATTSession, isReadAgain: Bool) async {
    await reporting { driver throws(HeadphoneError) in
      try await driver.inTurn { driver throws(HeadphoneError) in
        try await driver.findHandles(of: session)
        guard isReadAgain else { return }
        try await session.refresh()
        try await session.followValues()
      }
    }
  }

  private func reporting(
    _ body: (isolated GATTDriver) async throws(HeadphoneError) -> Void
  ) async {
    do throws(HeadphoneError) {
      try await body(self)
    } catch {
      guard !isOver else { return }
      emitter.report(.malformed("the services have changed: \(error)"))
    }
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
  /// Subscribes, in place of what was followed before, to values for which the start does not wait.
  func followValues() async throws(HeadphoneError)
  /// Looks up the handles that commands need, also while one is under way.
  func findHandles(in database: Database) async throws(HeadphoneError)
  /// Takes up the other services where they are now, between two commands: what was received at the
  /// handles before ends.
  func takeUpServices(in database: Database) async throws(HeadphoneError)
  /// The handles have been found after a change that the headphone has indicated.
  ///
  /// - Returns: whether all values are to be read again.
  func servicesHaveMoved() async throws(HeadphoneError) -> Bool
  /// The link has ended: ends everything that waits.
  func end(_ error: HeadphoneError)
}
