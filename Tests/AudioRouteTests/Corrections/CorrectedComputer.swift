import AudioRoute
import BluetoothCodec
import BluetoothRadio
import Companion
import CompanionRuntime
import HeadphoneProtocols
import Persistence
import TestSupport

/// The program's corrections beside a real sound server: its state, its table, its children.
@MainActor
final class CorrectedComputer: EffectHandler {
  static let headphone = HeadphoneID(rawValue: "headphone")

  let source: PulseSource
  private let chains: ChainRunner
  private(set) lazy var store = Store(handler: self, now: { Timestamp(milliseconds: 0) })
  private var following: Task<Void, Never>?
  private var commands: Task<Void, Never>?

  /// - Parameters:
  ///   - folder: where the children's configurations are.
  ///   - name: of the headphone whose sink is the server's "headphone".
  init(_ server: SoundServer, folder: String, name: String = "WH-1000XM4") {
    source = PulseSource(applicationName: "earshot", server: server.address)
    chains = ChainRunner(
      clock: ContinuousClock(), folder: StateFolder(path: folder), variables: server.environment)
    var preferences = Preferences()
    // The time stands still here, and the volume of new headphones is limited for some seconds.
    preferences.sound.all[.firstVolume] = .number(100)
    store.send(.configured(preferences, isResident: true))
    store.send(
      .discovered(
        DiscoveredHeadphone(
          id: Self.headphone, name: name,
          address: PeerAddress(BluetoothAddress(value: 0xC000_0000_0001), .random),
          publicAddress: BluetoothSinks.address)))
    following = Task { [store, source] in
      for await observation in source.observations { store.send(.audio(observation)) }
    }
  }

  func change(_ change: CorrectionChange) {
    store.send(.correction(Self.headphone, .changed(change)))
  }

  /// The headphone's link comes up, and it reports a noise mode.
  func hear(_ mode: ANCMode) {
    if store.state.headphones[Self.headphone]?.link.isConnected == false {
      let adapter = Adapter(name: "hci0", address: BluetoothAddress(value: 1), isPowered: true)
      store.send(.adapterChanged(.ready(adapter)))
      store.send(.linkWanted(Self.headphone, by: .program, retries: false))
      store.send(.link(Self.headphone, .connected))
    }
    store.send(.headphone(Self.headphone, .ancChanged(mode)))
  }

  /// The line of the table, or the file, that is in force.
  var correction: Correction? {
    store.state.headphones[Self.headphone].flatMap(store.state.correction(of:))
  }

  var status: CorrectionStatus {
    store.state.headphones[Self.headphone].map(store.state.correctionStatus(of:)) ?? .off
  }

  /// Waits for a state; the time is a bound for a broken test.
  func wait(_ what: String, where isReached: @escaping @MainActor (State) -> Bool) async throws {
    let store = store
    let waiting = Task { @MainActor in
      for await state in store.follow() where isReached(state) { return true }
      return false
    }
    let bound = Task {
      try await ContinuousClock().sleep(for: .seconds(300))
      waiting.cancel()
    }
    defer { bound.cancel() }
    guard await waiting.value else {
      throw RigFailure("no sign of \(what); \(status), \(correction?.name ?? "no line")")
    }
  }

  func wait(for wanted: CorrectionStatus) async throws {
    try await wait("\(wanted)") { state in
      state.headphones[Self.headphone].map(state.correctionStatus(of:)) == wanted
    }
  }

  func stop() async {
    following?.cancel()
    await chains.stop()
  }

  func begin(_ effect: Effect, send: @escaping @MainActor (Action) -> Void) {
    switch effect {
    case .correction(.find(let id, let names, let maker)):
      let match = CorrectionTable.bundled().match(names, maker: maker)
      send(.correction(id, .found(match, for: names)))
    case .correction(.start(let id, let chain)):
      chains.start(chain, of: id) { send(.correction(id, $0)) }
    case .correction(.end(let id, let slot)): chains.end(slot, of: id)
    case .audio(let command):
      let previous = commands
      commands = Task { [source] in
        await previous?.value
        do throws(AudioError) {
          try await source.perform(command)
        } catch {
          send(.audioCommandFailed(command, error))
        }
      }
    default: break
    }
  }
}
