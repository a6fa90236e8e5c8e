internal import AudioRoute
internal import BluetoothCodec
internal import BluetoothRadio
internal import Companion
internal import CompanionRuntime
internal import EventLoop
internal import HeadphoneProtocols
internal import Persistence
internal import TerminalUI
internal import TestSupport
internal import VirtualHeadphones

/// The whole app without its command line: store, effects, and a screen on a separate terminal.
///
/// Virtual headphones run on a separate loop, so that their CPU time can be measured.
@MainActor
final class Stage {
  let store: Store
  let effects: LiveEffectHandler
  let headphones: [VirtualHeadphone]
  private(set) var frames: [ContinuousClock.Instant] = []
  private let terminal: BenchTerminal
  private let folder = TemporaryFolder()
  private let radio: BridgedRadio
  private var drawing: Task<Void, Never>?

  /// Creates a stage; `other` is the app's radio, by default that of the headphones.
  init(_ models: [VirtualModel], radio other: (any Radio)? = nil) throws {
    let loop = PollLoop(name: "headphones")
    headphones = models.map { VirtualHeadphone($0, loop: loop, clock: MainLoop.clock) }
    radio = BridgedRadio(
      VirtualRadio(headphones: headphones, clock: MainLoop.clock, fading: 0), loop: loop)
    let known = KnownHeadphones(in: StateFolder(path: folder.path), environment: "virtual")
    let profiles = [DeviceProfile.earshot]
    let dependencies = Dependencies(
      radio: other ?? radio,
      services: DeviceProfile.earshot.advertisedServices,
      prepareDriver: HeadphoneConnection.drivers(
        of: profiles, keepingIn: known, clock: MainLoop.clock),
      makeAudio: { NoSound() }, clock: MainLoop.clock, known: known)
    effects = LiveEffectHandler(dependencies: dependencies)
    store = Store(handler: effects, now: dependencies.now)
    terminal = try BenchTerminal(columns: 120, rows: 40)
  }

  func start() async {
    let store = store
    await effects.start(autoConnect: .never) { store.send($0) }
    drawing = Task { await draw() }
    for headphone in headphones {
      await until { state in state.headphones.contains { $0.name == headphone.model.name } }
      guard let id = id(of: headphone) else { continue }
      store.send(.linkWanted(id, by: .program, retries: true))
      await until { $0.headphones[id]?.link.isReady == true }
    }
  }

  var bridges: [Bridge] { headphones.compactMap { radio.bridge(of: $0) } }

  func id(of headphone: VirtualHeadphone) -> HeadphoneID? {
    store.state.headphones.first { $0.name == headphone.model.name }?.id
  }

  func until(_ isReached: (State) -> Bool) async {
    if isReached(store.state) { return }
    for await state in store.follow() where isReached(state) { return }
  }

  private func draw() async {
    var pace = FramePace()
    for await _ in store.states {
      if let delay = pace.delay(at: .now) { try? await MainLoop.clock.sleep(for: delay) }
      terminal.curses.present(view(store.state, size: terminal.curses.size))
      frames.append(.now)
    }
  }

  func mostFramesInASecond(since begin: ContinuousClock.Instant) -> Int {
    let times = frames.filter { $0 >= begin }
    var most = 0
    var first = 0
    for (index, time) in times.enumerated() {
      while times[first].duration(to: time) >= .seconds(1) { first += 1 }
      most = max(most, index - first + 1)
    }
    return most
  }

  func end() async {
    store.finish()
    await drawing?.value
    await effects.stop()
    terminal.curses.close()
  }
}

private struct NoSound: AudioRouteSource {
  var observations: AsyncStream<AudioObservation> {
    AsyncStream { continuation in
      continuation.yield(.unavailable(.noServer))
      continuation.finish()
    }
  }

  func perform(_ command: AudioCommand) async throws(AudioError) { throw .unavailable(.noServer) }
}
