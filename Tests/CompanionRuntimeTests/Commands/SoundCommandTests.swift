import AudioRoute
import BluetoothCodec
import BluetoothRadio
import Companion
import CompanionRuntime
import Persistence
import TestSupport
import Testing

/// `earshot audio` and its subcommands, in a program for one command.
@MainActor @Suite struct SoundCommandTests {
  private let folder = TemporaryFolder()
  private let radio = ScriptedRadio()
  private let audio = ScriptedAudioSource(headphones: [
    ("Aurora", "00:00:5E:00:53:01"), ("Aurora 2", "00:00:5E:00:53:02"),
  ])
  private let aurora = KnownHeadphone(
    id: HeadphoneID(rawValue: "00005e005301"), name: "Aurora",
    address: PeerAddress(BluetoothAddress(value: 0xC0DE_5E00_5301), .random),
    publicAddress: "00:00:5E:00:53:01",
    lastUsed: Timestamp(milliseconds: 5))

  private var known: KnownHeadphones { KnownHeadphones(in: folder.state) }

  private func target() async -> CommandTarget {
    let effects = LiveEffectHandler(
      dependencies: Dependencies(
        radio: radio, services: [],
        prepareDriver: { _, _ in { ScriptedDriver(bearer: $0, emitter: $1) } },
        makeAudio: { [audio] in audio }, clock: ManualClock(), known: known))
    let store = Store(handler: effects, now: { .now })
    await effects.start(autoConnect: .never, doing: []) { store.send($0) }
    radio.setLinks([])
    return CommandTarget(
      store: store, effects: effects, fallback: .lastUsed(else: .only), timeout: .seconds(20))
  }

  @Test func `a pin is kept, and what is remembered later leaves it`() async throws {
    try known.remember(aurora)
    _ = try await target().pin("virtual_speakers", as: "aur")
    try known.remember(aurora)
    #expect(try known.all().map(\.soundPin) == [SoundDevice.ID("virtual_speakers")])
    _ = try await target().pin(nil, as: nil)
    #expect(try known.all() == [aurora])
  }

  @Test func `a pin shows in the state that screens show`() async throws {
    try known.remember(aurora)
    let target = await target()
    _ = try await target.pin("virtual_speakers", as: nil)
    #expect(target.state.headphones[aurora.id]?.soundPin == SoundDevice.ID("virtual_speakers"))
  }

  @Test func `an address is taken though it is not there`() async throws {
    try known.remember(aurora)
    _ = try await target().pin("00:00:5e:00:53:09", as: nil)
    #expect(try known.all().map(\.soundPin) == [SoundDevice.ID("00:00:5E:00:53:09")])
  }

  @Test func `the devices are listed with the headphones that they are`() async throws {
    try known.remember(aurora)
    #expect(
      await target().soundDevices().text == """
          00:00:5E:00:53:01  Aurora  = Aurora (public-address)
        * 00:00:5E:00:53:02  Aurora 2
          virtual_speakers  Speakers
        """)
  }

  @Test(arguments: ["nothing", "Auro"])
  func `a device that is not there, or several, are an error`(device: String) async throws {
    try known.remember(aurora)
    let target = await target()
    await #expect(throws: CommandError.self) { try await target.pin(device, as: nil) }
  }

  @Test func `without a known headphone there is nobody to pin for`() async throws {
    let target = await target()
    await #expect(throws: CommandError.notKnown(selector: nil)) {
      try await target.pin(nil, as: nil)
    }
  }

  @Test func `the sound of a connected headphone goes there, and then it is there`() async throws {
    try known.remember(aurora)
    let target = await target()
    #expect(try await target.connectAudio("aurora") == "Aurora")
    #expect(target.state.output?.bluetooth?.address == "00:00:5E:00:53:01")
    #expect(try await target.connectAudio(nil) == "Aurora")
    #expect(radio.attempts.isEmpty)
  }

  @Test func `a headphone without a sound device is connected first`() async throws {
    try known.remember(aurora)
    audio.change { $0.disconnect(address: "00:00:5E:00:53:01") }
    radio.script { [audio] address throws(AudioLinkError) in
      audio.change { $0.connect(name: "Aurora", address: address.description) }
    }
    let target = await target()
    #expect(try await target.connectAudio("aurora") == "Aurora")
    #expect(target.state.output?.bluetooth?.address == "00:00:5E:00:53:01")
  }

  @Test func `why the audio is not connected is the error, and what the screen says`() async throws
  {
    try known.remember(aurora)
    audio.change { $0.disconnect(address: "00:00:5E:00:53:01") }
    radio.script { _ throws(AudioLinkError) in throw .notPaired }
    let target = await target()
    await #expect(throws: CommandError.audioLink(.notPaired)) {
      try await target.connectAudio("aurora")
    }
    #expect(target.state.problem?.text == "Aurora: its audio side is not paired with this computer")
    #expect(target.state.headphones[aurora.id]?.isSoundWanted == false)
  }

  @Test func `without a sound server nothing is connected`() async throws {
    try known.remember(aurora)
    audio.end(.noServer)
    let target = await target()
    await #expect(throws: CommandError.unavailable(AudioUnavailable.noServer.messageAndAdvice)) {
      try await target.connectAudio("aurora")
    }
  }

  @Test func `a headphone that was only heard has its audio connected, too`() async throws {
    let target = await target()
    radio.receive(
      peripheral(PeerAddress(BluetoothAddress(value: 0x5E00_5302), .classic), name: "Aurora 2"))
    #expect(try await target.connectAudio("aurora 2") == "Aurora 2")
    #expect(target.state.scan == .idle)
  }
}
