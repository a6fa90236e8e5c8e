import BluetoothCodec
import BluetoothRadio
import EventLoop
import Locking

/// The kernel's radio, which records what it is asked to do.
final class ScriptedBase: Radio {
  typealias Raising = @Sendable () async throws(SecurityFailure) -> Void

  private struct State {
    var calls: [String] = []
    var peers: [PeerAddress] = []
    var security: Raising = {}
    var linked: [[RadioLink]] = []
  }

  private let state = Mutex(State())
  private let scanFailure: RadioError?
  /// Runs before a scan fails.
  private let beforeFailure: @Sendable () async -> Void
  /// A stream that ends when a link is closed.
  let open: AsyncStream<Void>
  private let closing: AsyncStream<Void>.Continuation

  init(
    scanFailure: RadioError? = nil,
    beforeFailure: @escaping @Sendable () async -> Void = {}
  ) {
    self.scanFailure = scanFailure
    self.beforeFailure = beforeFailure
    (open, closing) = AsyncStream.makeStream()
  }

  var calls: [String] { state.withLock(\.calls) }
  /// The peers that were to be connected.
  var peers: [PeerAddress] { state.withLock(\.peers) }

  /// The outcome of raising a link's security.
  var security: Raising {
    get { state.withLock(\.security) }
    set { state.withLock { $0.security = newValue } }
  }

  private func note(_ call: String) { state.withLock { $0.calls.append(call) } }

  func adapters() throws(RadioError) -> [Adapter] { [] }

  func scan(_ options: ScanOptions) -> AsyncThrowingStream<DiscoveredPeripheral, any Error> {
    note("scan")
    return AsyncThrowingStream { found in
      Task { [scanFailure, beforeFailure] in
        await beforeFailure()
        found.finish(throwing: scanFailure)
      }
    }
  }

  /// The lists of links that the kernel reports, one after another.
  var linked: [[RadioLink]] {
    get { state.withLock(\.linked) }
    set { state.withLock { $0.linked = newValue } }
  }

  func links() -> AsyncStream<[RadioLink]> {
    AsyncStream(unfolding: {
      let next = self.state.withLock { state in
        state.linked.isEmpty ? nil : state.linked.removeFirst()
      }
      if let next { self.note(next.isEmpty ? "no link" : "link") }
      return next
    })
  }

  func connect(to peer: PeerAddress, timeout: Duration) async throws(RadioError) -> any Bearer {
    note("connect")
    state.withLock { $0.peers.append(peer) }
    return ScriptedLink(security: security, closing: closing)
  }

  func pairAudio(_ address: BluetoothAddress) async throws(SecurityFailure) { note("pair") }

  func unpair(_ identity: PeerAddress) async throws(SecurityFailure) { note("unpair") }
}

/// A link whose security can be raised, and that does nothing else.
private struct ScriptedLink: Bearer {
  let security: SecurityLevel = .low
  let channel = LinkChannel.attributes
  let executor: any SerialExecutor = PollLoop.shared
  let raise: ScriptedBase.Raising

  let closing: AsyncStream<Void>.Continuation

  init(security: @escaping ScriptedBase.Raising, closing: AsyncStream<Void>.Continuation) {
    raise = security
    self.closing = closing
  }

  nonisolated(nonsending) func send(_ pdu: Bytes) async throws(BearerClosed) {}
  func post(
    _ pdu: Bytes, whenSent: @escaping @Sendable () -> Void
  ) throws(BearerClosed) -> Bool { true }
  nonisolated(nonsending) func receive() async throws(BearerClosed) -> Bytes {
    throw BearerClosed(.localHost)
  }
  func deliver(to sink: @escaping @Sendable (Result<Bytes, BearerClosed>) -> Void) {}
  func raiseSecurity(to level: SecurityLevel) async throws(SecurityFailure) { try await raise() }
  func measure() async -> LinkQuality { LinkQuality() }
  func retime(to request: TimingRange) async throws(TimingFailure) -> LEConnectionTiming {
    throw .unsupported
  }
  var closed: BearerClosed? { nil }
  func close(_ reason: BearerClosed.Reason) { closing.finish() }
}

extension RadioLink {
  init(_ kind: Kind, _ address: BluetoothAddress) {
    self.init(kind: kind, address: address, state: .connected, handle: 1, isEncrypted: false)
  }
}
