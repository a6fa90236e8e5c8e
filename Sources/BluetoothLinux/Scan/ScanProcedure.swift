internal import Bluetooth
internal import BluetoothCodec
internal import Glibc

/// A scan with one adapter beside other processes that use it, as a value: packets in, effects out.
///
/// Others are the kernel, which stops scanning to connect, and programs such as bluetoothd. Their
/// commands are seen on the same socket, so that each completion is known to be ours or theirs.
/// The scan of another process is shared; when that stops, this one takes over after a pause. Where
/// listening brings nothing, as while the kernel waits for known devices only, the kernel is asked
/// to discover: it keeps what it had, and goes back to it.
struct ScanProcedure: Hashable, Sendable {
  enum Effect: Hashable, Sendable {
    case send(HCICommand)
    case received(AdvertisingReport)
    case failed(RadioError)
    /// Another process scans; its reports are used.
    case listensAlong
    /// The kernel shall scan, through the management channel.
    case startDiscovery
    case stopDiscovery
    /// Nothing more will come, and what was switched on is off again.
    case finished
  }

  private enum Phase: Hashable {
    case idle
    case askingCommands
    case settingParameters(ScanMethod)
    case enabling(ScanMethod)
    /// This program's scan is on.
    case scanning(ScanMethod)
    /// Another's scan is on.
    case listening(ScanMethod)
    /// No process scans; this one does not yet, so that a connection can be made.
    case waiting(ScanMethod, until: Duration)
    case disabling
    case over
  }

  private enum Discovery { case none, asked, running }

  /// How long listening along may bring nothing.
  private static let listenTimeout: Duration = .seconds(2)
  /// How long no other process must have used the scanner before this one does.
  private static let pause: Duration = .seconds(1)
  /// How long an order to the controller may take before the scan goes on without its answer.
  private static let timeout: Duration = .seconds(2)

  private let own: OwnAddressType
  private let adapter: String
  private var phase = Phase.idle
  private var others = ForeignHCICommands()
  private var discovery = Discovery.none
  /// When listening along has brought nothing for long enough.
  private var listenStoppedAt: Duration?
  /// When the controller must have answered.
  private var answerDue: Duration?

  /// `own`: which address scan requests carry.
  init(adapter: String, own: OwnAddressType) {
    self.adapter = adapter
    self.own = own
  }

  var isOver: Bool { phase == .over }

  /// When ``tick(at:)`` is to be called; nil: not at all.
  var nextDeadline: Duration? {
    switch phase {
    case .waiting(_, let timestamp): others.isConnecting ? nil : timestamp
    case .listening: listenStoppedAt
    case .over: nil
    default: answerDue
    }
  }

  mutating func start(at now: Duration) -> [Effect] {
    guard phase == .idle else { return [] }
    phase = .askingCommands
    return order(.readLocalSupportedCommands, at: now)
  }

  mutating func receive(_ packet: HCIPacket, at now: Duration) -> [Effect] {
    switch packet {
    case .command(let command):
      others.sent(command)
      return []
    case .event(.le(.advertisingReports(let reports))),
      .event(.le(.extendedAdvertisingReports(let reports))):
      listenStoppedAt = nil
      return isHearing ? reports.map(Effect.received) : []
    case .event(.le(.connectionComplete)), .event(.le(.enhancedConnectionComplete)):
      connectionEnded(at: now)
      return []
    case .event(.commandComplete(_, let opcode, let result)):
      if let command = others.completed(opcode) {
        return othersCompleted(command, result.status ?? .success, at: now)
      }
      return completed(opcode, result, at: now)
    case .event(.commandStatus(let status, _, let opcode)):
      guard let command = others.completed(opcode) else {
        return completed(opcode, .status(status), at: now)
      }
      if command.isConnecting, !status.isSuccess { connectionEnded(at: now) }
      return []
    default: return []
    }
  }

  mutating func tick(at now: Duration) -> [Effect] {
    guard let nextDeadline, now >= nextDeadline else { return [] }
    switch phase {
    case .waiting(let method, _):
      phase = .settingParameters(method)
      return order(method.parameters(own: own), at: now)
    case .listening:
      listenStoppedAt = nil
      return startDiscovery()
    case .disabling:
      return finish()
    default:
      return fail(.system(errno: ETIMEDOUT, during: "wait for the adapter"))
    }
  }

  /// The socket is of no use any more.
  mutating func giveUp() { phase = .over }

