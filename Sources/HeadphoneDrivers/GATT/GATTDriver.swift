public import BluetoothAttributes
public import BluetoothCodec
internal import BluetoothRadio
public import HeadphoneProtocols
internal import Locking

/// The driver of a headphone over GATT: Earshot's protocol, a maker's, or standard services only.
///
/// It determines the kind of headphone from the services (`DeviceKind`), and leaves the rest to a
/// session of that kind. One lock orders commands and readings, because what a command writes
/// depends on the changes made by those before it. A command that fails because the services have
/// changed is repeated once with the new handles. The driver runs on the client's executor and does
/// not close the link.
public actor GATTDriver: HeadphoneDriver, GATTBacked {
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

  private let mutex = AsyncMutex()
  /// The count of service changes when the session last looked up its handles.
  private var changesFound: UInt64 = 0
  private var session: (any GATTSession)?
  private nonisolated let firmware = Mutex<(any FirmwareLink)?>(nil)
  private var isOver = false

  /// Creates a driver.
  ///
  /// - Parameters:
  ///   - client: a client on a connected bearer that has not been used yet; its creator closes it.
  ///   - profiles: the profiles with Earshot's protocol, of which the first that fits is used.
  ///   - forced: the family given with `--driver`, or nil to determine it from the services.
  ///   - cache: the ``/BluetoothAttributes/GATTClient/cache`` of an earlier connection.
  ///   - isBonded: whether both devices have a key, so that the headphone need not prove that the
  ///     cache is valid.
  ///   - longTermKey: returns the link's long term key, if this program stores it, to decrypt an
  ///     encrypted set key (SIRK). It is called when needed, as the headphone may have been paired
  ///     since the start.
  ///   - audioSide: the BR/EDR side of the headphone, or nil if it is unknown.
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

  /// The link for firmware updates, or nil before the start or if the headphone accepts none.
  public nonisolated var firmwareLink: (any FirmwareLink)? { firmware.withLock { $0 } }

  // MARK: The start

  /// Starts the link and reads all values.
  ///
  /// A bonded link is encrypted first, so that no read fails with an authentication error.
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
        // A bonded headphone may send events immediately.
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
    try DeviceKind(database, profiles: profiles, forced: forced, drivers: models.drivers)
  }

  private func earshotSession(_ map: HeadphoneMap) -> EarshotSession {
    EarshotSession(map, of: client, clock: clock, emitter: emitter, hasEnded: hasEnded)
  }

  // MARK: Commands and readings

  /// Carries out a command in turn; throws `notStarted` before the start.
  public func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    guard let session else { throw .notStarted }
    // A broadcast command may wait for long, and affects no other command's values.
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

  /// Reads all values again in turn; each is reported, even if it echoes a command.
  public func refresh() async throws(HeadphoneError) {
    guard let session else { throw .notStarted }
    try await inTurn { driver throws(HeadphoneError) in
      try? await driver.findHandles(of: session)
      try await session.refresh()
    }
  }

  public func readCharge() async throws(HeadphoneError) {
    guard let session else { throw .notStarted }
    try await inTurn { _ throws(HeadphoneError) in try await session.readCharge() }
  }

  /// Runs a command or a reading after those that began before it.
  private func inTurn(
    _ body: (isolated GATTDriver) async throws(HeadphoneError) -> Void
  ) async throws(HeadphoneError) {
    try await mutex.acquire()
    defer { mutex.unlock() }
    try await body(self)
  }

  // MARK: Changes of the services, and the end

  /// Adopts changed services, unless that has been done; requires the lock.
  private func findHandles(of session: any GATTSession) async throws(HeadphoneError) {
    // Counted first, so that a change in the meantime is looked up again.
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

  private func followServices(of session: any GATTSession) async {
    // This loop never waits for the lock, since the end of the link must also end a pending
    // command.
    Task {
      try? await client.watchForServiceChanges()
      try? await inTurn { driver throws(HeadphoneError) in try await session.followValues() }
    }
    for await _ in client.serviceChanges {
      await reporting { driver throws(HeadphoneError) in
        // A command that waits for its response needs the new handles now.
        try await driver.lookUpHandles(of: session)
        let isReadAgain = try await session.servicesHaveMoved()
        Task { await driver.takeUp(session, isReadAgain: isReadAgain) }
      }
    }
    end(await .closed(client.closed ?? BearerClosed(.localHost)))
  }

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

  /// The function that sessions call, on the same executor, when the link has ended.
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

protocol GATTSession: GATTBacked {
  /// Subscribes and reads the first values, each of which is emitted once.
  func start() async throws(HeadphoneError) -> HeadphoneDescription
  /// Carries out a command with the present handles; only one runs at a time.
  func perform(_ command: HeadphoneCommand) async throws(HeadphoneError)
  /// Reads all values again; never runs during a command.
  func refresh() async throws(HeadphoneError)
  /// Asks for the charge alone; never runs during a command.
  func readCharge() async throws(HeadphoneError)
  /// Replaces all subscriptions with those to values that the start does not wait for.
  func followValues() async throws(HeadphoneError)
  /// Looks up the handles that commands need; may run during a command.
  func findHandles(in database: Database) async throws(HeadphoneError)
  /// Adopts the changed services between two commands; subscriptions at the old handles end.
  func takeUpServices(in database: Database) async throws(HeadphoneError)
  /// Handles an indicated change of the services; returns whether all values must be read again.
  func servicesHaveMoved() async throws(HeadphoneError) -> Bool
  /// Ends everything that waits, since the link has ended.
  func end(_ error: HeadphoneError)
}

extension GATTSession {
  func readCharge() async throws(HeadphoneError) {}
}
