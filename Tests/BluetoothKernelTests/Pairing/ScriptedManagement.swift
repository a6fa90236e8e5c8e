import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Locking

@testable import BluetoothKernel

/// A management channel whose kernel is the test.
final class ScriptedManagement: ManagementChannel {
  private struct State {
    var sent: [ManagementCommand] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())
  private let events: AsyncStream<ManagementEventPacket>
  private let event: AsyncStream<ManagementEventPacket>.Continuation

  init() { (events, event) = AsyncStream.makeStream() }

  var sent: [ManagementCommand] { state.withLock { $0.sent } }

  /// Forgets the commands sent so far.
  func clear() { state.withLock { $0.sent = [] } }

  func say(_ event: ManagementEvent) {
    self.event.yield(ManagementEventPacket(event, controller: 0))
  }

  func end() { event.finish() }

  /// Returns once `count` commands were sent.
  func commands(_ count: Int) async -> [ManagementCommand] {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.sent.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
    return sent
  }

  func send(_ command: ManagementCommand, to adapter: AdapterInfo) -> Bool {
    let awake = state.withLock { state in
      state.sent.append(command)
      let count = state.sent.count
      let awake = state.watchers.filter { $0.count <= count }
      state.watchers.removeAll { $0.count <= count }
      return awake
    }
    for watcher in awake { watcher.continuation.resume() }
    return true
  }

  func next() async -> ManagementEventPacket? {
    for await packet in events { return packet }
    return nil
  }
}

/// Bonds in memory, which report each new key.
final class TestBonds: BondStore {
  private let kept: Mutex<[Bond]>
  private let waiting = Mutex((kept: [BondKey](), stored: [BondKey]()))
  let keys: AsyncStream<BondKey>
  private let key: AsyncStream<BondKey>.Continuation

  init(_ bonds: [Bond] = []) {
    kept = Mutex(bonds)
    (keys, key) = AsyncStream.makeStream()
  }

  var cachedBonds: [Bond] { kept.withLock { $0 } }
  func bonds() -> [Bond] { cachedBonds }

  /// The keys that ``flush()`` has stored.
  var stored: [BondKey] { waiting.withLock { $0.stored } }
  func flush() { waiting.withLock { $0.stored = $0.kept } }

  func keep(_ key: BondKey, of adapter: BluetoothAddress) {
    kept.withLock { bonds in
      var bond = Bond(adapter: adapter, identity: key.identity)
      bond.add(key)
      bonds.append(bond)
    }
    waiting.withLock { $0.kept.append(key) }
    self.key.yield(key)
  }

  func drop(_ identity: PeerAddress) {
    kept.withLock { $0.removeAll { $0.identity == identity } }
  }
}
