internal import BluetoothCodec
internal import CBluetooth
internal import Descriptors
internal import GATT
internal import Glibc

/// What a raw HCI socket tells of one link, to anyone: its RSSI, why it ended, whether keys failed.
///
/// The socket is read when something is asked, not when something comes, so that an idle link
/// wakes nobody. The kernel delivers an event here before it ends the channel.
actor LinkWatch {
  private static let operation = "watch the link"
  /// How long a controller may take to read the RSSI.
  private static let patience: Duration = .seconds(1)
  private static let filter = HCIFilter(
    types: [.event],
    events: [
      HCIFilter.disconnectionComplete, HCIFilter.encryptionChange, HCIFilter.commandComplete,
    ], opcode: .readRSSI)

  nonisolated let adapter: AdapterInfo
  private let socket: HCISocket
  private let loop: PollLoop
  private let clock: any Clock<Duration>
  private var connection: UInt16?
  private var ended: HCIStatus?
  private var encryptionFailure: HCIStatus?
  private var reading: Task<Int8?, Never>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// To be made before the link is, so that nothing is missed.
  init(
    adapter: AdapterInfo, loop: PollLoop, clock: any Clock<Duration>
  ) throws(RadioError) {
    self.adapter = adapter
    self.loop = loop
    self.clock = clock
    socket = try HCISocket(adapter: adapter, filter: Self.filter, during: Self.operation)
  }

  /// Names the link, by its HCI connection handle.
  func follow(_ connection: UInt16?) { self.connection = connection }

  /// dBm; nil where the controller does not tell, or not in time.
  func readRSSI() async -> Int8? {
    if let reading { return await reading.value }
    let task = Task { await askRSSI() }
    reading = task
    defer { reading = nil }
    return await task.value
  }

  /// Why the link ended, given the socket's errno.
  func closeReason(errno code: Int32) -> BearerClosed.Reason {
    takeEvents()
    if encryptionFailure == .keyMissing { return .micFailure }
    guard let ended, ended != .localHostTerminated else {
      let reason = BearerClosed.Reason(socketError: code)
      guard reason == .adapterGone || ended != nil else { return reason }
      return adapter.isUp ? .localHost : .adapterGone
    }
    return BearerClosed.Reason(ended)
  }

  private func askRSSI() async -> Int8? {
    guard let connection, (try? socket.send(.readRSSI(connection: connection))) != nil else {
      return nil
    }
    let stopwatch = Stopwatch(clock)
    let number = socket.descriptor.number
    while stopwatch.elapsed < Self.patience {
      if let answer = takeEvents() { return answer.rssi }
      if ended != nil { return nil }
      let isReadable = await within(Self.patience - stopwatch.elapsed, by: clock) { [loop] in
        (try? await loop.readable(number)) != nil
      }
      guard isReadable == true else { return nil }
    }
    return nil
  }

  private struct Answer {
    /// dBm.
    var rssi: Int8?
  }

  /// Takes all that came; the last answer to Read RSSI, if there was one.
  @discardableResult
  private func takeEvents() -> Answer? {
    var answer: Answer?
    while true {
      switch socket.receive() {
      case .packet(.event(.disconnectionComplete(_, connection, let reason))): ended = reason
      case .packet(.event(.encryptionChange(let status, connection, _))) where !status.isSuccess:
        encryptionFailure = status
      case .packet(.event(.commandComplete(_, .readRSSI, .rssi(connection, let rssi)))):
        answer = Answer(rssi: rssi)
      case .packet(.event(.commandComplete(_, .readRSSI, .failure))): answer = Answer(rssi: nil)
      case .packet, .malformed: continue
      case .nothing, .ended: return answer
      }
    }
  }
}

extension BearerClosed.Reason {
  /// What an HCI reason means (docs/protocol.md section 8).
  init(_ reason: HCIStatus) {
    self =
      switch reason {
      case .remoteUserTerminated, .remoteLowResources, .remotePowerOff: .peer
      case .connectionTimeout, .responseTimeout: .supervisionTimeout
      case .localHostTerminated: .localHost
      case .micFailure, .keyMissing: .micFailure
      case .failedToBeEstablished: .connectTimeout
      case .authenticationFailure, .pairingNotAllowed, .rejectedForLimitedResources: .refused
      // As the kernel maps what it does not tell apart.
      default: .system(errno: EPROTO, during: "the link ended: \(reason)")
      }
  }
}
