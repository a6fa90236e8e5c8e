public import Bluetooth
public import BluetoothCodec
public import EventLoop
internal import GATT
internal import HeadphoneProtocols

/// A headphone that exists only here: it advertises, serves GATT, carries out commands and lives.
///
/// It does all of docs/protocol.md, runs on its loop's thread, and takes the time from its clock
/// alone. While no phone is connected nothing wakes it.
///
/// ```swift
/// let headphone = VirtualHeadphone(.aurora, loop: .shared, clock: clock)
/// let radio = VirtualRadio(headphones: [headphone], clock: clock)
/// let bearer = try await radio.connect(to: headphone.model.address, timeout: .seconds(10))
///
/// await headphone.happen(.takeOut(.left))                 // notified to the client
/// await headphone.injectFaults { $0.requests = .never }   // from now on it answers nothing
/// await headphone.dropLink(.supervisionTimeout)           // as out of range
/// ```
///
/// One phone can be connected at a time. What a bond keeps (subscriptions, client features, the
/// key) survives the link, as the specification demands.
public actor VirtualHeadphone {
  /// The properties that never change.
  public nonisolated let model: VirtualModel
  nonisolated let loop: PollLoop
  let clock: any Clock<Duration>
  let timeline: ElapsedClock

  var server: GATTServer
  var life: DeviceSimulator
  /// How another maker's headphone is now.
  public internal(set) var family: VirtualFamily?
  /// The family before it fell silent; nil: it answers.
  var silenced: VirtualFamily?
  var script: SimulationScript
  /// The script's step that comes next, and when.
  var upcoming: (timestamp: Duration, event: SimulationEvent)?
  var faults = VirtualFaults()
  /// Requests since the last change of the faults.
  var requests = 0
  /// PDUs of both directions since the last change of the faults.
  public internal(set) var pdus = 0
  /// Answers left out so far, for `.after(ignored:)`.
  var ignored: (requests: Int, commands: Int) = (0, 0)

  /// The slots of its flash; nil: it takes no firmware.
  public internal(set) var firmware: FirmwareReceiver?

  var connection: Connection?
  /// Fast Pair's message stream; nil: it is not open.
  var stream: Stream?
  /// Whether its audio side is connected to the phone.
  public internal(set) var isSounding = true
  /// Sleeps until something is due.
  var timer: Task<Void, Never>?
  /// Until when it is restarting and cannot be reached.
  var unreachableUntil: Duration = .zero
  var isInRange = true
  /// Callers that wait for it to come into range.
  var arrivals: [AsyncStream<Void>.Continuation] = []
  /// Signal strength at the phone, in dBm.
  public var rssi: Int8

  /// How often it was paired with; decides by which method it pairs next.
  var pairingCount = 0

  /// A phone that is connected.
  struct Connection {
    var link: VirtualLink
    /// The headphone's end.
    var bearer: SocketBearer
    /// The phone's end, to know at once when the phone has closed it.
    var phone: SocketBearer
    var server = CommandServer()
    var tasks: [Task<Void, Never>] = []
  }

  /// A phone that has opened the stream.
  struct Stream {
    /// The headphone's end.
    var bearer: SocketBearer
    /// The phone's end, to know at once when the phone has closed it.
    var phone: SocketBearer
  }

  /// - Parameter script: what happens to it by itself while a phone is connected.
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

// MARK: For scripts

extension VirtualHeadphone {
  /// Lets something happen to it now.
  public func happen(_ event: SimulationEvent) {
    report(life.happen(event, at: timeline.elapsed))
    rearm()
  }

  /// Changes its faults from now on.
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

  /// Ends the link with a reason.
  public func dropLink(_ reason: BearerClosed.Reason = .peer) {
    connection?.link.end(reason)
    disconnect()
  }

  /// Answers nothing any more, as another maker's headphone.
  public func stopResponding() { (silenced, family) = (family, family?.silent) }

  /// Answers again after ``stopResponding()``, with the values of then.
  public func resumeResponding() { family = silenced.take() ?? family }

  /// Leaves the phone's range, as a supervision time-out, or comes back.
  public func setInRange(_ isInRange: Bool) {
    self.isInRange = isInRange
    guard isInRange else { return dropLink(.supervisionTimeout) }
    for arrival in arrivals { arrival.finish() }
    arrivals = []
  }

  /// Pushes any bytes as a value of the event characteristic.
  public func notify(_ bytes: Bytes) {
    if let handle = eventHandle { execute(server.push(bytes, of: handle)) }
  }

  /// Sends any bytes as a PDU: a request of its own, a response to nothing, garbage.
  public func sendPDU(_ bytes: Bytes) { post(bytes) }

  /// Offers another table of services, as new firmware does.
  ///
  /// - Parameter range: the handles that Service Changed names: now, or on the next encrypted link
  ///   of a bonded phone; nil to keep the change quiet, as a headphone with a defect does.
  public func replaceServices(
    changed range: ATTHandleRange? = .all,
    _ change: @Sendable ([ServiceDefinition]) -> [ServiceDefinition]
  ) {
    let services = change(model.services(named: life.name))
    let effects = server.replaceTable(services, changed: range)
    server.table.store(life.events(at: timeline.elapsed), of: model)
    execute(effects)
  }

  /// The headphone's state at this moment.
  ///
  /// A copy: later changes do not show in it.
  public var snapshot: DeviceSimulator {
    life
  }

  /// The first value of a type that its services have now; nil: there is none.
  public func value(of type: BluetoothUUID) -> [UInt8]? {
    server.table.handle(of: type).flatMap { server.table.value(at: $0) }
  }

  /// Whether the phone has subscribed to Service Changed.
  public var isWatched: Bool {
    server.table.handle(of: .serviceChanged).map(server.isConfigured) ?? false
  }

  /// Whether a phone is connected.
  public var isConnected: Bool {
    connection.map { $0.phone.withDescriptor { _ in true } ?? false } ?? false
  }

  /// Whether the phone has a bond, from now on or no longer.
  public func setBonded(_ isBonded: Bool) { server.isBonded = isBonded }
}
