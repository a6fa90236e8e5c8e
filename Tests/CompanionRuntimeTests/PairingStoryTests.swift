import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import EventLoop
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

@testable import CompanionRuntime

/// Pairing in the app with live effects and a headphone that requires encryption.
@MainActor @Suite struct PairingStoryTests {
  private let folder = TemporaryFolder()
  private let headphone: VirtualHeadphone
  private let bonds = BondFile()
  private let clock = ManualClock()
  private let effects: LiveEffectHandler
  private let store: Store

  init() {
    let agent = PairingAgent(clock: ManualClock())
    var model = VirtualModel.cipher
    model.pairings = [.comparison]
    headphone = VirtualHeadphone(model, loop: .shared, clock: ManualClock())
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    let profile = DeviceProfile.earshot
    effects = LiveEffectHandler(
      dependencies: Dependencies(
        radio: VirtualRadio(
          headphones: [headphone], clock: ManualClock(), agent: agent, bonds: bonds),
        services: profile.advertisedServices,
        prepareDriver: HeadphoneConnection.drivers(
          of: [profile], keepingIn: known, clock: ManualClock()),
        makeAudio: { SilentAudio() }, clock: clock, known: known, agent: agent, bonds: bonds))
    store = Store(handler: effects, now: patientTime())
  }

  /// The maximum pause before the first attempt to reconnect.
  private static let firstPause: Duration = .seconds(3)

  private func start() async {
    let store = store
    await effects.start(autoConnect: .matching("Cipher Studio")) { store.send($0) }
  }

  private func until(of other: Store? = nil, _ isReached: (State) -> Bool) async {
    let store = other ?? store
    if isReached(store.state) { return }
    for await state in store.states where isReached(state) { return }
  }

  private func untilAsked() async {
    await until { if case .pairing = $0.dialog { true } else { false } }
  }

  private func until(link isReached: (LinkState) -> Bool) async {
    await until { $0.headphones.selected.map { isReached($0.link) } ?? false }
  }

  /// Starts a pairing, and confirms it.
  private func pair() async {
    await start()
    await untilAsked()
    store.send(.pressed(.right))
    store.send(.pressed(.accept))
    await until(link: \.isReady)
    await until { $0.headphones.selected?.isBonded == true }
  }

  @Test func `a headphone that demands encryption asks, and Yes makes it ready`() async {
    await pair()
    #expect(store.state.dialog == nil)
    #expect(store.state.headphones.selected?.isEncrypted == true)
    await effects.stop()
  }

  @Test func `No ends the attempt, and p begins it again`() async {
    await start()
    await untilAsked()
    // Which step of the start needs encryption first is the headphone's affair.
    guard case .pairing? = store.state.headphones.selected?.link.use else {
      Issue.record("the link is \(String(describing: store.state.headphones.selected?.link))")
      return
    }
    store.send(.pressed(.back))
    await until(link: { $0 == .unwanted(.failed(.security(.declined))) })
    #expect(store.state.problem == nil)
    store.send(.pressed(.pair))
    await untilAsked()
    await effects.stop()
  }

  @Test func `No to what p asks leaves the link as it was, and nothing asks again`() async {
    let folder = TemporaryFolder()
    var model = VirtualModel.aurora
    model.pairings = [.comparison]
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    let agent = PairingAgent(clock: ManualClock())
    let effects = LiveEffectHandler(
      dependencies: Dependencies(
        radio: VirtualRadio(
          headphones: [VirtualHeadphone(model, loop: .shared, clock: ManualClock())],
          clock: ManualClock(), agent: agent, bonds: bonds),
        services: DeviceProfile.earshot.advertisedServices,
        prepareDriver: HeadphoneConnection.drivers(
          keepingIn: known, clock: ManualClock()),
        makeAudio: { SilentAudio() }, clock: ManualClock(), known: known, agent: agent,
        bonds: bonds))
    let store = Store(handler: effects, now: patientTime())
    await effects.start(autoConnect: .matching("Aurora Buds")) { store.send($0) }
    await until(of: store) { $0.headphones.selected?.link.use == .ready }
    store.send(.pressed(.pair))
    await until(of: store) { if case .pairing = $0.dialog { true } else { false } }
    store.send(.pressed(.back))
    await until(of: store) {
      let headphone = $0.headphones.selected
      return headphone?.link.use == .ready && headphone?.pairing == .failed(.security(.declined))
    }
    #expect(store.state.headphones.selected?.isEncrypted == false)
    #expect(store.state.dialog == nil)
    #expect(store.state.problem == nil)
    let before = store.state.headphones.selected?.anc.confirmed
    store.send(.pressed(.nextANC))
    await until(of: store) { $0.headphones.selected?.anc.confirmed != before }
    await effects.stop()
  }

