internal import BluetoothCodec
public import BluetoothRadio
package import DBus
public import EventLoop
internal import Glibc

/// A client of bluetoothd over D-Bus: adapters and devices, discovery, pairing, and audio profiles.
///
/// It connects to the system bus at its first use, mirrors bluetoothd's objects, and follows
/// bluetoothd's exit and return. While bluetoothd is away or does not respond, every operation
/// fails at once.
public actor BlueZClient {
  static let name = "org.bluez"
  static let root = "/org/bluez"
  static let properties = "org.freedesktop.DBus.Properties"

  /// The time limit for bluetoothd to respond at all; its main loop usually takes milliseconds.
  private static let replyTimeout: Duration = .seconds(5)
  /// The time after which a call without a reply is accompanied by a ping.
  private static let pingDelay: Duration = .seconds(2)
  /// The time limit for bluetoothd to report an adapter's power, which the kernel reports earlier.
  private static let poweringTimeout: Duration = .seconds(1)

  enum Phase: Equatable {
    case disconnected
    /// It is not known yet whether bluetoothd runs, or which objects it has.
    case loading(owner: String?)
    case absent
    case present(owner: String)
  }

  private let address: DBusAddress?
  let adapterName: String?
  let agent: PairingAgent
  private let loop: PollLoop
  let clock: any Clock<Duration>
  let stopwatch: ElapsedClock

  private(set) var connection: DBusConnection?
  private var busWatch: Task<Void, Never>?
  private var isClosed = false
  private(set) var phase = Phase.disconnected
  /// Whether bluetoothd or the bus has left a call without a reply, and has not responded since.
  private(set) var isUnresponsive = false
  private var loadTimer: Task<Void, Never>?
  /// The number of times that bluetoothd was lost; requests do not apply to the next process.
  private(set) var losses = 0
  private(set) var objects = BlueZObjects()
  private var loadWaiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
  private var conditions: [UInt64: @Sendable (BlueZObjects) -> Bool] = [:]
  private var conditionWaiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]
  private var lastNumber: UInt64 = 0

  var discovery = Discovery()
  var pairing = Pairing()
  var news = News()
  var batteries = Batteries()
  var keys = Keys()
  var followers = Followers()
  /// Whether a sound server was registered at an earlier attempt to connect sound.
  var hadAudioSource = false

  nonisolated var executor: any SerialExecutor { loop }

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// Creates a client on the system bus for an adapter such as "hci0", or nil for the first on.
  public init(
    adapter: String? = nil, agent: PairingAgent, loop: PollLoop = .shared,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(
      address: .system { getenv($0).map { String(cString: $0) } }, adapter: adapter, agent: agent,
      loop: loop, clock: clock)
  }

  package init(
    address: DBusAddress?, adapter: String? = nil, agent: PairingAgent,
    loop: PollLoop = .shared, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.address = address
    adapterName = adapter
    self.agent = agent
    self.loop = loop
    self.clock = clock
    stopwatch = ElapsedClock(clock)
  }

  /// Whether bluetoothd runs, has reported its objects, and responds.
  package var isPresent: Bool {
    get async {
      await load()
      return await responds()
    }
  }

  /// Whether bluetoothd runs and owns the keys; throws if it does not respond.
  var keepsKeys: Bool {
    get async throws(SecurityFailure) {
      let isPresent = await isPresent
      if isUnresponsive { throw .bluetoothdUnresponsive }
      return isPresent
    }
  }

  func explained(_ error: RadioError) -> RadioError {
    guard case .notPermitted(let operation, let capability) = error else { return error }
    guard !isUnresponsive else { return .bluetoothdUnresponsive(during: operation) }
    guard phase == .absent || (phase == .disconnected && address != nil) else { return error }
    return .noBluetoothd(operation: operation, capability: capability)
  }

  /// Returns the names or addresses of headphones whose control link bluetoothd holds.
  ///
  /// The result is nil if bluetoothd does not respond, and exact only for a new client, because
  /// bluetoothd does not report the end of such a link.
  package func heldControlLinks() async -> [String]? {
    _ = await isPresent
    return isUnresponsive ? nil : objects.devicesWithAttributes.map { $0.name ?? "\($0.address)" }
  }

  package func devicesWithAudio() async -> [BlueZDevice] {
    _ = await isPresent
    return objects.devicesWithAudio
  }

  var presentAdapter: (objects: BlueZObjects, adapter: BlueZAdapter)? {
    objects.adapter(named: adapterName).map { (objects, $0) }
  }

  /// Closes the connection to the bus, which also ends this program's discovery and agent.
  public func close() async {
    isClosed = true
    busWatch?.cancel()
    loadTimer?.cancel()
    await connection?.close()
  }

  func adapter() throws(RadioError) -> BlueZAdapter {
    if let adapter = objects.adapter(named: adapterName) { return adapter }
    throw adapterName.map(RadioError.unknownAdapter) ?? .noAdapter
  }

  /// Waits until bluetoothd's objects are known, or until it is absent or unresponsive.
  func load() async {
    if case .disconnected = phase { connect() }
    guard case .loading = phase, !isUnresponsive else { return }
    let id = nextNumber()
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        guard !Task.isCancelled else { return waiter.resume() }
        loadWaiters[id] = waiter
      }
    } onCancel: {
      Task { await self.endLoad(id) }
    }
  }

  func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  private func endLoad(_ id: UInt64) { loadWaiters.removeValue(forKey: id)?.resume() }

  private func connect() {
    guard let address,
      let connection = try? DBusConnection(address: address, loop: loop, clock: clock)
    else { return }
    use(connection)
  }

  private func use(_ connection: DBusConnection) {
    self.connection = connection
    beginLoad(of: nil)
    Task {
      await connection.watch(Self.name) { [weak self, weak connection] event in
        self?.assumeIsolated { me in
          if me.connection === connection { me.receive(event) }
        }
      }
    }
  }

  private func beginLoad(of owner: String?) {
    phase = .loading(owner: owner)
    loadTimer?.cancel()
    loadTimer = Task { [clock] in
      guard (try? await clock.sleep(for: Self.replyTimeout)) != nil, case .loading = phase else {
        return
      }
      isUnresponsive = true
      for id in loadWaiters.keys { endLoad(id) }
    }
  }

  /// Reconnects when the bus is back, because a consumer of news makes no calls that would do so.
  func watchForBus() {
    guard busWatch == nil, phase == .disconnected, !news.isEmpty, !isClosed, let address
    else { return }
    busWatch = Task { [weak self, loop, clock] in
      let connection = await DBusConnection.whenBack(at: address, loop: loop, clock: clock)
      await self?.endBusWatch(with: connection)
    }
  }

  func endBusWatch() {
    busWatch?.cancel()
    busWatch = nil
  }

  private func endBusWatch(with connection: DBusConnection?) async {
    if !Task.isCancelled { busWatch = nil }
    guard !Task.isCancelled, phase == .disconnected, let connection else {
      await connection?.close()
      return
    }
    use(connection)
  }

  private func receive(_ event: DBusNameEvent) {
    switch event {
    case .owner(let owner?): loadObjects(of: owner)
    case .owner(nil): lose()
    case .signal(let signal):
      guard case .present = phase else { return }
      reportValue(signal)
      let known = signal.arguments.first?.path.flatMap(objects.device(at:))
      defer { if let known { reportRemoval(of: known) } }
      let wasPowered = isPowered
      guard let path = objects.tree.apply(signal) else { return }
      objectChanged(path)
      reportAttributes(signal, at: path)
      if isPowered, !wasPowered { restartDiscovery() }
      if objects.device(at: path)?.isConnected != true { reportDisconnection(of: path) }
    }
  }

  private var isPowered: Bool { objects.adapter(named: adapterName)?.isPowered == true }

  private func loadObjects(of owner: String) {
    beginLoad(of: owner)
    let call = DBusCall(
      "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: "/", to: owner)
    guard let connection else { return }
    connection.assumeIsolated { connection in
      connection.send(call) { [weak self] result in
        self?.assumeIsolated { me in
          // Replies of another owner are ignored.
          guard me.phase == .loading(owner: owner) else { return }
          var tree = DBusObjectTree()
          guard let reply = try? result.get(), (try? tree.replace(with: reply)) != nil else {
            return me.lose()
          }
          me.objects = BlueZObjects(tree)
          me.settle(.present(owner: owner))
          me.report(.bluetoothdStarted)
          for path in tree.objects.keys { me.objectChanged(path) }
          me.updateDiscovery()
        }
      }
    }
  }

  private func lose() {
    losses += 1
    discovery.end()
    batteries.end()
    keys.end()
    reportPlayer()
    pairing.end()
    let paths = objects.tree.objects.keys
    objects = BlueZObjects()
    if connection?.assumeIsolated({ $0.isClosed }) == true {
      connection = nil
      settle(.disconnected)
    } else {
      settle(.absent)
    }
    for path in paths { objectChanged(path) }
    followers.end()
    watchForBus()
  }

  private func settle(_ phase: Phase) {
    self.phase = phase
    isUnresponsive = false
    loadTimer?.cancel()
    for id in loadWaiters.keys { endLoad(id) }
  }

  private func objectChanged(_ path: String) {
    for (id, condition) in conditions where condition(objects) { settle(condition: id, true) }
    guard path.hasPrefix(Self.root) else { return }
    reportToScans(path)
    reportCharge(of: path)
    updateProvider()
    // Only adapters have the interface Media1.
    if path.dropFirst(BlueZAdapter.root.count).allSatisfy({ $0 != "/" }) { updatePlayer() }
  }

  func until(
    within limit: Duration, _ condition: @escaping @Sendable (BlueZObjects) -> Bool
  ) async -> Bool {
    if condition(objects) { return true }
    let id = nextNumber()
    let timer = Task { [clock] in
      try? await clock.sleep(for: limit)
      settle(condition: id, false)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        guard !Task.isCancelled else { return waiter.resume(returning: false) }
        conditions[id] = condition
        conditionWaiters[id] = waiter
      }
    } onCancel: {
      Task { await self.settle(condition: id, false) }
    }
  }

  private func settle(condition id: UInt64, _ isReached: Bool) {
    conditions[id] = nil
    conditionWaiters.removeValue(forKey: id)?.resume(returning: isReached)
  }

  /// Whether bluetoothd replies to a ping in time; if not, everything that waits for it ends.
  func responds(within limit: Duration = replyTimeout) async -> Bool {
    guard case .present(let owner) = phase, let connection else { return false }
    do throws(DBusError) {
      try await connection.call(
        DBusCall("Ping", of: "org.freedesktop.DBus.Peer", at: "/", to: owner), within: limit)
    } catch {
      let isSilent = error == .timedOut && !Task.isCancelled && self.connection === connection
      if isSilent, phase == .present(owner: owner) { disconnectUnresponsive() }
    }
    guard case .present = phase else { return false }
    return true
  }

  /// Ends everything that waits for a bluetoothd that does not respond.
  ///
  /// Closing the connection removes the discovery, agent and charges that bluetoothd has for it,
  /// should it respond later. A new connection waits for that.
  private func disconnectUnresponsive() {
    let unresponsive = connection
    connection = nil
    unresponsive?.assumeIsolated { $0.close() }
    lose()
    phase = .disconnected
    connect()
    isUnresponsive = phase != .disconnected
    watchForBus()
  }

  /// Calls the bluetoothd that was found, without starting another one.
  ///
  /// A slow call, such as a pairing, ends early if bluetoothd does not reply to pings either.
  @discardableResult
  func call(
    _ member: String, of interface: String, at path: String, _ arguments: [DBusValue] = [],
    within limit: Duration = DBusConnection.replyTimeout
  ) async throws(DBusError) -> [DBusValue] {
    guard case .present(let owner) = phase, let connection else {
      throw isUnresponsive ? .unresponsive : .noBus
    }
    let watchdog = Task { [clock] in
      while (try? await clock.sleep(for: Self.pingDelay)) != nil {
        guard await responds(within: Self.replyTimeout - Self.pingDelay) else { return }
      }
    }
    defer { watchdog.cancel() }
    do throws(DBusError) {
      return try await connection.call(
        DBusCall(member, of: interface, at: path, to: owner, arguments), within: limit)
    } catch {
      throw isUnresponsive ? .unresponsive : error
    }
  }

  func set(
    _ property: String, of interface: String, at path: String, to value: DBusValue
  ) async throws(DBusError) {
    try await call(
      "Set", of: Self.properties, at: path,
      [.string(interface), .string(property), .variant(value)])
  }

  func failure(
    _ member: String, of interface: String = BlueZDevice.interface, at path: String,
    _ arguments: [DBusValue] = [], within limit: Duration = AudioConnection.connectTimeout
  ) async -> DBusError? {
    do throws(DBusError) {
      try await call(member, of: interface, at: path, arguments, within: limit)
      return nil
    } catch {
      return error
    }
  }

  /// Whether the adapter is on, or comes on within a second.
  func isPoweredInTime() async -> Bool {
    await until(within: Self.poweringTimeout) { [adapterName] in
      $0.adapter(named: adapterName)?.isPowered == true
    }
  }

  func setPower(_ isOn: Bool) async throws(RadioError) {
    await load()
    let adapter = try adapter()
    do throws(DBusError) {
      try await set(
        "Powered", of: BlueZAdapter.interface, at: adapter.path, to: .boolean(isOn))
    } catch {
      throw RadioError(error, during: "switching the adapter", adapter: adapter.name)
    }
  }
}

extension RadioError {
  init(_ error: DBusError, during operation: String, adapter: String) {
    self =
      switch error.name {
      case nil where error == .unresponsive: .bluetoothdUnresponsive(during: operation)
      case "org.bluez.Error.NotReady": .poweredOff(adapter: adapter)
      case "org.bluez.Error.Blocked": .blocked(adapter: adapter)
      default: .bluetoothd("\(error)", during: operation)
      }
  }
}
