internal import AudioRoute
internal import Bluetooth
internal import BluetoothCodec
internal import Companion
internal import CompanionRuntime
internal import EventLoop
internal import HeadphoneProtocols
internal import Persistence
internal import TerminalUI
internal import TestSupport
internal import VirtualHeadphones

/// The whole app but its command line: store, effects, and a screen on a terminal of its own.
///
/// Virtual headphones run on a loop of their own, so that their CPU time can be told apart.
@MainActor
final class Stage {
  let store: Store
  let effects: LiveEffectHandler
  let headphones: [VirtualHeadphone]
  /// When each frame was presented.
  private(set) var frames: [ContinuousClock.Instant] = []
  private let terminal: BenchTerminal
  private let folder = TemporaryFolder()
  private let radio: BridgedRadio
  private var drawing: Task<Void, Never>?

  /// - Parameter other: what the app sees in place of the headphones.
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

  /// Starts the app, and connects all headphones.
  func start() async {
    let store = store
    await effects.start(autoConnect: .never) { store.send($0) }
    drawing = Task { await draw() }
    for headphone in headphones {
      await until { state in state.headphones.contains { $0.name == headphone.model.name } }
      guard let id = id(of: headphone) else { continue }
      store.send(.linkWanted(id, retries: true))
      await until { $0.headphones[id]?.link.isReady == true }
    }
  }

  /// The links of all headphones.
  var bridges: [Bridge] { headphones.compactMap { radio.bridge(of: $0) } }

  /// Which of the app's headphones it is.
  func id(of headphone: VirtualHeadphone) -> HeadphoneID? {
    store.state.headphones.first { $0.name == headphone.model.name }?.id
  }

  /// Waits until the state is as wanted.
  func until(_ isReached: (State) -> Bool) async {
    if isReached(store.state) { return }
    for await state in store.follow() where isReached(state) { return }
  }

  /// As ``/Sharing/ScreenProgram`` does.
  private func draw() async {
    var pace = FramePace()
    for await _ in store.states {
      if let delay = pace.delay(at: .now) { try? await MainLoop.clock.sleep(for: delay) }
      terminal.curses.present(view(store.state, size: terminal.curses.size))
      frames.append(.now)
    }
  }

  /// The most frames within any second since a moment.
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

/// No sound server.
private struct NoSound: AudioRouteSource {
  var observations: AsyncStream<AudioObservation> {
    AsyncStream { continuation in
      continuation.yield(.unavailable(.noServer))
      continuation.finish()
    }
  }

  func perform(_ command: AudioCommand) async throws(AudioError) { throw .unavailable(.noServer) }
}