  @Test func `a headphone that forgot this computer is paired again by p`() async {
    await pair()
    await headphone.setBonded(false)
    await headphone.dropLink(.peer)
    await until { if case .reconnecting = $0.headphones.selected?.link { true } else { false } }
    await clock.pass(Self.firstPause)
    await until(link: { $0 == .unwanted(.failed(.security(.keyMissing))) })
    #expect(store.state.problem?.text == "Cipher Studio: the headphone forgot this computer")
    store.send(.pressed(.pair))
    await untilAsked()
    store.send(.pressed(.right))
    store.send(.pressed(.accept))
    await until(link: \.isReady)
    await effects.stop()
  }

  @Test func `forgetting drops the keys, too`() async {
    await pair()
    #expect(bonds.isBonded(headphone.model.address))
    var changes = bonds.changes().makeAsyncIterator()
    store.send(.pressed(.forget))
    store.send(.pressed(.right))
    store.send(.pressed(.accept))
    _ = await changes.next()
    #expect(!bonds.isBonded(headphone.model.address))
    await effects.stop()
  }

  @Test func `a command pairs, answered by whoever watches the agent`() async throws {
    let agent = PairingAgent(clock: ManualClock())
    let dependencies = Dependencies(
      radio: VirtualRadio(
        headphones: [headphone], clock: ManualClock(), agent: agent, bonds: bonds),
      services: DeviceProfile.earshot.advertisedServices,
      prepareDriver: HeadphoneConnection.drivers(
        keepingIn: KnownHeadphones(in: folder.state, environment: "virtual"), clock: ManualClock()),
      makeAudio: { SilentAudio() }, clock: ManualClock(),
      known: KnownHeadphones(in: folder.state, environment: "virtual"), agent: agent, bonds: bonds)
    let events = agent.events()
    let answering = Task {
      for await case .asked(let question) in events { agent.reply(to: question.id, with: .yes) }
    }
    let (effects, target) = await lone(in: dependencies)
    try await target.run("Cipher Studio") { () throws(CommandError) in
      #expect(target.headphone?.isEncrypted == true)
    }
    await effects.stop()
    answering.cancel()
    #expect(bonds.isBonded(headphone.model.address))
    #expect(await dependencies.unpair(headphone.model.address) == nil)
    #expect(!bonds.isBonded(headphone.model.address))
  }

  @Test func `a command with nobody to ask says how to pair`() async {
    let dependencies = Dependencies(
      radio: VirtualRadio(headphones: [headphone], clock: ManualClock()),
      services: DeviceProfile.earshot.advertisedServices,
      prepareDriver: HeadphoneConnection.drivers(
        keepingIn: KnownHeadphones(in: folder.state, environment: "virtual"), clock: ManualClock()),
      makeAudio: { SilentAudio() }, clock: ManualClock(),
      known: KnownHeadphones(in: folder.state, environment: "virtual"))
    let (effects, target) = await lone(in: dependencies)
    let error = await #expect(throws: CommandError.self) {
      try await target.run("Cipher Studio") { () throws(CommandError) in }
    }
    #expect(error == .failed(.security(.unanswered)))
    #expect(error?.message.contains("earshot pair") == true)
    await effects.stop()
  }

  @Test(arguments: [false, true])
  func `a headphone without a number to compare is paired where somebody consents`(
    isAsked: Bool
  ) async throws {
    let headphone = VirtualHeadphone(.aurora, loop: .shared, clock: ManualClock())
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    let agent = PairingAgent(clock: ManualClock())
    let (effects, target) = await lone(
      in: Dependencies(
        radio: VirtualRadio(
          headphones: [headphone], clock: ManualClock(), agent: agent, bonds: bonds),
        services: DeviceProfile.earshot.advertisedServices,
        prepareDriver: HeadphoneConnection.drivers(
          keepingIn: known, clock: ManualClock()),
        makeAudio: { SilentAudio() }, clock: ManualClock(), known: known, agent: agent,
        bonds: bonds))
    var answering: Task<Void, Never>?
    defer { answering?.cancel() }
    do throws(CommandError) {
      let failure = try await target.pair(
        "Aurora Buds",
        asked: isAsked
          ? { events in
            answering = Task {
              for await case .asked(let question) in events {
                agent.reply(to: question.id, with: .yes)
              }
            }
          } : nil)
      #expect(isAsked && failure == nil)
    } catch {
      #expect(!isAsked && error == .failed(.security(.unattended)))
      #expect(error.message.contains("earshot pair"))
    }
    #expect(bonds.isBonded(headphone.model.address) == isAsked)
    await effects.stop()
  }

  /// Returns a program for one command, and the command's target.
  private func lone(in dependencies: Dependencies) async -> (LiveEffectHandler, CommandTarget) {
    let effects = LiveEffectHandler(dependencies: dependencies)
    let store = Store(handler: effects, now: patientTime())
    await effects.start(autoConnect: .never, doing: []) { store.send($0) }
    let target = CommandTarget(
      store: store, effects: effects, fallback: .lastUsed(else: .only), timeout: .seconds(10))
    target.namesakeTime = .zero
    return (effects, target)
  }
}
