import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import Locking

/// A radio that a test scripts.
final class ScriptedRadio: Radio {
  private struct Script {
    var adapters: Result<[Adapter], RadioError>
    var connect: [Result<Void, RadioError>] = []
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Whether the headphone can be connected again.
    var isBack = false
    var attempts: [PeerAddress] = []
    var unpairing: SecurityFailure?
    var audio: (@Sendable (BluetoothAddress) throws(AudioLinkError) -> Void)?
    var remote: SocketBearer?
    var links: [RadioLink]?
    var linkChange: AsyncStream<[RadioLink]>.Continuation?
  }

  private let script: Mutex<Script>
  private let peripherals: AsyncThrowingStream<DiscoveredPeripheral, any Error>
  private let sight: AsyncThrowingStream<DiscoveredPeripheral, any Error>.Continuation
  private let changes: AsyncStream<Void>
  private let change: AsyncStream<Void>.Continuation

  static let adapter = Adapter(
    name: "hci0", address: BluetoothAddress(value: 1), isPowered: true)

  init(adapters: Result<[Adapter], RadioError> = .success([adapter])) {
    script = Mutex(Script(adapters: adapters))
    (peripherals, sight) = AsyncThrowingStream.makeStream()
    (changes, change) = AsyncStream.makeStream()
  }

  // MARK: What the test says

  func receive(_ peripheral: DiscoveredPeripheral) { sight.yield(peripheral) }
  func endScan(_ error: RadioError? = nil) { sight.finish(throwing: error) }

  /// Sets the errors of the next attempts, after which all succeed.
  func script(attempts: [RadioError]) {
    script.withLock { $0.connect = attempts.map { .failure($0) } }
  }

  /// Makes deleting keys fail.
  func script(unpairing failure: SecurityFailure) { script.withLock { $0.unpairing = failure } }

  /// Sets what happens when audio is connected.
  func script(
    audio: @escaping @Sendable (BluetoothAddress) throws(AudioLinkError) -> Void
  ) {
    script.withLock { $0.audio = audio }
  }

  func setAdapters(_ adapters: Result<[Adapter], RadioError>) {
    script.withLock { $0.adapters = adapters }
    change.yield()
  }

  /// Sets the adapter's links.
  func setLinks(_ links: [RadioLink]) {
    script.withLock {
      $0.links = links
      $0.linkChange?.yield(links)
    }
  }

  /// Makes waiting attempts succeed, now or when they are made.
  func comeBack() {
    script.withLock { $0.isBack = true }
    resumeAll()
  }

  var attempts: [PeerAddress] { script.withLock { $0.attempts } }

  /// Ends the link as the headphone.
  func dropLink() { script.withLock { $0.remote }?.close(.user) }

  // MARK: Radio

  func adapters() async throws(RadioError) -> [Adapter] {
    try script.withLock { $0.adapters }.get()
  }

  func adapterChanges() -> AsyncStream<Void> { changes }

  func links() -> AsyncStream<[RadioLink]> {
    let (links, change) = AsyncStream<[RadioLink]>.makeStream()
    script.withLock {
      $0.linkChange = change
      if let links = $0.links { change.yield(links) }
    }
    return links
  }

  func scan(_ options: ScanOptions) -> AsyncThrowingStream<DiscoveredPeripheral, any Error> {
    peripherals
  }

  func connect(to peer: PeerAddress, timeout: Duration) async throws(RadioError) -> any Bearer {
    let outcome = script.withLock { script in
      script.attempts.append(peer)
      return script.connect.isEmpty ? .success(()) : script.connect.removeFirst()
    }
    // A time-out that never comes by itself: only cancelling ends it, or that headphone's coming.
    if outcome == .failure(.cancelled) {
      await cancellation()
      if Task.isCancelled || !script.withLock({ $0.isBack }) { throw .cancelled }
    } else {
      try outcome.get()
    }
    do throws(SystemCallError) {
      let (near, far) = try SocketBearer.pair(loop: .shared)
      script.withLock { $0.remote = far }
      return near
    } catch {
      throw .system(errno: 24, during: "socketpair")
    }
  }

  func connectAudio(_ address: BluetoothAddress) async throws(AudioLinkError) {
    guard let audio = script.withLock({ $0.audio }) else { throw .noBluetoothd }
    try audio(address)
  }

  func unpair(_ identity: PeerAddress) async throws(SecurityFailure) {
    if let failure = script.withLock({ $0.unpairing }) { throw failure }
  }

  private func cancellation() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        script.withLock { $0.waiting.append(continuation) }
        if Task.isCancelled || script.withLock({ $0.isBack }) { resumeAll() }
      }
    } onCancel: {
      resumeAll()
    }
  }

  private func resumeAll() {
    let waiting = script.withLock { script in
      defer { script.waiting = [] }
      return script.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

extension Result where Success == Void, Failure == RadioError {
  static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.success, .success): true
    case (.failure(let a), .failure(let b)): a == b
    default: false
    }
  }
}
