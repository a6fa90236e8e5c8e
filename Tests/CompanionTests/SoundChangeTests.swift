import AudioRoute
import HeadphoneProtocols
import Testing

@testable import Companion

/// What the log keeps of a headphone's sound.
@Suite struct SoundChangeTests {
  private func sink(_ profile: AudioProfile = .a2dp, _ codec: String? = "sbc") -> Action {
    var sink = bluetoothSink()
    sink.bluetooth = BluetoothSink(address: sink.bluetooth?.address, profile: profile, codec: codec)
    return sound(to: sink.name, sink)
  }

  private func changes(_ actions: Action...) -> [String] {
    var scenario = Scenario.withReady()
    scenario.given(gone)
    let before = scenario.state.log.total
    for action in actions { scenario.given(action) }
    return scenario.state.log.lines.suffix(scenario.state.log.total - before)
      .filter { $0.sound != nil && $0.sound != .link }.map(\.text)
  }

  private let gone = sound(to: speakers.name, speakers)
  private let connected = "sound connected: music (A2DP), SBC"

  @Test func `a codec that changes is told once`() {
    #expect(
      changes(sink(), sink(.a2dp, "ldac"), sink(.a2dp, "ldac"))
        == [connected, "codec: SBC to LDAC"])
  }

  @Test func `a profile that changes is told with its codec`() {
    #expect(
      changes(sink(), sink(.handsFree, "cvsd"))
        == [connected, "profile: music (A2DP), SBC to calls (HFP), CVSD"])
  }

  @Test func `sound that goes and comes back is told both times`() {
    #expect(
      changes(sink(), gone, gone, sink())
        == [connected, "sound lost: the sound server no longer has it", connected])
  }

  @Test func `a codec that is unknown for a moment is no change`() {
    #expect(changes(sink(), sink(.a2dp, nil), sink()) == [connected])
  }

  @Test func `a sound server that ends is a loss only for a headphone that had sound`() {
    let ended = Action.audio(.unavailable(.serverEnded))
    #expect(
      changes(sink(), ended, sink())
        == [connected, "sound: the sound server ended", "sound: the sound server is back"])
    #expect(changes(ended, gone) == [])
  }

  @Test func `what a process sees first is no change, and what then differs is one`() {
    var scenario = Scenario.withReady()
    scenario.given(sink())
    #expect(scenario.state.log.lines.allSatisfy { $0.sound == nil || $0.sound == .link })
    scenario.given(sink(.handsFree, "cvsd"))
    #expect(scenario.state.log.lines.last { $0.sound == .profile } != nil)
  }

  @Test func `a link that is lost is told with its reason, an attempt is not`() {
    var scenario = Scenario.withReady()
    scenario.given(.link(ear, .ended(.timeout)))
    let links = scenario.state.log.lines.filter { $0.sound == .link }
    #expect(links.count == 1 && links.first?.text.hasPrefix("link ended: ") == true)
    scenario.given(.link(ear, .ended(.connectTimeout)))
    #expect(scenario.state.log.lines.count { $0.sound == .link } == 1)
  }
}
