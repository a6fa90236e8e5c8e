import AudioRoute
import BluetoothCodec
import Companion
import CompanionRuntime
import Persistence
import TestSupport
import Testing

@MainActor @Suite struct SoundPinFileTests {
  private let folder = TemporaryFolder()
  private let aurora = KnownHeadphone(
    id: HeadphoneID(rawValue: "00005e005301"), name: "Aurora",
    address: PeerAddress(BluetoothAddress(value: 0xC0DE_5E00_5301), .random),
    publicAddress: "00:00:5E:00:53:01",
    lastUsed: Timestamp(milliseconds: 5))

  private var known: KnownHeadphones { KnownHeadphones(in: folder.state) }

  private func pins() async throws -> AudioDeviceOverrides {
    try await AudioDeviceOverrides(
      Dependencies(
        radio: ScriptedRadio(), services: [],
        makeDriver: { bearer, _, _, emitter in ScriptedDriver(bearer: bearer, emitter: emitter) },
        makeAudio: {
          ScriptedAudioSource(headphones: [
            ("Aurora", "00:00:5E:00:53:01"), ("Aurora 2", "00:00:5E:00:53:02"),
          ])
        }, clock: ManualClock(), known: known))
  }

  @Test func `a pin is kept, and what is remembered later leaves it`() async throws {
    try known.remember(aurora)
    _ = try await pins().pin("virtual_speakers", as: "aur")
    try known.remember(aurora)
    #expect(try known.all().map(\.soundPin) == [SoundDevice.ID("virtual_speakers")])
    _ = try await pins().unpin(nil)
    #expect(try known.all() == [aurora])
  }

  @Test func `an address is taken though it is not there`() async throws {
    try known.remember(aurora)
    _ = try await pins().pin("00:00:5e:00:53:09", as: nil)
    #expect(try known.all().map(\.soundPin) == [SoundDevice.ID("00:00:5E:00:53:09")])
  }

  @Test func `the devices are listed with the headphones that they are`() async throws {
    try known.remember(aurora)
    #expect(
      try await pins().report.text == """
          00:00:5E:00:53:01  Aurora  = Aurora (public-address)
        * 00:00:5E:00:53:02  Aurora 2
          virtual_speakers  Speakers
        """)
  }

  @Test(arguments: ["nothing", "Auro"])
  func `a device that is not there, or several, are an error`(device: String) async throws {
    try known.remember(aurora)
    let pins = try await pins()
    await #expect(throws: CommandError.self) { try await pins.pin(device, as: nil) }
  }

  @Test func `without a known headphone there is nobody to pin for`() async throws {
    let pins = try await pins()
    await #expect(throws: CommandError.notKnown(selector: nil)) { try await pins.unpin(nil) }
  }
}
