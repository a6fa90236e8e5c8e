import AudioRoute
import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import EventLoop
import HeadphoneProtocols
import Locking
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

@testable import CompanionRuntime

/// Each command, with each thing that it needs disappearing at any state.
@MainActor @Suite struct DepartureTests {
  typealias Work = @MainActor (CommandTarget) async throws(CommandError) -> Void

  enum Thing: CaseIterable { case adapter, power, rfkill, bluetoothd, soundServer, headphone }

  /// The commands as the shell runs them; `isTimed` marks those that always wait for the clock.
  private static let commands: [(name: String, isTimed: Bool, work: Work)] = [
    (
      "status", false,
      { target throws(CommandError) in
        try await target.run("aurora buds", isReading: true) { () throws(CommandError) in }
      }
    ),
    (
      "anc next", false,
      { target throws(CommandError) in
        try await target.run("aurora buds") { () throws(CommandError) in
          try await target.until { $0.anc.confirmed != nil }
          try await target.press(.nextANC)
        }
      }
    ),
    (
      "eq", false,
      { target throws(CommandError) in
        try await target.run("aurora buds") { () throws(CommandError) in
          try await target.perform(.setEQ(.vocal))
        }
      }
    ),
    (
      "volume", false,
      { target throws(CommandError) in
        try await target.run("aurora buds", isReading: true) { () throws(CommandError) in
          _ = try await target.volume()
        }
      }
    ),
    (
      "firmware status", false,
      { target throws(CommandError) in
        try await target.run("aurora buds", isReading: true) { () throws(CommandError) in
          _ = try await target.firmwareStatus()
        }
      }
    ),
    (
      "pair", false,
      { target throws(CommandError) in _ = try await target.pair("aurora buds", asked: nil) }
    ),
    (
      "inspect", false,
      { target throws(CommandError) in
        _ = try await target.inspect("aurora buds") { _ throws(CommandError) in true }
      }
    ),
    ("power", true, { target throws(CommandError) in _ = try await target.hasPower() }),
    (
      "scan", true,
      { target throws(CommandError) in _ = try await target.scan(for: .seconds(3)) { _ in } }
    ),
    (
      "broadcasts", true,
      { target throws(CommandError) in
        _ = try await target.searchBroadcasts(for: .seconds(3)) { _ in false }
      }
    ),
    (
      "audio connect", true,
      { target throws(CommandError) in _ = try await target.connectAudio("aurora buds") }
    ),
    (
      "audio route", false,
      { target throws(CommandError) in _ = try await target.routeSound(to: "virtual_speakers") }
    ),
  ]

  /// A radio whose adapter can also be unplugged and blocked.
  private final class Radio: ForwardingRadio {
    let virtual: VirtualRadio
    var base: any BluetoothRadio.Radio { virtual }
    private let instead = Mutex<[Adapter]?>(nil)
    private let bearers = Mutex<[any Bearer]>([])

    init(_ virtual: VirtualRadio) { self.virtual = virtual }

    func adapters() async throws(RadioError) -> [Adapter] {
      if let instead = instead.withLock({ $0 }) { return instead }
      return try await base.adapters()
    }

    func connect(
      to peer: PeerAddress, timeout: Duration
    ) async throws(RadioError) -> any Bearer {
      let bearer = try await base.connect(to: peer, timeout: timeout)
      bearers.withLock { $0.append(bearer) }
      return bearer
    }

    func lose(_ thing: Thing) async {
      if thing == .bluetoothd {
        // bluetoothd disconnects its links, and only then removes its adapters.
        for bearer in bearers.withLock({ $0 }) { bearer.close(.localHost) }
        for _ in 0..<20 { await FileIO.shared.run {} }
      }
      var blocked = Adapter(
        name: VirtualRadio.adapterName, address: BluetoothAddress(value: 1), isPowered: false,
        isVirtual: true)
      blocked.isBlocked = thing == .rfkill
      if thing != .power { instead.withLock { $0 = thing == .rfkill ? [blocked] : [] } }
      await virtual.setPowered(false)
    }
  }

  /// A program that runs for one command.
  @MainActor private struct Program {
    let headphone = VirtualHeadphone(.aurora, loop: .shared, clock: ManualClock())
    let radio: Radio
    let audio = ScriptedAudioSource(headphones: [("Aurora Buds", "00:00:5E:00:53:01")])
    let clock = ManualClock()
    let store: Store
    let effects: LiveEffectHandler
    let target: CommandTarget

