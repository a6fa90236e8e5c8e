internal import BluetoothCodec
internal import BluetoothRadio
internal import Glibc

/// The state machine of a scan on an adapter that other processes use, too.
///
/// The other processes are the kernel, which stops scanning to connect, and programs such as
/// bluetoothd. Their commands are visible on the same socket, so that each completion can be
/// attributed.
///
/// | phase | meaning | next |
/// | --- | --- | --- |
/// | askingCommands | reads which commands the controller supports | settingParameters |
/// | settingParameters, enabling | starts the scan | scanning; listening if disallowed |
/// | scanning | this program's scan is running | waiting, if another process stops it |
/// | listening | another process scans, whose reports are used | waiting, if that stops |
/// | waiting | nobody scans, so that a connection can be made | settingParameters after 1 s |
/// | disabling | stops the scan | over |
///
/// If listening has no result for 2 s, for example while the kernel waits for known devices only,
/// the kernel is asked to discover. A scan for a connection starts in the phase `waiting`, for 0.3
/// s, and never asks the kernel to discover.
struct ScanProcedure: Hashable, Sendable {
  enum Purpose: Hashable, Sendable {
    /// Active scanning, as scan responses contain the names.
    case results
    /// Passive scanning while the kernel connects, where the kernel does not scan itself.
    ///
    /// Linux since 6.10.4 (commit df3d6a3e01fd) takes an active scan of a raw socket for its own
    /// discovery, does not notice its end, and then starts no scan for a connection. Reports of any
    /// scan let the kernel connect, which also ends that state.
    case connection
  }

  enum Effect: Hashable, Sendable {
    case send(HCICommand)
    case received(AdvertisingReport)
    case failed(RadioError)
    case listensAlong
    /// Let the kernel scan, through the management channel.
    case startDiscovery
    case stopDiscovery
    case finished
  }

  private enum Phase: Hashable {
    case idle
    case askingCommands
    case settingParameters(ScanMethod)
    case enabling(ScanMethod)
    case scanning(ScanMethod)
    case listening(ScanMethod)
    case waiting(ScanMethod, until: Duration)
    case disabling
    case over
  }

  /// The state of the kernel's discovery, which substitutes for a scan.
  private enum Discovery { case none, asked, running }

  /// The time that listening may be without a result.
  private static let listenTimeout: Duration = .seconds(2)
  /// The time without another process's use of the scanner, after which this one scans.
  private var pause: Duration { purpose == .results ? .seconds(1) : .milliseconds(300) }
  private static let timeout: Duration = .seconds(2)

  private let own: OwnAddressType
  private let adapter: String
  private let purpose: Purpose
  private var phase = Phase.idle
  private var others = ForeignHCICommands()
  private var discovery = Discovery.none
  /// The time at which listening has been without a result for too long.
  private var listenStoppedAt: Duration?
  private var responseDeadline: Duration?

  init(adapter: String, own: OwnAddressType, for purpose: Purpose = .results) {
    self.adapter = adapter
    self.own = own
    self.purpose = purpose
  }

  var isOver: Bool { phase == .over }

  var nextDeadline: Duration? {
    switch phase {
    case .waiting(_, let timestamp): others.isConnecting ? nil : timestamp
    case .listening: listenStoppedAt
    case .over: nil
    default: responseDeadline
    }
  }

  mutating func start(at now: Duration) -> [Effect] {
    guard phase == .idle else { return [] }
    phase = .askingCommands
    return send(.readLocalSupportedCommands, at: now)
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
      return send(parameters(method), at: now)
    case .listening:
      listenStoppedAt = nil
      return startDiscovery()
    case .disabling:
      return finish()
    default:
      return fail(.system(errno: ETIMEDOUT, during: "wait for the adapter"))
    }
  }

  /// Ends the scan without further commands, because its socket has failed.
  mutating func giveUp() { phase = .over }

  mutating func stop(at now: Duration) -> [Effect] {
    switch phase {
    case .scanning(let method), .enabling(let method):
      phase = .disabling
      return send(method.enable(false), at: now)
    case .disabling, .over: return []
    default: return finish()
    }
  }
}

extension ScanProcedure {
  private mutating func completed(
    _ opcode: HCIOpcode, _ result: HCIReturn, at now: Duration
  ) -> [Effect] {
    let status = result.status ?? .success
    switch phase {
    case .askingCommands where opcode == .readLocalSupportedCommands:
      // A controller without this command is old and has the legacy ones.
      var method = ScanMethod.legacy
      if case .supportedCommands(let commands) = result { method = ScanMethod(commands) }
      guard purpose == .results else {
        phase = .waiting(method, until: now + pause)
        return []
      }
      phase = .settingParameters(method)
      return send(parameters(method), at: now)
    case .settingParameters(let method) where opcode == parameters(method).opcode:
      guard status.isSuccess else { return refused(status, opcode, method, at: now) }
      phase = .enabling(method)
      return send(method.enable(true), at: now)
    case .enabling(let method) where opcode == method.enable(true).opcode:
      guard status.isSuccess else { return refused(status, opcode, method, at: now) }
      responseDeadline = nil
      phase = .scanning(method)
      return []
    case .disabling where opcode == .leSetScanEnable || opcode == .leSetExtendedScanEnable:
      return finish()
    default: return []
    }
  }

  /// Handles an error status: Command Disallowed means that another process scans.
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
    case false: phase = .waiting(method, until: now + pause)
    case nil: postpone(from: now)
    }
    return []
  }

  private mutating func listen(_ method: ScanMethod, at now: Duration) -> [Effect] {
    phase = .listening(method)
    guard purpose == .results else { return [] }
    listenStoppedAt = discovery == .none ? now + Self.listenTimeout : nil
    // The kernel's scan for known devices is not worth a warning.
    let isReported = discovery == .none && others.scansActively != false && !others.isConnecting
    return isReported ? [.listensAlong] : []
  }

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

  /// Handles the end of a connection attempt, which may have been why a scan was disallowed.
  private mutating func connectionEnded(at now: Duration) {
    others.isConnecting = false
    if case .listening(let method) = phase { phase = .waiting(method, until: now) }
    postpone(from: now)
  }

  private mutating func postpone(from now: Duration) {
    if case .waiting(let method, _) = phase { phase = .waiting(method, until: now + pause) }
  }

  private func parameters(_ method: ScanMethod) -> HCICommand {
    method.parameters(own: own, isActive: purpose == .results)
  }

  private mutating func send(_ command: HCICommand, at now: Duration) -> [Effect] {
    responseDeadline = now + Self.timeout
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

extension ScanProcedure {
  /// Handles the status of Start Discovery, which fails if another process discovers, for example.
  mutating func receiveDiscoveryStatus(_ status: ManagementStatus) {
    if discovery == .asked { discovery = status.isSuccess ? .running : .none }
  }

  /// Handles the end of a discovery, which the kernel runs for 10 s at a time.
  mutating func discoveryEnded() -> [Effect] {
    guard discovery == .running, !isOver else { return [] }
    return startDiscovery()
  }

  private mutating func startDiscovery() -> [Effect] {
    discovery = .asked
    return [.startDiscovery]
  }
}
