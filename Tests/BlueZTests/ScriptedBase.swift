import Bluetooth
import BluetoothCodec
import EventLoop
import Locking

/// The kernel's radio, which notes what it is asked.
final class ScriptedBase: Radio {
  private let state = Mutex<(calls: [String], security: @Sendable () async -> Void)>(([], {}))
  private let scansUntilCancelled: Bool
  private let scanFailure: RadioError?

  init(scansUntilCancelled: Bool = false, scanFailure: RadioError? = nil) {
    self.scansUntilCancelled = scansUntilCancelled
    self.scanFailure = scanFailure
  }

  var calls: [String] { state.withLock(\.calls) }

  /// What happens when a link's security is raised.
  var security: @Sendable () async -> Void {
    get { state.withLock(\.security) }
    set { state.withLock { $0.security = newValue } }
  }

  private func note(_ call: String) { state.withLock { $0.calls.append(call) } }

  func adapters() throws(RadioError) -> [Adapter] { [] }

  func scan(_ options: ScanOptions) -> AsyncThrowingStream<DiscoveredPeripheral, any Error> {
    note("scan")
    return AsyncThrowingStream { if !scansUntilCancelled { $0.finish(throwing: scanFailure) } }
  }

  func connect(to peer: PeerAddress, timeout: Duration) async throws(RadioError) -> any Bearer {
    note("connect")
    return ScriptedLink(security: security)
  }

  func pairAudio(_ address: BluetoothAddress) async throws(SecurityFailure) { note("pair") }

  func unpair(_ identity: PeerAddress) async throws(SecurityFailure) { note("unpair") }
}

/// A link whose security can be raised, and that does nothing else.
private struct ScriptedLink: Bearer {
  let security: SecurityLevel = .low
  let channel = LinkChannel.attributes
  let executor: any SerialExecutor = PollLoop.shared
  let raise: @Sendable () async -> Void

  init(security: @escaping @Sendable () async -> Void) { raise = security }

  nonisolated(nonsending) func send(_ pdu: Bytes) async throws(BearerClosed) {}
  func post(
    _ pdu: Bytes, whenSent: @escaping @Sendable () -> Void
  ) throws(BearerClosed) -> Bool { true }
  nonisolated(nonsending) func receive() async throws(BearerClosed) -> Bytes {
    throw BearerClosed(.localHost)
  }
  func deliver(to sink: @escaping @Sendable (Result<Bytes, BearerClosed>) -> Void) {}
  func raiseSecurity(to level: SecurityLevel) async throws(SecurityFailure) { await raise() }
  func measure() async -> LinkQuality { LinkQuality() }
  func retime(to request: TimingRange) async throws(TimingFailure) -> LEConnectionTiming {
    throw .unsupported
  }
  var closed: BearerClosed? { nil }
  func close(_ reason: BearerClosed.Reason) {}
}
