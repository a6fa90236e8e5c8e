public import BluetoothAttributes
public import BluetoothCodec
internal import BluetoothRadio
public import EventLoop
internal import HeadphoneProtocols

/// A simulated headphone: it advertises, serves GATT, carries out commands and follows a script.
///
/// It implements all of docs/protocol.md, runs on its loop's thread, and takes the time only from
/// its clock. While no phone is connected, it has no timers.
///
/// ```swift
/// let headphone = VirtualHeadphone(.aurora, loop: .shared, clock: clock)
/// let radio = VirtualRadio(headphones: [headphone], clock: clock)
/// let bearer = try await radio.connect(to: headphone.model.address, timeout: .seconds(10))
///
/// await headphone.happen(.takeOut(.left))                 // notified to the client
/// await headphone.injectFaults { $0.requests = .never }   // it answers nothing from now on
/// await headphone.dropLink(.supervisionTimeout)           // as if out of range
/// ```
///
/// One phone can be connected at a time. The data of a bond (subscriptions, client features, the
/// key) survive the link, as the specification requires.
public actor VirtualHeadphone {
  public nonisolated let model: VirtualModel
  nonisolated let loop: PollLoop
  let clock: any Clock<Duration>
  let timeline: ElapsedClock

  var server: GATTServer
  var life: DeviceSimulator
  /// The state of another maker's headphone, or nil for one with the protocol of docs/protocol.md.
  public internal(set) var family: VirtualFamily?
  var silenced: VirtualFamily?
  var script: SimulationScript
  var upcoming: (timestamp: Duration, event: SimulationEvent)?
  var faults = VirtualFaults()
  var requests = 0
  /// The number of PDUs in both directions since the last change of the faults.
  public internal(set) var pdus = 0
  var ignored: (requests: Int, commands: Int) = (0, 0)

  /// The flash memory for firmware, or nil if the headphone does not support updates.
  public internal(set) var firmware: FirmwareReceiver?

  var connection: Connection?
  var stream: Stream?
  /// Whether the BR/EDR side is connected to the phone.
  public internal(set) var isSounding = true
  var timer: Task<Void, Never>?
  var unreachableUntil: Duration = .zero
  var isInRange = true
  var arrivals: [AsyncStream<Void>.Continuation] = []
  /// The signal strength at the phone, in dBm.
  public var rssi: Int8

  var pairingCount = 0

  struct Connection {
    var link: VirtualLink
    var bearer: SocketBearer
    /// The phone's end, which shows immediately when the phone has closed it.
    var phone: SocketBearer
    var server = CommandServer()
    var tasks: [Task<Void, Never>] = []
  }

  struct Stream {
    var bearer: SocketBearer
    var phone: SocketBearer
  }

  /// Creates a headphone; `script` runs while a phone is connected.
  public init(
    _ model: VirtualModel, loop: PollLoop, clock: any Clock<Duration>,
    script: SimulationScript = SimulationScript()
  ) {
    self.model = model
    self.loop = loop
    self.clock = clock
    self.script = script
    timeline = ElapsedClock(clock)
    life = DeviceSimulator(model)
    family = model.family
    firmware = model.firmware.map { FirmwareReceiver($0, running: model.installed) }
    server = GATTServer(model.services(named: model.name), options: model.server)
    server.table.store(life.events(at: .zero), of: model)
    rssi = model.rssi
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }
}

extension VirtualHeadphone {
  /// Applies an action of the wearer at the current time.
  public func happen(_ event: SimulationEvent) {
    report(life.happen(event, at: timeline.elapsed))
    rearm()
  }

  /// Changes the faults, and restarts their counts.
  public func injectFaults(_ change: @Sendable (inout VirtualFaults) -> Void) {
    change(&faults)
    requests = 0
    pdus = 0
    ignored = (0, 0)
    server.refusals = [:]
    for (uuid, code) in faults.refusedWrites {
      for handle in server.table.handles(of: uuid) { server.refusals[handle] = code }
    }
  }

  /// Ends the link with the given reason.
  public func dropLink(_ reason: BearerClosed.Reason = .peer) {
    connection?.link.end(reason)
    disconnect()
  }

  /// Makes another maker's headphone stop responding.
  public func stopResponding() { (silenced, family) = (family, family?.silent) }

  /// The frames received on the serial channel since ``stopResponding()``.
  public var ignoredFrames: [Bytes] {
    if case .serial(let serial)? = family { serial.ignored } else { [] }
  }

  /// Makes the headphone respond again, with the values from before ``stopResponding()``.
  public func resumeResponding() { family = silenced.take() ?? family }

  /// Moves the headphone out of range, which ends the link with a supervision time-out, or back.
  public func setInRange(_ isInRange: Bool) {
    self.isInRange = isInRange
    guard isInRange else { return dropLink(.supervisionTimeout) }
    for arrival in arrivals { arrival.finish() }
    arrivals = []
  }

  /// Notifies or indicates any bytes as a value of the event characteristic.
  public func notify(_ bytes: Bytes) {
    if let handle = eventHandle { execute(server.push(bytes, of: handle)) }
  }

  /// Sends any bytes as a PDU, such as an unexpected response or a malformed PDU.
  public func sendPDU(_ bytes: Bytes) { post(bytes) }

  /// Replaces the services, as a firmware update does.
  ///
  /// - Parameter range: the handles in Service Changed, or nil to simulate a headphone that does
  ///   not report the change. A bonded phone gets the indication on its next encrypted link.
  public func replaceServices(
    changed range: ATTHandleRange? = .all,
    _ change: @Sendable ([ServiceDefinition]) -> [ServiceDefinition]
  ) {
    let services = change(model.services(named: life.name))
    let effects = server.replaceTable(services, changed: range)
    server.table.store(life.events(at: timeline.elapsed), of: model)
    execute(effects)
  }

  public var snapshot: DeviceSimulator {
    life
  }

  /// Returns the first value of a type in the current services, or nil if there is none.
  public func value(of type: BluetoothUUID) -> [UInt8]? {
    server.table.handle(of: type).flatMap { server.table.value(at: $0) }
  }

  /// Changes the first value of a type, as if on the headphone itself, and notifies it.
  public func change(_ type: BluetoothUUID, to value: [UInt8]) {
    guard let handle = server.table.handle(of: type) else { return }
    server.table.setValue(value, at: handle)
    execute(server.push(value[...], of: handle))
  }

  public var isWatched: Bool {
    server.table.handle(of: .serviceChanged).map(server.isConfigured) ?? false
  }

  public var isConnected: Bool {
    connection.map { $0.phone.withDescriptor { _ in true } ?? false } ?? false
  }

  /// Creates or removes the headphone's bond with the phone.
  public func setBonded(_ isBonded: Bool) { server.isBonded = isBonded }
}
