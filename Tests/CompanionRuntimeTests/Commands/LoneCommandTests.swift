import AudioRoute
import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import Foundation
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing

@testable import CompanionRuntime

@MainActor @Suite struct LoneCommandTests {
  private let radio = ScriptedRadio()
  private let clock = ManualClock()
  private let folder = TemporaryFolder()

  init() { radio.setLinks([]) }

  /// A program that runs for one command.
  @MainActor private struct Command {
    let selector: String?
    let store: Store
    let effects: LiveEffectHandler
    let target: CommandTarget

    func run(
      _ work: @MainActor (CommandTarget) async throws(CommandError) -> Void
    ) async throws(CommandError) {
      let outcome: Result<Void, CommandError>
      do throws(CommandError) {
        try await target.run(selector) { () throws(CommandError) in try await work(target) }
        outcome = .success(())
      } catch {
        outcome = .failure(error)
      }
      await effects.stop()
      try outcome.get()
    }
  }

  private func command(
    for selector: String? = nil, newDevice: AutoConnect.UnknownDevice = .only,
    failing failure: HeadphoneError? = nil, audio: any AudioRouteSource = SilentAudio(),
    namesakes: Duration = .zero
  ) async -> Command {
    let effects = LiveEffectHandler(
      dependencies: Dependencies(
        radio: radio, services: [],
        prepareDriver: { _, _ in { ScriptedDriver(bearer: $0, failing: failure, emitter: $1) } },
        makeAudio: { audio }, clock: clock, known: KnownHeadphones(in: folder.state),
        now: { Timestamp(milliseconds: 7) }))
    let store = Store(handler: effects, now: { Timestamp(milliseconds: 7) })
    await effects.start(autoConnect: .never, doing: []) { store.send($0) }
    let target = CommandTarget(
      store: store, effects: effects, fallback: .lastUsed(else: newDevice), timeout: .seconds(20))
    target.namesakeTime = namesakes
    return Command(selector: selector, store: store, effects: effects, target: target)
  }