  /// Switches off what this program switched on.
  mutating func stop(at now: Duration) -> [Effect] {
    switch phase {
    case .scanning(let method), .enabling(let method):
      phase = .disabling
      return order(method.enable(false), at: now)
    case .disabling, .over: return []
    default: return finish()
    }
  }
}

// MARK: - Completions

extension ScanProcedure {
  private mutating func completed(
    _ opcode: HCIOpcode, _ result: HCIReturn, at now: Duration
  ) -> [Effect] {
    let status = result.status ?? .success
    switch phase {
    case .askingCommands where opcode == .readLocalSupportedCommands:
      // A controller that does not know the command is old: it has the legacy ones.
      var method = ScanMethod.legacy
      if case .supportedCommands(let commands) = result { method = ScanMethod(commands) }
      phase = .settingParameters(method)
      return order(method.parameters(own: own), at: now)
    case .settingParameters(let method) where opcode == method.parameters(own: own).opcode:
      guard status.isSuccess else { return refused(status, opcode, method, at: now) }
      phase = .enabling(method)
      return order(method.enable(true), at: now)
    case .enabling(let method) where opcode == method.enable(true).opcode:
      guard status.isSuccess else { return refused(status, opcode, method, at: now) }
      answerDue = nil
      phase = .scanning(method)
      return []
    case .disabling where opcode == .leSetScanEnable || opcode == .leSetExtendedScanEnable:
      return finish()
    default: return []
    }
  }

  /// Command Disallowed while parameters are set or scanning is enabled: another process scans.
  private mutating func refused(
    _ status: HCIStatus, _ opcode: HCIOpcode, _ method: ScanMethod, at now: Duration
  ) -> [Effect] {
    guard status == .commandDisallowed else {
      return fail(.controller(status: status.rawValue, during: "\(opcode)"))
    }
    return listen(method, at: now)
  }

  private mutating func othersCompleted(
    _ command: HCICommand, _ status: HCIStatus, at now: Duration
  ) -> [Effect] {
    if command.opcode == .reset { return fail(.poweredOff(adapter: adapter)) }
    guard let method, status.isSuccess else { return [] }
    switch command.scanEnable {
    case true:
      return phase == .listening(method) ? [] : listen(method, at: now)
    case false: phase = .waiting(method, until: now + Self.pause)
    case nil: postpone(from: now)
    }
    return []
  }

  private mutating func listen(_ method: ScanMethod, at now: Duration) -> [Effect] {
    phase = .listening(method)
    listenStoppedAt = discovery == .none ? now + Self.listenTimeout : nil
    // The kernel alone, which looks for what it connects to, is no news.
    let isReported = discovery == .none && others.scansActively != false && !others.isConnecting
    return isReported ? [.listensAlong] : []
  }

  /// The method, where scanning is or will be on.
  private var method: ScanMethod? {
    switch phase {
    case .scanning(let method), .listening(let method), .waiting(let method, _): method
    default: nil
    }
  }

  private var isHearing: Bool {
    switch phase {
    case .idle, .askingCommands, .disabling, .over: false
    default: true
    }
  }

  /// A connection that was being made also is a reason why scanning was disallowed.
  private mutating func connectionEnded(at now: Duration) {
    others.isConnecting = false
    if case .listening(let method) = phase { phase = .waiting(method, until: now) }
    postpone(from: now)
  }

  private mutating func postpone(from now: Duration) {
    if case .waiting(let method, _) = phase { phase = .waiting(method, until: now + Self.pause) }
  }

  private mutating func order(_ command: HCICommand, at now: Duration) -> [Effect] {
    answerDue = now + Self.timeout
    return [.send(command)]
  }

  private mutating func fail(_ error: RadioError) -> [Effect] {
    phase = .over
    return [.failed(error)]
  }

  private mutating func finish() -> [Effect] {
    phase = .over
    return discovery == .none ? [.finished] : [.stopDiscovery, .finished]
  }
}

// MARK: - Discovery by the kernel

extension ScanProcedure {
  /// The kernel has answered whether it discovers: another may do so already, or it is not
  /// permitted.
  mutating func discoveryAnswered(_ status: ManagementStatus) {
    if discovery == .asked { discovery = status.isSuccess ? .running : .none }
  }

  /// The kernel discovers for 10 s at a time.
  mutating func discoveryEnded() -> [Effect] {
    guard discovery == .running, !isOver else { return [] }
    return startDiscovery()
  }

  private mutating func startDiscovery() -> [Effect] {
    discovery = .asked
    return [.startDiscovery]
  }
}
