internal import Bluetooth
internal import BluetoothCodec
internal import Glibc

/// A scan on an adapter that other processes use, too, as a value: packets and the time go in,
/// effects come out.
///
/// The others are the kernel, which stops scanning to connect, and programs such as bluetoothd.
/// Their commands are visible on the same socket, so that each completion can be attributed.
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
/// the kernel is asked to discover: it keeps its parameters and returns to them.
///
/// A scan for a connection begins in the phase `waiting`, for 0.3 s, and never asks the kernel to
/// discover.
struct ScanProcedure: Hashable, Sendable {
  /// What the scan is for.
  enum Purpose: Hashable, Sendable {
    /// Active scanning: scan responses have the names.
    case results
    /// Passive scanning while the kernel connects, where it does not scan itself.
    ///
    /// Linux since 6.10.4 (commit df3d6a3e01fd) regards an active scan of a raw socket as a
    /// discovery of its own, whose end it does not notice, and starts no scan of its own for a
    /// connection until then. Reports of any scan let it connect, which also ends that state.
    case connection
  }

  /// An action that the procedure requests, in order.
  enum Effect: Hashable, Sendable {
    /// Send this command to the controller.
    case send(HCICommand)
    /// Use this report.
    case received(AdvertisingReport)
    /// End the scan with this error.
    case failed(RadioError)
    /// Report that another process scans, whose reports are used.
    case listensAlong
    /// Let the kernel scan, through the management channel.
    case startDiscovery
    /// End the kernel's scan.
    case stopDiscovery
    /// End the scan; everything that was started is stopped.
    case finished
  }

  /// The state of the scan; the associated value is the set of commands in use.
  private enum Phase: Hashable {
    /// Not started.
    case idle
    /// Waits for the list of supported commands.
    case askingCommands
    /// Waits for the completion of the scan parameters.
    case settingParameters(ScanMethod)
    /// Waits for the start of the scan.
    case enabling(ScanMethod)
    /// This program's scan is running.
    case scanning(ScanMethod)
    /// The scan of another process is running.
    case listening(ScanMethod)
    /// No process scans, and this one pauses so that a connection can be made.
    case waiting(ScanMethod, until: Duration)
    /// Waits for the end of the scan.
    case disabling
    /// Ended.
    case over
  }

  /// The state of the kernel's discovery, which stands in for a scan.
  private enum Discovery { case none, asked, running }

  /// The time that listening may have no result.
  private static let listenTimeout: Duration = .seconds(2)
  /// The time without use of the scanner by other processes, after which this one uses it.
  private var pause: Duration { purpose == .results ? .seconds(1) : .milliseconds(300) }
  /// The time-out of a command to the controller.
  private static let timeout: Duration = .seconds(2)

  private let own: OwnAddressType
  private let adapter: String
  private let purpose: Purpose
  private var phase = Phase.idle
  private var others = ForeignHCICommands()
  private var discovery = Discovery.none
  /// The time at which listening has had no result for too long.
  private var listenStoppedAt: Duration?
  /// The time at which the controller must have completed a command.
  private var responseDeadline: Duration?

  /// A scan that is not started.
  ///
  /// - Parameters:
  ///   - adapter: its name, for errors.
  ///   - own: the type of address in scan requests.
  ///   - purpose: what the scan is for.
  init(adapter: String, own: OwnAddressType, for purpose: Purpose = .results) {
    self.adapter = adapter
    self.own = own
    self.purpose = purpose
  }

  /// Whether the scan has ended.
  var isOver: Bool { phase == .over }

  /// The time to call ``tick(at:)``; `nil` if only packets are awaited.
  var nextDeadline: Duration? {
    switch phase {
    case .waiting(_, let timestamp): others.isConnecting ? nil : timestamp
    case .listening: listenStoppedAt
    case .over: nil
    default: responseDeadline
    }
  }

  /// Starts the scan.
  mutating func start(at now: Duration) -> [Effect] {
    guard phase == .idle else { return [] }
    phase = .askingCommands
    return send(.readLocalSupportedCommands, at: now)
  }

  /// Handles a packet of the adapter's raw socket: a report, a completion, or a command of another
  /// process.
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

  /// Handles a deadline: resumes scanning, requests discovery, or gives up waiting for a
  /// completion.
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

  /// Ends the scan, because its socket cannot be used any more.
  mutating func giveUp() { phase = .over }

  /// Stops what this program has started.
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

// MARK: - Completions

extension ScanProcedure {
  /// Handles the completion of a command of this program.
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

  /// Handles a refusal: Command Disallowed means that another process scans.
  private mutating func refused(
    _ status: HCIStatus, _ opcode: HCIOpcode, _ method: ScanMethod, at now: Duration
  ) -> [Effect] {
    guard status == .commandDisallowed else {
      return fail(.controller(status: status.rawValue, during: "\(opcode)"))
    }
    return listen(method, at: now)
  }

  /// Handles the completion of another process's command.
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

  /// Uses the reports of another process's scan.
  private mutating func listen(_ method: ScanMethod, at now: Duration) -> [Effect] {
    phase = .listening(method)
    guard purpose == .results else { return [] }
    listenStoppedAt = discovery == .none ? now + Self.listenTimeout : nil
    // The kernel's own scan for devices to connect to is not worth a report.
    let isReported = discovery == .none && others.scansActively != false && !others.isConnecting
    return isReported ? [.listensAlong] : []
  }

  /// The command set, once the scan is running or will be.
  private var method: ScanMethod? {
    switch phase {
    case .scanning(let method), .listening(let method), .waiting(let method, _): method
    default: nil
    }
  }

  /// Whether reports are used.
  private var isHearing: Bool {
    switch phase {
    case .idle, .askingCommands, .disabling, .over: false
    default: true
    }
  }

  /// Handles the end of a connection attempt, which may have been the reason for a refusal.
  private mutating func connectionEnded(at now: Duration) {
    others.isConnecting = false
    if case .listening(let method) = phase { phase = .waiting(method, until: now) }
    postpone(from: now)
  }

  /// Restarts the pause.
  private mutating func postpone(from now: Duration) {
    if case .waiting(let method, _) = phase { phase = .waiting(method, until: now + pause) }
  }

  private func parameters(_ method: ScanMethod) -> HCICommand {
    method.parameters(own: own, isActive: purpose == .results)
  }

  /// Sends a command with a time-out.
  private mutating func send(_ command: HCICommand, at now: Duration) -> [Effect] {
    responseDeadline = now + Self.timeout
    return [.send(command)]
  }

  private mutating func fail(_ error: RadioError) -> [Effect] {
    phase = .over
    return [.failed(error)]
  }

  /// Ends the scan, and the kernel's discovery with it.
  private mutating func finish() -> [Effect] {
    phase = .over
    return discovery == .none ? [.finished] : [.stopDiscovery, .finished]
  }
}

// MARK: - Discovery by the kernel

extension ScanProcedure {
  /// Handles the kernel's answer: another process may be discovering already, or it is not
  /// permitted.
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