  private func remember(_ address: String = "F0:F1:F2:F3:F4:F5", used: Int64 = 1) throws {
    try KnownHeadphones(in: folder.state).remember(
      KnownHeadphone(
        id: HeadphoneID(rawValue: address.lowercased().filter { $0 != ":" }), name: "Ear \(used)",
        address: PeerAddress(try #require(BluetoothAddress(address)), .random),
        lastUsed: Timestamp(milliseconds: used)))
  }

  @Test func `a headphone is taken as soon as it is seen, and kept for later`() async throws {
    radio.receive(peripheral(PeerAddress(BluetoothAddress(value: 1), .random), name: "Other"))
    radio.receive(peripheral())
    let command = await command(for: "EAR (A)")
    try await command.run { target throws(CommandError) in
      #expect(target.headphone?.link.isReady == true)
      try await target.until { $0.anc.confirmed == .off }
    }
    #expect(command.target.headphone?.id == ear)
    #expect(try KnownHeadphones(in: folder.state).all().map(\.id) == [ear])
  }

  @Test(arguments: [nil, "F0:F1:F2:F3:F4:F5"])
  func `a name that comes with the scan response is waited for`(selector: String?) async throws {
    var nameless = peripheral()
    nameless.data = AdvertisingData([])
    radio.receive(nameless)
    let command = await command(for: selector)
    async let done: Void = command.run { _ in }
    await clock.sleepers(1, within: .seconds(1))
    radio.receive(peripheral())
    if selector == nil {
      for await state in command.store.follow()
      where state.headphones.contains(where: { $0.name == "Ear (a)" }) { break }
      await clock.pass(.seconds(1))
    }
    try await done
    #expect(command.target.headphone?.name == "Ear (a)")
  }

  @Test func `the one used last is not looked for`() async throws {
    try remember("C0:00:00:00:00:01", used: 1)
    try remember(used: 2)
    try await command().run { _ in }
    #expect(radio.attempts == [earPeer])
  }

  @Test func `of several new devices the nearest is taken where that is wanted`() async throws {
    var far = peripheral(PeerAddress(BluetoothAddress(value: 1), .random), name: "Far")
    far.rssi = -80
    radio.receive(far)
    radio.receive(peripheral())
    async let settled: Void = clock.sleepers(1, within: .seconds(1))
    let command = await command(newDevice: .nearest)
    async let done: Void = command.run { _ in }
    await settled
    await clock.pass(.seconds(1))
    try await done
    #expect(command.target.headphone?.id == ear)
  }

  @Test func `what means several known ones is ambiguous`() async throws {
    try remember("F0:00:00:00:00:09", used: 1)
    try remember("F1:00:00:00:00:09", used: 2)
    await throwsAmbiguous("f", ["Ear 2", "Ear 1"])
  }

  /// Expects that a command for `selector` fails after a second of scanning, with these names.
  private func throwsAmbiguous(_ selector: String, _ names: [String]) async {
    let command = await command(for: selector)
    async let second: Void = clock.sleepers(1, within: .seconds(1))
    async let failure = Task { () -> CommandError? in
      do throws(CommandError) { try await command.run { _ in } } catch { return error }
      return nil
    }.value
    await second
    await clock.pass(.seconds(1))
    guard case .ambiguous(let matches)? = await failure else {
      Issue.record("\(selector) is not ambiguous")
      return
    }
    #expect(matches.map(\.name) == names)
    #expect(radio.attempts == [])
  }

  @Test(arguments: [false, true])
  func `a name that two new headphones have is ambiguous, whichever is heard first`(
    isOtherFirst: Bool
  ) async {
    let twin = peripheral(PeerAddress(BluetoothAddress(value: 1), .random), name: "Twin")
    let other = peripheral(name: "Twin")
    radio.receive(isOtherFirst ? other : twin)
    let command = await command(for: "twin", namesakes: .seconds(3))
    let failure = Task { () -> CommandError? in
      do throws(CommandError) { try await command.run { _ in } } catch { return error }
      return nil
    }
    await clock.sleepers(1, within: .seconds(3))
    radio.receive(isOtherFirst ? twin : other)
    for await state in command.store.follow() where state.headphones.count == 2 { break }
    await clock.pass(.seconds(3))
    guard case .ambiguous(let matches)? = await failure.value else {
      Issue.record("one of them was taken")
      return
    }
    #expect(matches.count == 2 && radio.attempts == [])
    #expect(CommandError.ambiguous(matches).status == .notFound)
  }

  @Test(arguments: ["Ear", "ear", "e"])
  func `part of a name that several nearby have is ambiguous`(selector: String) async {
    radio.receive(peripheral(PeerAddress(BluetoothAddress(value: 1), .random), name: "Ear2 Pro"))
    radio.receive(peripheral(name: "Ear"))
    guard selector != "e" else { return await throwsAmbiguous(selector, ["Ear2 Pro", "Ear"]) }
    // The whole name of one is no part of another's.
    let command = await command(for: selector)
    await #expect(throws: Never.self) { try await command.run { _ in } }
    #expect(command.target.headphone?.name == "Ear")
  }

  @Test func `the beginning of a known name waits for one that has it as its whole name`()
    async throws
  {
    try remember("C0:00:00:00:00:01", used: 12)
    radio.receive(peripheral(name: "Ear 1"))
    let command = await command(for: "Ear 1")
    async let done: Void = command.run { _ in }
    await clock.pass(.seconds(1))
    try await done
    #expect(command.target.headphone?.id == ear)
  }

  @Test func `a word of one that was used before needs no scan`() async throws {
    try remember(used: 1)
    try await command(for: "ear").run { _ in }
    #expect(radio.attempts == [earPeer])
  }

  @Test func `a whole address is connected without the right to scan`() async throws {
    radio.endScan(.notPermitted(operation: "scanning", capability: "CAP_NET_RAW"))
    try await command(for: "F0:F1:F2:F3:F4:F5").run { _ in }
    #expect(radio.attempts == [earPeer])
  }

  @Test func `one that another program has a link to is not looked for`() async throws {
    let address = try #require(BluetoothAddress("F0:F1:F2:F3:F4:F5"))
    radio.setLinks([
      RadioLink(kind: .le, address: address, state: .connected, handle: 1, isEncrypted: false)
    ])
    // It does not advertise, and nobody moves the clock.
    try await command(for: "F0:F1:F2:F3:F4:F5").run { _ in }
    #expect(radio.attempts == [earPeer])
  }

  @Test func `without that right and an address it says what is missing`() async throws {
    let error = RadioError.notPermitted(operation: "scanning", capability: "CAP_NET_RAW")
    radio.endScan(error)
    await #expect(throws: CommandError.radio(error)) { try await command().run { _ in } }
    #expect(CommandError.radio(error).status == .noAdapter)
  }

  @Test func `nothing received is said with what was looked for`() async throws {
    radio.endScan()
    await #expect(throws: CommandError.notFound(selector: "x")) {
      try await command(for: "x").run { _ in }
    }
    #expect(CommandError.notFound(selector: "x").status == .notFound)
  }

