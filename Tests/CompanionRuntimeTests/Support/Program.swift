import AudioRoute
import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import CompanionRuntime
import HeadphoneProtocols
import Locking
import Persistence
import TestSupport

/// A store with live effects in a scripted environment.
@MainActor
struct Program {
  let radio: ScriptedRadio
  let clock = ManualClock()
  let folder: TemporaryFolder
  let effects: LiveEffectHandler
  let store: Store

  init(
    radio: ScriptedRadio = ScriptedRadio(), failing failure: HeadphoneError? = nil,
    in folder: TemporaryFolder = TemporaryFolder()
  ) {
    self.radio = radio
    self.folder = folder
    let dependencies = Dependencies(
      radio: radio, services: [.bit16(0xFFF0)],
      prepareDriver: { _, _ in { ScriptedDriver(bearer: $0, failing: failure, emitter: $1) } },
      makeAudio: { SilentAudio() }, clock: clock, known: KnownHeadphones(in: folder.state),
      now: { Timestamp(milliseconds: 0) }, jitter: { 1 })
    effects = LiveEffectHandler(dependencies: dependencies)
    store = Store(handler: effects, now: dependencies.now)
  }

  func start(_ autoConnect: AutoConnect = .lastUsed(else: .only)) async {
    let store = store
    await effects.start(autoConnect: autoConnect) { store.send($0) }
  }

  /// Waits until a state is reached.
  func until(_ isReached: (State) -> Bool) async {
    if isReached(store.state) { return }
    for await state in store.states where isReached(state) { return }
  }

  func until(link wanted: @escaping (LinkState) -> Bool) async {
    await until { $0.headphones.selected.map { wanted($0.link) } ?? false }
  }
}

/// An absent sound server.
struct SilentAudio: AudioRouteSource {
  var observations: AsyncStream<AudioObservation> {
    AsyncStream { continuation in
      continuation.yield(.unavailable(.noServer))
      continuation.finish()
    }
  }

  func perform(_ command: AudioCommand) async throws(AudioError) { throw .unavailable(.noServer) }
}

extension TemporaryFolder {
  var state: StateFolder { StateFolder(path: path) }
}

extension ManualClock {
  /// The clock's time as the time of an action.
  var timestamp: Timestamp {
    let (seconds, attoseconds) = now.sinceStart.components
    return Timestamp(milliseconds: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }
}

/// Returns a clock that advances by half a second at each reading, as for a user who reads.
func patientTime() -> @Sendable () -> Timestamp {
  let time = Mutex<Int64>(0)
  return {
    Timestamp(
      milliseconds: time.withLock { time in
        time += 500
        return time
      })
  }
}

let earPeer = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random)

func peripheral(_ peer: PeerAddress = earPeer, name: String = "Ear (a)") -> DiscoveredPeripheral {
  DiscoveredPeripheral(
    peer: peer, rssi: -50,
    data: AdvertisingData([.localName(Bytes(name.utf8), isComplete: true)]), isConnectable: true)
}

let ear = HeadphoneID(rawValue: "f0f1f2f3f4f5")
