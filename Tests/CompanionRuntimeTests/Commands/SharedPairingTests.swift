import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import CompanionRuntime
import EventLoop
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

/// `earshot pair` beside an owner, and what it reports of both sides.
@MainActor @Suite struct SharedPairingTests {
  private let folder = TemporaryFolder()
  private let headphone: VirtualHeadphone
  private let agent = PairingAgent(clock: ManualClock())
  private let effects: LiveEffectHandler
  private let store: Store

  init() async {
    var model = VirtualModel.aurora
    model.pairings = [.comparison]
    headphone = VirtualHeadphone(model, loop: .shared, clock: ManualClock())
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    let bonds = BondFile()
    effects = LiveEffectHandler(
      dependencies: Dependencies(
        radio: VirtualRadio(
          headphones: [headphone], clock: ManualClock(), agent: agent, bonds: bonds),
        services: DeviceProfile.earshot.advertisedServices,
        prepareDriver: HeadphoneConnection.drivers(
          keepingIn: known, clock: ManualClock()),
        makeAudio: { SilentAudio() }, clock: ManualClock(), known: known, agent: agent,
        bonds: bonds))
    store = Store(handler: effects, now: { .now })
    let store = store
    await effects.start(autoConnect: .matching("Aurora Buds")) { store.send($0) }
  }

  /// Pairs, answering each question with `answer`.
  private func pair(answering answer: PairingAnswer) async throws(CommandError) -> FailureReason? {
    let shared = CommandTarget(store: store, effects: effects, timeout: .seconds(20))
    var answering: Task<Void, Never>?
    defer { answering?.cancel() }
    let agent = agent
    return try await shared.pair("aurora") { events in
      answering = Task {
        for await case .asked(let question) in events { agent.reply(to: question.id, with: answer) }
      }
    }
  }

  @Test func `both sides are paired before it says so`() async throws {
    #expect(try await pair(answering: .yes) == nil)
    let state = store.state.headphones.selected
    #expect(state?.isEncrypted == true && state?.pairing == PairingState.none)
    #expect(try await pair(answering: .no) == nil, "nothing is left to be asked")
    await effects.stop()
  }

  @Test func `why the audio side is not paired is reported, and it is tried again`() async throws {
    await headphone.injectFaults { $0.refusesAudioPairing = true }
    for _ in 1...2 { #expect(try await pair(answering: .yes) == .security(.refused)) }
    #expect(store.state.headphones.selected?.link.use == .ready)
    await headphone.injectFaults { $0.refusesAudioPairing = false }
    #expect(try await pair(answering: .yes) == nil)
    await effects.stop()
  }

  @Test func `No is reported as that, and the link goes on`() async throws {
    let error = await #expect(throws: CommandError.self) { try await pair(answering: .no) }
    #expect(error == .failed(.security(.declined)))
    for await state in store.follow() where state.headphones.selected?.link.use == .ready { break }
    #expect(store.state.headphones.selected?.isEncrypted == false)
    await effects.stop()
  }
}