  @Test func `a key's work is done when the headphone confirmed it`() async throws {
    try remember()
    let command = await command()
    try await command.run { target throws(CommandError) in
      try await target.until { $0.anc.confirmed != nil }
      try await target.press(.nextANC)
    }
    #expect(command.target.headphone?.anc == Setting(.noiseCancelling))
  }

  @Test func `a refusal ends the command with its own exit code`() async throws {
    try remember()
    await #expect(throws: CommandError.command(.refused(.busy))) {
      try await command().run { command throws(CommandError) in
        try await command.perform(.restart)
      }
    }
    #expect(CommandError.command(.refused(.busy)).status == .refused)
    let untried = CommandError.untried(.noResponse)
    #expect(untried.status == CommandError.command(.noResponse).status)
    #expect(untried.message.contains("earshot doctor --report"))
  }

  @Test func `pairing without the right is no refusal of the headphone`() {
    let error = CommandError.failed(.security(.notPermitted(capability: "CAP_NET_ADMIN")))
    #expect(error.status == .noAdapter)
  }

  @Test func `what the headphone lacks is said`() async throws {
    try remember()
    await #expect(throws: CommandError.unavailable("this headphone has no equaliser")) {
      try await command().run { command throws(CommandError) in try await command.press(.nextEQ) }
    }
  }

  @Test func `a link that ends meanwhile ends the waiting`() async throws {
    try remember()
    let radio = radio
    await #expect(throws: CommandError.link(.peer)) {
      try await command().run { command throws(CommandError) in
        radio.dropLink()
        try await command.until { $0.eq.confirmed != nil }
      }
    }
  }

  @Test func `a headphone that is not reached is reported as it is, and nobody tries again`()
    async throws
  {
    try remember()
    radio.script(attempts: [.timedOut])
    let command = await command()
    await #expect(throws: CommandError.link(.connectTimeout)) { try await command.run { _ in } }
    #expect(command.target.headphone?.name == "Ear 1")
    #expect(command.target.headphone?.link == .unwanted(.disconnected(.connectTimeout)))
    #expect(radio.attempts == [earPeer])
  }

  @Test(
    arguments: [
      (HeadphoneError.notAHeadphone(missing: "FFF4"), .notAHeadphone(missing: "FFF4"), .zero),
      // The adapter may be about to go.
      (.gatt(.security(.refused)), .failed(.security(.refused)), .seconds(2)),
    ] as [(HeadphoneError, CommandError, Duration)])
  func `a start that fails ends the command`(
    error: HeadphoneError, failure: CommandError, wait: Duration
  ) async throws {
    try remember()
    async let time: Void = wait == .zero ? () : clock.pass(wait)
    await #expect(throws: failure) { try await command(failing: error).run { _ in } }
    await time
  }

  @Test func `no adapter is reported before anything else`() async throws {
    radio.setAdapters(.success([]))
    await #expect(throws: CommandError.radio(.noAdapter)) { try await command().run { _ in } }
  }

  @Test func `one is forgotten by the beginning of its name`() async throws {
    try remember()
    let command = await command()
    await #expect(throws: CommandError.notKnown(selector: "bud")) {
      _ = try await command.target.forget("bud") { _ in true }
    }
    await #expect(throws: CommandError.unavailable("nothing is forgotten")) {
      _ = try await command.target.forget("EAR") { _ in false }
    }
    #expect(try await command.target.forget("EAR") { _ in true }.headphone.id == ear)
    #expect(try KnownHeadphones(in: folder.state).all() == [])
    await command.effects.stop()
  }

  @Test(arguments: [
    (
      SecurityFailure.bluetoothdUnresponsive, 3,
      """
      Ear 1 is forgotten here, but its keys are still kept: bluetoothd does not answer
      sudo systemctl restart bluetooth && bluetoothctl remove F0:F1:F2:F3:F4:F5
      """
    ),
    (
      .noAgent, 1,
      """
      Ear 1 is forgotten here, but bluetoothd keeps its own keys
      to drop them: bluetoothctl remove F0:F1:F2:F3:F4:F5
      """
    ),
  ])
  func `one whose keys stay is forgotten, and how they are deleted is said`(
    failure: SecurityFailure, status: Int32, words: String
  ) async throws {
    try remember()
    radio.script(unpairing: failure)
    let command = await command()
    let forgotten = try await command.target.forget("EAR") { _ in true }
    #expect(try KnownHeadphones(in: folder.state).all() == [])
    let keys = try #require(forgotten.kept.first)
    let error = CommandError.keysKept(keys, name: forgotten.headphone.name)
    #expect(error.message == words)
    #expect(error.status.rawValue == status)
    #expect(command.store.state.log.lines.contains { $0.level == .warning && $0.headphone == ear })
    await command.effects.stop()
  }

  @Test func `one that stays in its file is not said to be forgotten`() async throws {
    try remember()
    // Nothing can be locked under this name.
    let lock = "\(folder.path)/devices.json.lock"
    try FileManager.default.removeItem(atPath: lock)
    try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
    let command = await command()
    let file = FileError.system(errno: EISDIR, during: "open", path: lock)
    await #expect(throws: CommandError.file(file)) {
      _ = try await command.target.forget("EAR") { _ in true }
    }
    await command.effects.stop()
    #expect(command.effects.unsaved == file)
    #expect(try KnownHeadphones(in: folder.state).all().map(\.id) == [ear])
  }

  @Test func `a sound server that does not respond is named as the reason without a volume`()
    async throws
  {
    try remember()
    radio.receive(peripheral())
    let command = await command(audio: HungAudio())
    await #expect(
      throws: CommandError.unavailable(
        "the sound server does not answer\n"
          + "restart it, for example: systemctl --user restart pipewire-pulse")
    ) {
      try await command.run { target throws(CommandError) in
        let time = Task { [clock] in
          while !Task.isCancelled {
            // Again and again, whichever sleep has begun by then.
            clock.jump(by: .seconds(2))
            await Task.yield()
          }
        }
        defer { time.cancel() }
        _ = try await target.volume()
      }
    }
  }

  @Test func `a command of its own neither scans nor asks the sound server by itself`() async throws
  {
    try remember()
    let command = await command()
    try await command.run { target throws(CommandError) in
      #expect(target.state.scan == .idle)
      #expect(target.state.audio == .unavailable(.notStarted))
    }
  }
}
