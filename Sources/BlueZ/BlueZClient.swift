public import Bluetooth
internal import BluetoothCodec
public import DBus
public import EventLoop

/// bluetoothd over D-Bus: its adapters and devices, discovery, pairing with an agent of this
/// program's, and audio profiles.
///
/// It connects to the system bus with its first use, mirrors bluetoothd's objects, and follows
/// bluetoothd's end and return: while it is gone, or does not answer, every operation says so at
/// once.
public actor BlueZClient {
  static let name = "org.bluez"
  private static let root = "/org/bluez"
  private static let agentPath = "/org/earshot/agent"
  private static let capability = "KeyboardDisplay"
  private static let properties = "org.freedesktop.DBus.Properties"
  /// bluetoothd gives up a question to an agent after 60 s, and says why; a peer has 30 s for each
  /// step of pairing (Core 5.4, Vol 3, Part H, 3.4).
  private static let pairingTimeout: Duration = .seconds(65)

  /// The time limit for bluetoothd to answer at all; its main loop usually takes milliseconds.
  private static let answerTimeout: Duration = .seconds(5)
  /// The time of ATT itself (Core 5.4, Vol 3, Part F, 3.3.3), and a little for bluetoothd.
  private static let attributeTimeout: Duration = .seconds(32)
  /// The signal that a device is removed follows the reply.
  private static let removalTimeout: Duration = .seconds(1)
  /// One for each link, and one that finds it gone.
  private static let removalLimit = 3
  /// A bluetoothd that ends, or an adapter that is pulled out, removes its devices first.
  private static let departureTime: Duration = .seconds(1)
  /// Keys come after the first encryption.
  private static let keyTimeout: Duration = .seconds(1)
  /// The time for bluetoothd to read a headphone's services.
  private static let resolvingTimeout: Duration = .seconds(5)
  /// The kernel ends a discovery within 11 s.
  private static let discoveryRetryInterval: Duration = .seconds(1)
  /// The kernel reports an adapter that is switched on before bluetoothd does.
  private static let poweringTimeout: Duration = .seconds(1)

  /// The kernel keeps a link whose pairing waits for an answer for 30 s (Core 5.4, Vol 3, Part H,
  /// 3.4), also without a channel.
  private static let unfinishedTime: Duration = .seconds(32)

  /// How far the conversation with bluetoothd is.
  private enum Phase: Equatable {
    /// There is no connection to the bus.
    case disconnected
    /// The bus has not yet reported whether bluetoothd runs, or bluetoothd not yet its objects.
    case loading(owner: String?)
    case absent
    case present(owner: String)
  }

  private let address: DBusAddress?
  private let adapterName: String?
  private let agent: PairingAgent
  private let loop: PollLoop
  private let clock: any Clock<Duration>
  private let stopwatch: ElapsedClock

  private var connection: DBusConnection?
  /// Waits for a bus that is gone, where there is a consumer of news.
  private var busWatch: Task<Void, Never>?
  private var isClosed = false
  private var phase = Phase.disconnected
  /// Whether bluetoothd, or the bus, has left a call without a reply in time, and still does.
  private(set) var isUnresponsive = false
  /// Ends the time in which bluetoothd's objects are awaited.
  private var loadTimer: Task<Void, Never>?
  /// Counts the times that bluetoothd was lost: what one process was asked for is not the next
  /// one's.
  private var losses = 0
  private var objects = BlueZObjects()
  private var loadWaiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
  /// What waits for a state of the objects.
  private var conditions: [UInt64: @Sendable (BlueZObjects) -> Bool] = [:]
  private var conditionWaiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]
  private var lastNumber: UInt64 = 0

  /// Subscribers to links that bluetoothd holds, by device.
  private var followers: [String: @Sendable (RemoteEvent) -> Void] = [:]
  private var scans: [UInt64: Scan] = [:]
  private var pauses = 0
  /// The adapter on which this program's discovery runs.
  private var discovering: String?
  private var discoveryWork: Task<Void, Never>?

  private var news: [UInt64: AsyncStream<DeviceNews>.Continuation] = [:]
  /// The charges that were reported, by the path of the device.
  private var charges: [String: Charge] = [:]
  /// Devices that this program removes.
  private var removals: Set<String> = []
  private var wantedCharges: [HeadphoneCharge] = []
  private var provider = BatteryProvider()
  /// The adapter at which the provider is registered.
  private var providing: String?

  private var player = PlayerObject()
  /// What was reported of it last.
  private var playerRegistration = PlayerRegistration.none
  private var stops = ProcessStops()

  private var conversation = AgentConversation()
  private var agentUsers = 0
  private var questions: [String: Task<Void, Never>] = [:]
  /// What ends a link's pairing that waits for bluetoothd, by the path of the device.
  private var securings: [String: @Sendable () -> Void] = [:]
  /// Peers whose pairing ended this way, which the kernel goes on with as long as the link is up.
  private var unfinished: Set<BluetoothAddress> = []

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - address: the system bus; nil: there is none.
  ///   - adapter: "hci0"; nil: the first that is on.
  ///   - agent: where pairings ask the person.
  public init(
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

  /// Whether bluetoothd runs, has reported its objects, and answers.
  public var isPresent: Bool {
    get async {
      await load()
      return await responds()
    }
  }

  /// Whether bluetoothd, which has keys, runs.
  ///
  /// - Throws: `bluetoothd` if it does not answer: its keys are neither made nor dropped elsewhere.
  var keepsKeys: Bool {
    get async throws(SecurityFailure) {
      let isPresent = await isPresent
      if isUnresponsive { throw .bluetoothdUnresponsive }
      return isPresent
    }
  }

  /// The error of a radio that did without bluetoothd: it lacks a capability because that does not
  /// run or answer.
  func explained(_ error: RadioError) -> RadioError {
    guard case .notPermitted(let operation, let capability) = error else { return error }
    guard !isUnresponsive else { return .bluetoothdUnresponsive(during: operation) }
    guard phase == .absent || (phase == .disconnected && address != nil) else { return error }
    return .noBluetoothd(operation: operation, capability: capability)
  }

  /// The headphones whose control link bluetoothd has, by name or address.
  ///
  /// It is exact for a client that is new: bluetoothd does not report that a link has ended this way.
  ///
  /// - Returns: nil if bluetoothd does not answer.
  public func heldControlLinks() async -> [String]? {
    _ = await isPresent
    return isUnresponsive ? nil : objects.devicesWithAttributes.map { $0.name ?? "\($0.address)" }
  }

  /// The adapter that is used, among all objects; `nil` if there is none.
  var presentAdapter: (objects: BlueZObjects, adapter: BlueZAdapter)? {
    objects.adapter(named: adapterName).map { (objects, $0) }
  }

  /// Ends the connection to the bus; this program's discovery and agent end with it.
  public func close() async {
    isClosed = true
    busWatch?.cancel()
    loadTimer?.cancel()
    await connection?.close()
  }

  // MARK: Objects

  /// The adapter that is used.
  ///
  /// - Throws: `noAdapter` or `unknownAdapter` where there is none.
  private func adapter() throws(RadioError) -> BlueZAdapter {
    if let adapter = objects.adapter(named: adapterName) { return adapter }
    throw adapterName.map(RadioError.unknownAdapter) ?? .noAdapter
  }

  /// Connects to the bus unless that is done, and waits until bluetoothd's objects are known, or
  /// that it does not run or answer.
  private func load() async {
    if case .disconnected = phase { connect() }
    guard case .loading = phase, !isUnresponsive else { return }
    lastNumber += 1
    let id = lastNumber
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        guard !Task.isCancelled else { return waiter.resume() }
        loadWaiters[id] = waiter
      }
    } onCancel: {
      Task { await self.endLoad(id) }
    }
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

  /// Awaits the owner of bluetoothd's name, or its objects; whoever waits is let go in time.
  private func beginLoad(of owner: String?) {
    phase = .loading(owner: owner)
    loadTimer?.cancel()
    loadTimer = Task { [clock] in
      guard (try? await clock.sleep(for: Self.answerTimeout)) != nil, case .loading = phase else {
        return
      }
      isUnresponsive = true
      for id in loadWaiters.keys { endLoad(id) }
    }
  }

  /// Connects again when the bus is back: a consumer of news asks for nothing by itself.
  private func watchForBus() {
    guard busWatch == nil, phase == .disconnected, !news.isEmpty, !isClosed, let address
    else { return }
    busWatch = Task { [weak self, loop, clock] in
      let connection = await DBusConnection.whenBack(at: address, loop: loop, clock: clock)
      await self?.endBusWatch(with: connection)
    }
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
      if isPowered, !wasPowered {
        // Discoveries end with an adapter, and newer bluetoothds show it some time after their start.
        discovering = nil
        updateDiscovery()
      }
      if followers[path] != nil, objects.device(at: path)?.isConnected != true {
        followers[path]?(.disconnected)
      }
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
          // Another owner's reply counts for nothing.
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

  /// bluetoothd is gone, or the bus: agent, discovery and objects have ended with it.
  private func lose() {
    losses += 1
    discovering = nil
    providing = nil
    provider = BatteryProvider()
    player.lose()
    reportPlayer()
    agentUsers = 0
    for question in questions.values { question.cancel() }
    questions = [:]
    // The kernel asks its question once: no other process will answer it.
    for end in securings.values { end() }
    let paths = objects.tree.objects.keys
    objects = BlueZObjects()
    if connection?.assumeIsolated({ $0.isClosed }) == true {
      connection = nil
      settle(.disconnected)
    } else {
      settle(.absent)
    }
    for path in paths { objectChanged(path) }
    for follower in followers.values { follower(.disconnected) }
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
    for id in scans.keys { report(path, to: id) }
    reportCharge(of: path)
    updateProvider()
    // Media1 is an interface of the adapters.
    if path.dropFirst(BlueZAdapter.root.count).allSatisfy({ $0 != "/" }) {
      send(player.follow(objects))
      reportPlayer()
    }
  }

  // MARK: Charges and removals

  private struct Charge: Hashable {
    var address: BluetoothAddress
    var percent: UInt8
  }

  /// Reports what happens to devices until the consumer ends.
  func follow(into stream: AsyncStream<DeviceNews>.Continuation) async {
    await load()
    lastNumber += 1
    let id = lastNumber
    news[id] = stream
    stream.onTermination = { [weak self] _ in Task { await self?.unfollow(id) } }
    for charge in charges.values { stream.yield(.charge(charge.address, charge.percent)) }
    if playerRegistration != .none { stream.yield(.playerRegistration(playerRegistration)) }
    watchForBus()
  }

  private func unfollow(_ id: UInt64) {
    news[id] = nil
    guard news.isEmpty else { return }
    busWatch?.cancel()
    busWatch = nil
  }

  private func report(_ event: DeviceNews) {
    for stream in news.values { stream.yield(event) }
  }

  private func reportCharge(of path: String) {
    let charge = objects.device(at: path).flatMap { device in
      objects.charge(of: path).map { Charge(address: device.address, percent: $0) }
    }
    let before = charges[path]
    guard charge != before else { return }
    charges[path] = charge
    if let before, before.address != charge?.address { report(.charge(before.address, nil)) }
    if let charge { report(.charge(charge.address, charge.percent)) }
  }

  /// Reports that a paired device is gone though bluetoothd and the adapter are still there.
  private func reportRemoval(of device: BlueZDevice) {
    guard device.isPaired, objects.device(at: device.path) == nil, !removals.contains(device.path)
    else { return }
    let before = losses
    Task { [clock] in
      try? await clock.sleep(for: Self.departureTime)
      guard losses == before, objects.tree[device.adapter, BlueZAdapter.interface] != nil,
        objects.device(at: device.path) == nil
      else { return }
      report(.removed(device.address))
    }
  }

  /// Provides these charges to bluetoothd, and no others from now on.
  func share(_ charges: [HeadphoneCharge]) async {
    wantedCharges = charges
    if !charges.isEmpty { await load() }
    updateProvider()
  }

  private func updateProvider() {
    guard !wantedCharges.isEmpty || !provider.charges.isEmpty, case .present(let owner) = phase,
      let adapter = try? adapter(), objects.tree[adapter.path, BatteryProvider.manager] != nil
    else { return }
    let signals = provider.update(wantedCharges, in: objects, of: adapter)
    guard providing == nil else {
      guard let connection else { return }
      return connection.assumeIsolated { connection in
        for signal in signals { connection.emit(signal, to: owner) }
      }
    }
    guard !provider.charges.isEmpty else { return }
    providing = adapter.path
    Task { await registerProvider(at: adapter.path, of: owner) }
  }

  private func registerProvider(at adapter: String, of owner: String) async {
    await connection?.export(at: BatteryProvider.root) { [weak self] request in
      await self?.answerProvider(request) ?? .unknownMethod
    }
    do throws(DBusError) {
      try await call(
        "RegisterBatteryProvider", of: BatteryProvider.manager, at: adapter,
        [.objectPath(BatteryProvider.root)])
    } catch {
      // Tried again when a charge or a device changes.
      if providing == adapter, phase == .present(owner: owner) { providing = nil }
    }
  }

  private func answerProvider(_ request: DBusRequest) -> DBusReply {
    guard case .present(request.sender) = phase, request.member == "GetManagedObjects" else {
      return .unknownMethod
    }
    return .values([provider.objects])
  }

  // MARK: Keys

  /// Registers a media player at every adapter, now and whenever bluetoothd or an adapter is back, or
  /// withdraws it; returns when that is done.
  func offer(_ offer: PlayerOffer) async {
    if case .offered = offer { await load() }
    if case .present = phase {
      await perform(player.update(offer, in: objects))
    } else {
      _ = player.update(offer, in: BlueZObjects())
    }
  }

  private func send(_ steps: [PlayerObject.Step]) {
    guard !steps.isEmpty else { return }
    Task { await perform(steps) }
  }

  private func perform(_ steps: [PlayerObject.Step]) async {
    defer { reportPlayer() }
    for step in steps {
      guard case .present(let owner) = phase, let connection else { return }
      switch step {
      case .register(let adapter, let properties):
        await connection.export(at: PlayerObject.path) { [weak self] request in
          await self?.receiveKey(request) ?? .unknownMethod
        }
        let error: DBusError?
        do throws(DBusError) {
          try await call(
            "RegisterPlayer", of: PlayerObject.manager, at: adapter,
            [.objectPath(PlayerObject.path), .options(properties)])
          error = nil
        } catch let failure {
          error = failure
        }
        guard phase == .present(owner: owner) else { return }
        await perform(player.registered(at: adapter, error))
      case .unregister(let adapter):
        _ = try? await call(
          "UnregisterPlayer", of: PlayerObject.manager, at: adapter,
          [.objectPath(PlayerObject.path)])
      case .change(let properties): sendChange(of: properties, to: owner)
      }
    }
  }

  private func sendChange(of properties: [String: DBusValue], to owner: String) {
    let signal = DBusSignal(
      "PropertiesChanged", of: Self.properties, at: PlayerObject.path,
      [.string(PlayerObject.interface), .options(properties), .strings([])])
    connection?.assumeIsolated { $0.emit(signal, to: owner) }
  }

  private func reportPlayer() {
    guard player.registration != playerRegistration else { return }
    playerRegistration = player.registration
    report(.playerRegistration(playerRegistration))
  }

  /// A key press.
  ///
  /// Those from before the process continued after a stop are dropped: bluetoothd delivers them all
  /// at once.
  private func receiveKey(_ request: DBusRequest) -> DBusReply {
    guard case .present(request.sender) = phase else { return .unknownMethod }
    // bluetoothd withdraws the player when it ends or loses the adapter.
    if request.member == "Release" { return .values([]) }
    guard let key = PlayerKey(rawValue: request.member) else { return .unknownMethod }
    if stops.hasStopped() { fence(request.sender) }
    if !stops.isBehind { report(.key(key)) }
    return .values([])
  }

  /// A ping, as a fence: what bluetoothd has sent before its reply may be as old as the stop.
  private func fence(_ owner: String) {
    guard let connection else { return }
    connection.assumeIsolated { connection in
      connection.send(DBusCall("Ping", of: "org.freedesktop.DBus.Peer", at: "/", to: owner)) {
        [weak self] _ in
        self?.assumeIsolated { $0.stops.catchUp() }
      }
    }
  }

  // MARK: Attributes

  /// What happens on a link that bluetoothd holds.
  enum RemoteEvent: Hashable {
    /// The headphone sent a value; the path is the characteristic's.
    case value(path: String, [UInt8])
    case disconnected
  }

  /// Where the links are polled, too.
  nonisolated var executor: any SerialExecutor { loop }

  func onLoop(_ body: @Sendable () -> Void) { body() }

  /// The attributes of a headphone whose link bluetoothd holds, once it has read them all.
  func attributes(of peer: PeerAddress) async -> (device: String, RemoteAttributes)? {
    guard await isPresent, let adapter = try? adapter(),
      let device = objects.device(peer.address, of: adapter), device.isConnected
    else { return nil }
    let isResolved = await until(within: Self.resolvingTimeout) {
      $0.device(at: device.path)?.areServicesResolved == true
    }
    let attributes = RemoteAttributes(objects.tree, of: device.path)
    return isResolved && !attributes.isEmpty ? (device.path, attributes) : nil
  }

  /// What bluetoothd has read of a device's service records; nil: nothing.
  func serviceRecords(of address: BluetoothAddress) async -> ServiceRecords? {
    guard await isPresent, let adapter = try? adapter(),
      let device = objects.device(address, of: adapter),
      device.product != nil || !device.services.isEmpty
    else { return nil }
    return ServiceRecords(serialServices: device.services, product: device.product)
  }

  func isPaired(_ device: String) -> Bool { objects.device(at: device)?.isPaired == true }

  /// Tells of a link until ``unfollow(_:)``; on the loop, in order.
  func follow(_ device: String, _ sink: @escaping @Sendable (RemoteEvent) -> Void) {
    followers[device] = sink
  }

  func unfollow(_ device: String) { followers[device] = nil }

  private func reportValue(_ signal: DBusSignal) {
    guard signal.interface == Self.properties,
      signal.arguments.first?.string == RemoteAttributes.characteristicInterface,
      let value = signal.arguments.dropFirst().first?.table?["Value"]?.bytes
    else { return }
    for (device, sink) in followers where signal.path.hasPrefix(device + "/") {
      sink(.value(path: signal.path, value))
    }
  }

  func readValue(at path: String, from offset: Int) async throws(DBusError) -> [UInt8] {
    let options: [String: DBusValue] =
      offset == 0 ? [:] : ["offset": .uint16(UInt16(clamping: offset))]
    let values = try await call(
      "ReadValue", of: interface(ofValueAt: path), at: path, [.options(options)],
      within: Self.attributeTimeout)
    guard let bytes = values.first?.bytes else { throw .malformed("ReadValue") }
    return bytes
  }

  func writeValue(
    _ value: [UInt8], at path: String, isCommand: Bool
  ) async throws(DBusError) {
    let options: [String: DBusValue] =
      objects.tree[path, RemoteAttributes.characteristicInterface] == nil
      ? [:] : ["type": .string(isCommand ? "command" : "request")]
    try await call(
      "WriteValue", of: interface(ofValueAt: path), at: path, [.bytes(value), .options(options)],
      within: Self.attributeTimeout)
  }

  /// Enables or disables notifications.
  ///
  /// Ref-counted by bluetoothd: other programs may receive them, too.
  func notify(_ isOn: Bool, at path: String) async throws(DBusError) {
    try await call(
      isOn ? "StartNotify" : "StopNotify", of: RemoteAttributes.characteristicInterface, at: path,
      within: Self.attributeTimeout)
  }

  private func interface(ofValueAt path: String) -> String {
    objects.tree[path, RemoteAttributes.descriptorInterface] == nil
      ? RemoteAttributes.characteristicInterface : RemoteAttributes.descriptorInterface
  }

  // MARK: Waiting for a state

  /// Waits until the objects are as wanted.
  ///
  /// - Returns: whether they were in time.
  private func until(
    within limit: Duration, _ condition: @escaping @Sendable (BlueZObjects) -> Bool
  ) async -> Bool {
    if condition(objects) { return true }
    lastNumber += 1
    let id = lastNumber
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

  // MARK: Calls

  /// Whether bluetoothd answers a call that its main loop answers at once; otherwise what waits for
  /// it ends.
  private func responds() async -> Bool {
    guard case .present(let owner) = phase, let connection else { return false }
    do throws(DBusError) {
      try await connection.call(
        DBusCall("Ping", of: "org.freedesktop.DBus.Peer", at: "/", to: owner),
        within: Self.answerTimeout)
    } catch {
      let isSilent = error == .timedOut && !Task.isCancelled && self.connection === connection
      if isSilent, phase == .present(owner: owner) { endUnanswered() }
    }
    guard case .present = phase else { return false }
    return true
  }

  /// Ends everything that waits for a bluetoothd that does not answer.
  ///
  /// The connection ends, and with it the discovery, agent and charges that bluetoothd has of it
  /// should it answer later; a new one waits for that.
  private func endUnanswered() {
    let unanswered = connection
    connection = nil
    unanswered?.assumeIsolated { $0.close() }
    lose()
    phase = .disconnected
    connect()
    isUnresponsive = phase != .disconnected
    watchForBus()
  }

  /// Calls bluetoothd itself: the process that was found, which a call does not start.
  ///
  /// A call that takes long, as a pairing may, ends when bluetoothd does not answer others either.
  @discardableResult
  private func call(
    _ member: String, of interface: String, at path: String, _ arguments: [DBusValue] = [],
    within limit: Duration = DBusConnection.replyTimeout
  ) async throws(DBusError) -> [DBusValue] {
    guard case .present(let owner) = phase, let connection else {
      throw isUnresponsive ? .unresponsive : .noBus
    }
    let watchdog = Task { [clock] in
      while (try? await clock.sleep(for: Self.answerTimeout)) != nil {
        guard await responds() else { return }
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

  private func set(
    _ property: String, of interface: String, at path: String, to value: DBusValue
  ) async throws(DBusError) {
    try await call(
      "Set", of: Self.properties, at: path,
      [.string(interface), .string(property), .variant(value)])
  }

  // MARK: Discovery

  /// Until the task is cancelled.
  private static let forever: Duration = .seconds(86_400 * 365)

  private struct Scan {
    var results: DiscoveryResults
    var found: AsyncThrowingStream<DiscoveredPeripheral, any Error>.Continuation
  }

  /// Reports the devices nearby, on LE and BR/EDR, until the consumer ends it or its time has
  /// passed.
  ///
  /// While bluetoothd is away the scan waits for it.
  nonisolated func scan(
    _ options: ScanOptions,
    into found: AsyncThrowingStream<DiscoveredPeripheral, any Error>.Continuation
  ) async {
    guard let id = await begin(options, into: found) else { return }
    try? await clock.sleep(for: options.duration ?? Self.forever)
    await end(id)
    found.finish()
  }

  private func begin(
    _ options: ScanOptions,
    into found: AsyncThrowingStream<DiscoveredPeripheral, any Error>.Continuation
  ) async -> UInt64? {
    do throws(RadioError) {
      let before = losses
      let isPowered = await until(within: Self.poweringTimeout) { [adapterName] in
        $0.adapter(named: adapterName)?.isPowered == true
      }
      if losses == before, !isPowered { throw .poweredOff(adapter: try adapter().name) }
      let id = add(Scan(results: DiscoveryResults(options), found: found))
      // With another bluetoothd it starts as soon as that shows its adapter.
      if let error = await updateDiscovery().value, losses == before || isUnresponsive {
        scans[id] = nil
        throw error
      }
      return id
    } catch {
      found.finish(throwing: error)
      return nil
    }
  }

  private func add(_ scan: Scan) -> UInt64 {
    lastNumber += 1
    let id = lastNumber
    scans[id] = scan
    // What is nearby by another program's discovery is there already.
    for path in objects.tree.objects.keys.sorted() { report(path, to: id) }
    return id
  }

  private func end(_ id: UInt64) async {
    scans[id] = nil
    _ = await updateDiscovery().value
  }

  private func report(_ path: String, to id: UInt64) {
    guard let adapter = objects.adapter(named: adapterName), path.hasPrefix(adapter.path + "/")
    else {
      scans[id]?.results.remove(path)
      return
    }
    guard let device = objects.device(at: path) else {
      scans[id]?.results.remove(path)
      return
    }
    guard let found = scans[id]?.results.update(device, at: stopwatch.elapsed) else { return }
    scans[id]?.found.yield(found)
  }

  /// Stops discovery until ``resumeDiscovery()``, and returns when it has stopped.
  ///
  /// While any client discovers the kernel connects LE only when it restarts its scan: after up to
  /// 10.24 s.
  func pauseDiscovery() async {
    pauses += 1
    _ = await updateDiscovery().value
  }

  func resumeDiscovery() {
    pauses -= 1
    updateDiscovery()
  }

  /// Makes discovery run or rest, one change after another.
  ///
  /// - Returns: why it does not run though it should.
  @discardableResult
  private func updateDiscovery() -> Task<RadioError?, Never> {
    let previous = discoveryWork
    let task = Task { () -> RadioError? in
      await previous?.value
      return await applyDiscovery()
    }
    discoveryWork = Task { _ = await task.value }
    return task
  }

  private func applyDiscovery() async -> RadioError? {
    let isWanted = !scans.isEmpty && pauses == 0
    if let running = discovering, !isWanted {
      discovering = nil
      // A failure means that it has ended already.
      _ = try? await call("StopDiscovery", of: BlueZAdapter.interface, at: running)
    }
    guard isWanted, discovering == nil, case .present = phase else { return nil }
    do throws(RadioError) {
      try await startDiscovery(on: try adapter())
      return nil
    } catch {
      return error
    }
  }

  private func startDiscovery(on adapter: BlueZAdapter) async throws(RadioError) {
    let before = losses
    do throws(DBusError) {
      try await call(
        "SetDiscoveryFilter", of: BlueZAdapter.interface, at: adapter.path,
        [.options(["Transport": .string("auto"), "DuplicateData": .boolean(true)])])
      try await call("StartDiscovery", of: BlueZAdapter.interface, at: adapter.path)
      if losses == before { discovering = adapter.path }
    } catch {
      // It starts with the next bluetoothd.
      if losses != before, !isUnresponsive { return }
      switch error.name {
      // The kernel still runs the discovery of a bluetoothd that was killed.
      case "org.bluez.Error.InProgress": retryDiscovery()
      case "org.bluez.Error.NotReady": throw .poweredOff(adapter: adapter.name)
      default: throw RadioError(error, during: "scanning", adapter: adapter.name)
      }
    }
  }

  private func retryDiscovery() {
    Task {
      try? await clock.sleep(for: Self.discoveryRetryInterval)
      updateDiscovery()
    }
  }

  // MARK: Adapter

  /// Switches the adapter on or off.
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

  // MARK: Pairing

  /// Pairs a device, or its other side, by `Device1.Pair`; what is asked is asked of the person.
  ///
  /// Cancelling the task cancels the pairing.
  ///
  /// - Throws: `unsupported` where the adapter cannot look for the other side.
  func pair(_ peer: PeerAddress) async throws(SecurityFailure) {
    guard let device = try await pairable(peer.address) else {
      throw .closed(BearerClosed(.connectTimeout))
    }
    // Just Works asks the agent nothing. The other side of what is paired needs no second consent.
    if !device.isPaired {
      let isAttended = agent.isAttended
      switch await agent.ask(.consent, for: peer) {
      case .yes: break
      case nil: throw .unanswered
      case .some: throw isAttended ? .declined : .unanswered
      }
    }
    try await withAgent(for: device.path, as: peer, isDefault: false) {
      () throws(SecurityFailure) in
      do throws(DBusError) {
        try await self.pair(device)
      } catch {
        if error == .timedOut { await self.cancelPairing(device.path) }
        if error.name == "org.bluez.Error.AlreadyExists" { return }
        throw SecurityFailure(error)
      }
    }
    await trust(device.path)
  }

  private func pair(_ device: BlueZDevice) async throws(DBusError) {
    let pairing = Task { () -> Result<Void, DBusError> in
      do throws(DBusError) {
        try await call(
          "Pair", of: BlueZDevice.interface, at: device.path, within: Self.pairingTimeout)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try await withTaskCancellationHandler {
      await pairing.value
    } onCancel: {
      Task {
        await self.cancelPairing(device.path)
        pairing.cancel()
      }
    }.get()
  }

  /// Cancels the pairing of a device that is not paired.
  ///
  /// bluetoothd 5.66 to 5.87 removes the keys of LE when `CancelPairing` comes where no pairing is under
  /// way, as when it hung and has meanwhile finished. So the pairing of the other side of a paired device
  /// is left alone: it ends by itself, for want of an agent.
  private func cancelPairing(_ path: String) async {
    guard objects.device(at: path)?.isPaired == false else { return }
    _ = await failure("CancelPairing", at: path)
  }

  /// Does what may pair a device over another way than ``pair(_:)``, while bluetoothd asks this
  /// program's agent.
  ///
  /// - Parameters:
  ///   - peer: the device.
  ///   - end: ends the work if bluetoothd ends meanwhile.
  ///   - work: what may pair.
  func securing(
    _ peer: PeerAddress, onLoss end: @escaping @Sendable () -> Void,
    _ work: @Sendable () async throws(SecurityFailure) -> Void
  ) async throws(SecurityFailure) {
    guard await isPresent, let adapter = try? adapter() else { return try await work() }
    let path =
      objects.device(peer.address, of: adapter)?.path ?? Self.path(of: peer.address, on: adapter)
    if !peer.isIdentity { await removeAudioSides(like: path, on: adapter) }
    let before = losses
    securings[path] = end
    defer { securings[path] = nil }
    do throws(SecurityFailure) {
      try await withAgent(for: path, as: peer, isDefault: true, work)
    } catch {
      guard losses != before else { throw error }
      unfinished.insert(peer.address)
      throw isUnresponsive ? .bluetoothdUnresponsive : .bluetoothd("it ended while pairing")
    }
    _ = await until(within: Self.keyTimeout) { $0.device(at: path)?.isPaired == true }
    await trust(path)
  }

  /// Removes discovered audio sides that may be those of a device with a private address.
  ///
  /// When the pairing reveals that an object has the same address, bluetoothd 5.66 takes over what it
  /// knows, keeps it for 30 s as an unknown device, and then deletes the file with the keys of both.
  private func removeAudioSides(like path: String, on adapter: BlueZAdapter) async {
    guard let name = objects.device(at: path)?.name else { return }
    let sides = objects.devices(of: adapter).filter {
      $0.name == name && $0.path != path && !$0.isRandom && !$0.isPaired && !$0.isConnected
    }
    for side in sides { _ = try? await remove(side.address) }
  }

  /// Ends a link whose pairing bluetoothd has left unfinished, and waits for its end.
  ///
  /// `Disconnect` would end the sound, too: while there is some, the pairing's own time has to pass.
  ///
  /// - Parameter links: the kernel's links, and each change.
  func awaitEnd(of peer: PeerAddress, among links: AsyncStream<[RadioLink]>) async {
    guard unfinished.contains(peer.address) else { return }
    let path = await isPresent ? (try? adapter()).map { Self.path(of: peer.address, on: $0) } : nil
    _ = await within(Self.unfinishedTime, by: clock) {
      for await links in links {
        let kinds = links.filter { $0.address == peer.address }.map(\.kind)
        guard kinds.contains(.le) else { return }
        if let path, !kinds.contains(.acl) { _ = await self.failure("Disconnect", at: path) }
      }
    }
    if !Task.isCancelled { unfinished.remove(peer.address) }
  }

  private static func path(of address: BluetoothAddress, on adapter: BlueZAdapter) -> String {
    "\(adapter.path)/dev_\("\(address)".replacing(":", with: "_"))"
  }

  /// The identity address of a bonded device that had this private address when bluetoothd found it;
  /// the address itself if there is none.
  ///
  /// bluetoothd keeps the path of its object, and changes the address that it reports.
  func identity(of peer: PeerAddress) async -> PeerAddress {
    guard !peer.isIdentity, await isPresent, let adapter = try? adapter(),
      let device = objects.device(at: Self.path(of: peer.address, on: adapter)), device.isPaired
    else { return peer }
    return PeerAddress(device.address, device.isRandom ? .random : .public)
  }

  /// A headphone that calls is refused without a word unless it is trusted.
  private func trust(_ path: String) async {
    guard objects.device(at: path)?.isTrusted == false else { return }
    // Pairing has succeeded all the same.
    try? await set("Trusted", of: BlueZDevice.interface, at: path, to: .boolean(true))
  }

  /// - Parameter isDefault: whether bluetoothd shall ask it also about pairings that no client of
  ///   bluetoothd's began: those of the kernel's sockets.
  private func withAgent(
    for path: String, as peer: PeerAddress, isDefault: Bool,
    _ work: @Sendable () async throws(SecurityFailure) -> Void
  ) async throws(SecurityFailure) {
    conversation.begin(path, as: peer)
    let result: Result<Void, SecurityFailure>
    do throws(SecurityFailure) {
      try await register(isDefault: isDefault)
      do throws(SecurityFailure) {
        try await work()
        result = .success(())
      } catch {
        result = .failure(error)
      }
      await unregister()
    } catch {
      _ = conversation.end(path)
      throw error
    }
    questions.removeValue(forKey: path)?.cancel()
    let excuse = conversation.end(path)
    guard case .failure(let failure) = result else { return }
    switch failure {
    case .refused, .noAgent, .unanswered, .timedOut, .declined, .closed, .bluetoothd:
      throw excuse ?? failure.withoutAgent
    case .notPermitted, .keyMissing, .unsupported, .bluetoothdUnresponsive: throw failure
    }
  }

  private func register(isDefault: Bool) async throws(SecurityFailure) {
    agentUsers += 1
    do throws(DBusError) {
      if agentUsers == 1 {
        await connection?.export(at: Self.agentPath) { [weak self] request in
          await self?.reply(to: request) ?? .unknownMethod
        }
        try await callManager("RegisterAgent", [.string(Self.capability)])
      }
      if isDefault { try await callManager("RequestDefaultAgent") }
    } catch {
      if error.name == "org.bluez.Error.AlreadyExists" { return }
      await unregister()
      throw error == .unresponsive ? .bluetoothdUnresponsive : .noAgent
    }
  }

  private func unregister() async {
    guard agentUsers > 0 else { return }
    agentUsers -= 1
    guard agentUsers == 0 else { return }
    _ = try? await callManager("UnregisterAgent")
    if agentUsers == 0 { await connection?.export(at: Self.agentPath, nil) }
  }

  private func callManager(_ member: String, _ more: [DBusValue] = []) async throws(DBusError) {
    try await call(
      member, of: "org.bluez.AgentManager1", at: Self.root,
      [.objectPath(Self.agentPath)] + more)
  }

  private func reply(to request: DBusRequest) async -> DBusReply {
    guard case .present(request.sender) = phase else { return AgentConversation.rejected }
    guard let asked = AgentRequest(request) else { return .unknownMethod }
    switch conversation.step(for: asked) {
    case .reply(let reply): return reply
    case .withdraw:
      for question in questions.values { question.cancel() }
      questions = [:]
      return .values([])
    case .show(let number, let peer, let device):
      questions.removeValue(forKey: device)?.cancel()
      questions[device] = Task { [agent] in
        guard await agent.ask(number, for: peer) == .no, !Task.isCancelled else { return }
        conversation.decline(device)
        await cancelPairing(device)
      }
      return .values([])
    case .ask(let question, let peer, let device):
      questions.removeValue(forKey: device)?.cancel()
      let isAttended = agent.isAttended
      let asking = Task { [agent] in await agent.ask(question, for: peer) }
      questions[device] = Task {
        await withTaskCancellationHandler {
          _ = await asking.value
        } onCancel: {
          asking.cancel()
        }
      }
      let answer = await asking.value
      // Nobody failed to answer a question that was withdrawn.
      guard !asking.isCancelled else { return AgentConversation.canceled }
      return conversation.reply(
        to: question, of: device, with: answer, isAttended: isAttended)
    }
  }

  /// The device with this address, once `Device1.Pair` can find its side of BR/EDR; nil: that is not
  /// nearby.
  ///
  /// bluetoothd 5.66 never replies when LE is paired and it has no other side to pair.
  private func pairable(
    _ address: BluetoothAddress
  ) async throws(SecurityFailure) -> BlueZDevice? {
    guard await isPresent, let adapter = try? adapter() else { return nil }
    let find = { @Sendable (objects: BlueZObjects) -> BlueZDevice? in
      objects.device(address, of: adapter).flatMap { !$0.isPaired || $0.showsClassic ? $0 : nil }
    }
    if let device = find(objects) { return device }
    guard await discover(on: adapter, until: { find($0) != nil }) else { throw .unsupported }
    return find(objects)
  }

  /// Looks for a device of BR/EDR for two inquiries at most.
  ///
  /// - Returns: whether bluetoothd can.
  @discardableResult
  private func discover(
    on adapter: BlueZAdapter, until isFound: @escaping @Sendable (BlueZObjects) -> Bool
  ) async -> Bool {
    await pauseDiscovery()
    defer { resumeDiscovery() }
    do throws(DBusError) {
      try await call(
        "SetDiscoveryFilter", of: BlueZAdapter.interface, at: adapter.path,
        [.options(["Transport": .string("bredr")])])
      try await call("StartDiscovery", of: BlueZAdapter.interface, at: adapter.path)
    } catch {
      return false
    }
    _ = await until(within: AudioConnection.inquiryTimeout, isFound)
    _ = try? await call("StopDiscovery", of: BlueZAdapter.interface, at: adapter.path)
    return true
  }

  /// Removes the device and its keys; its links end.
  ///
  /// Where both links were up and one of them ends, bluetoothd 5.66 reports success and keeps the
  /// device for the other: so it is asked until the device is gone.
  ///
  /// - Returns: whether bluetoothd had it.
  @discardableResult
  func remove(_ address: BluetoothAddress) async throws(SecurityFailure) -> Bool {
    guard let adapter = try? adapter(), let device = objects.device(address, of: adapter) else {
      return false
    }
    removals.insert(device.path)
    defer { removals.remove(device.path) }
    for _ in 1...Self.removalLimit {
      do throws(DBusError) {
        try await call(
          "RemoveDevice", of: BlueZAdapter.interface, at: adapter.path, [.objectPath(device.path)])
      } catch {
        if error.name == "org.bluez.Error.DoesNotExist" { return false }
        throw SecurityFailure(error)
      }
      if await until(within: Self.removalTimeout, { $0.device(at: device.path) == nil }) {
        return true
      }
    }
    throw .bluetoothd("it keeps the device")
  }

  // MARK: Sound

  /// Brings a headphone's sound up.
  ///
  /// - Parameter isClassicUp: whether the kernel has a BR/EDR link to the headphone, at that moment.
  func connectAudio(
    _ address: BluetoothAddress, isClassicUp: @Sendable () async -> Bool
  ) async throws(AudioLinkError) {
    guard await isPresent else { throw isUnresponsive ? .bluetoothdUnresponsive : .noBluetoothd }
    let isPowered = await until(within: Self.poweringTimeout) { [adapterName] in
      $0.adapter(named: adapterName)?.isPowered == true
    }
    guard isPowered, let adapter = try? adapter() else { throw .poweredOff }
    // A sound server registers with bluetoothd a moment after that has started; before that,
    // `Connect` succeeds with links that carry no sound.
    _ = await until(within: AudioConnection.endpointTimeout) { [adapterName] in
      $0.adapter(named: adapterName)?.hasAudioSource == true
    }
    var steps = AudioConnection()
    func hasAudio() -> Bool {
      objects.device(address, of: adapter).map { objects.hasAudio($0.path) } ?? false
    }
    var step = steps.begin(
      objects.device(address, of: adapter), hasAudio: hasAudio(), isClassicUp: await isClassicUp())
    while true {
      let path = objects.device(address, of: adapter)?.path ?? Self.path(of: address, on: adapter)
      switch step {
      case .done: return
      case .failed(let error): throw error
      case .discover:
        await discover(on: adapter) { $0.device(address, of: adapter) != nil }
        step = steps.begin(
          objects.device(address, of: adapter), hasAudio: hasAudio(),
          isClassicUp: await isClassicUp())
      case .connect:
        let error = await failure("Connect", at: path)
        step = steps.replied(error, hasAudio: hasAudio())
      case .connectProfile:
        let error = await failure("ConnectProfile", at: path, [.string(AudioConnection.sink)])
        step = steps.replied(error, hasAudio: hasAudio())
      case .awaitTransport:
        let isUp = await until(within: AudioConnection.transportTimeout) { $0.hasAudio(path) }
        step = steps.waited(hasAudio: isUp, isClassicUp: await isClassicUp())
      case .connectCalls: return await connectCalls(at: path)
      case .release:
        _ = await failure("Disconnect", at: path)
        throw .onlyLowEnergy
      }
      if Task.isCancelled { throw .busy }
    }
  }

  /// Connects calls, again while bluetoothd is busy: it still reads the services of a link that has
  /// just come up.
  private func connectCalls(at path: String) async {
    for attempt in 1...AudioConnection.callsAttempts {
      let error = await failure(
        "ConnectProfile", at: path, [.string(AudioConnection.calls)],
        within: AudioConnection.callsTimeout)
      guard error.map(AudioLinkError.init) == .busy, attempt < AudioConnection.callsAttempts,
        (try? await clock.sleep(for: AudioConnection.callsPause)) != nil
      else { return }
    }
  }

  /// Disconnects the audio profiles, and then the device where that ends nothing else.
  ///
  /// `Device1.Disconnect` ends LE links, too.
  ///
  /// - Parameter isAlone: whether BR/EDR is up, and needed for nothing else, at that moment.
  func disconnectAudio(
    _ address: BluetoothAddress, isAlone: @Sendable () async -> Bool
  ) async throws(AudioLinkError) {
    guard await isPresent else { throw isUnresponsive ? .bluetoothdUnresponsive : .noBluetoothd }
    guard let adapter = try? adapter(), let device = objects.device(address, of: adapter) else {
      throw .notFound
    }
    for profile in AudioConnection.profiles {
      guard let error = await failure("DisconnectProfile", at: device.path, [.string(profile)])
      else { continue }
      // What is not connected is as wanted.
      switch error.name {
      case "org.bluez.Error.NotConnected", "org.bluez.Error.InvalidArguments",
        "org.bluez.Error.NotAvailable", "org.bluez.Error.DoesNotExist",
        "org.bluez.Error.NotSupported":
        continue
      default: throw AudioLinkError(error)
      }
    }
    if await isAlone() { _ = await failure("Disconnect", at: device.path) }
  }

  /// The error of a call; nil: it succeeded.
  private func failure(
    _ member: String, at path: String, _ arguments: [DBusValue] = [],
    within limit: Duration = AudioConnection.connectTimeout
  ) async -> DBusError? {
    do throws(DBusError) {
      try await call(
        member, of: BlueZDevice.interface, at: path, arguments, within: limit)
      return nil
    } catch {
      return error
    }
  }
}

extension SecurityFailure {
  /// What an error of `Device1.Pair` means.
  init(_ error: DBusError) {
    self =
      switch error.name {
      case "org.bluez.Error.AuthenticationFailed", "org.bluez.Error.AuthenticationRejected",
        "org.bluez.Error.AuthenticationCanceled":
        .refused
      case "org.bluez.Error.AuthenticationTimeout": .timedOut
      case "org.bluez.Error.ConnectionAttemptFailed": .closed(BearerClosed(.connectTimeout))
      case "org.bluez.Error.NotReady": .closed(BearerClosed(.adapterGone))
      default:
        switch error {
        case .timedOut: .timedOut
        case .unresponsive: .bluetoothdUnresponsive
        default: .bluetoothd("\(error)")
        }
      }
  }

  /// The same where this program's agent was there, so that its absence is no reason.
  fileprivate var withoutAgent: SecurityFailure { self == .noAgent ? .refused : self }
}

extension RadioError {
  /// What an error of bluetoothd means for an adapter.
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