    init(in folder: TemporaryFolder) async {
      let known = KnownHeadphones(in: folder.state, environment: "virtual")
      let profile = DeviceProfile.earshot
      let (audio, clock) = (audio, clock)
      let bonds = BondFile(in: folder.state)
      radio = Radio(
        VirtualRadio(headphones: [headphone], clock: ContinuousClock(), bonds: bonds))
      effects = LiveEffectHandler(
        dependencies: Dependencies(
          radio: radio, services: profile.advertisedServices,
          prepareDriver: HeadphoneConnection.drivers(of: [profile], keepingIn: known, clock: clock),
          makeAudio: { audio }, clock: clock, known: known, bonds: bonds))
      store = Store(handler: effects, now: { .now })
      let store = store
      await effects.start(autoConnect: .never, doing: []) { store.send($0) }
      target = CommandTarget(
        store: store, effects: effects, fallback: .lastUsed(else: .only), timeout: .seconds(20))
      target.namesakeTime = .zero
    }

    func lose(_ thing: Thing) async {
      switch thing {
      case .adapter, .power, .rfkill, .bluetoothd: await radio.lose(thing)
      case .soundServer: audio.end(.serverEnded)
      case .headphone: await headphone.setInRange(false)
      }
    }
  }

  /// The end of a command in the user's words; nil for success.
  private struct Ending: Equatable {
    var status: CompanionRuntime.ExitStatus
    var message: String
  }

  /// The maximum time of a command: to find a headphone, to connect it, and to work.
  private static let limit = Duration.seconds(70)

  /// Runs a command, and removes a thing at a state of its run.
  ///
  /// - Parameter moment: The number of states before, or nil for before the command begins.
  /// - Returns: The end, or nil if the command did not end in time.
  private func run(
    _ work: @escaping Work, isTimed: Bool, without thing: Thing?, at moment: Int?
  ) async -> Ending?? {
    let folder = TemporaryFolder()
    let program = await Program(in: folder)
    let isLost = Mutex(false)
    if let thing, moment == nil {
      await program.lose(thing)
      isLost.withLock { $0 = true }
      if ![.soundServer, .headphone].contains(thing) {
        for await state in program.store.follow() where state.adapter.isUnusable { break }
      }
    }
    let losing = Task {
      guard let thing, let moment else { return }
      var count = 0
      for await _ in program.store.follow(.unbounded) {
        count += 1
        guard count > moment else { continue }
        await program.lose(thing)
        isLost.withLock { $0 = true }
        break
      }
    }
    let ending = Mutex<Ending??>(nil)
    let working = Task {
      do throws(CommandError) {
        try await work(program.target)
        ending.withLock { $0 = .some(nil) }
      } catch {
        let end = Ending(status: error.status, message: error.message)
        ending.withLock { $0 = end }
      }
    }
    var passed = Duration.zero
    while ending.withLock({ $0 == nil }), passed < Self.limit {
      // Other threads run meanwhile, so that the clock does not overtake them.
      for _ in 0..<3 { await FileIO.shared.run {} }
      guard isTimed || isLost.withLock({ $0 }) else { continue }
      program.clock.jump(by: .milliseconds(100))
      passed += .milliseconds(100)
    }
    working.cancel()
    losing.cancel()
    let hasStopped = Mutex(false)
    let stopping = Task {
      await program.effects.stop()
      hasStopped.withLock { $0 = true }
    }
    while hasStopped.withLock({ !$0 }) {
      await FileIO.shared.run {}
      program.clock.jump(by: .milliseconds(100))
    }
    await stopping.value
    return ending.withLock { $0 }
  }

  // Only in thorough runs: a manual clock and threads that run in real time overtake each other on a
  // busy machine.
  @Test(.enabled(if: Thoroughness.isThorough), arguments: Thing.allCases)
  func `a command ends as if what goes had been missing from its start`(thing: Thing) async {
    for (name, isTimed, work) in Self.commands {
      guard
        let missing = await run(work, isTimed: isTimed, without: thing, at: nil)
      else {
        Issue.record("\(name) without \(thing) does not end")
        continue
      }
      for moment in [0, 1, 2, 4, 7, 12, 20] {
        guard let ending = await run(work, isTimed: isTimed, without: thing, at: moment) else {
          Issue.record("\(name) does not end when \(thing) goes at \(moment)")
          continue
        }
        // What was done before is done.
        guard let ending else { continue }
        #expect(
          thing == .headphone ? ending.status != .ok : ending == missing,
          "\(name), \(thing) at \(moment): \(ending), not \(missing as Any)")
      }
    }
  }
}
