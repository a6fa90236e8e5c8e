import AudioRoute
import Testing

@Suite struct AudioProfileTests {
  @Test(arguments: [
    // PulseAudio's modules.
    ("a2dp_sink", AudioProfile.a2dp), ("handsfree_head_unit", .handsFree),
    ("headset_head_unit", .handsFree), ("a2dp_source", .other("a2dp_source")),
    // PipeWire's nodes and cards.
    ("a2dp-sink", .a2dp), ("a2dp-sink-sbc_xq", .a2dp), ("a2dp-duplex", .a2dp),
    ("a2dp-auto-prefer-quality", .a2dp), ("headset-head-unit", .handsFree),
    ("headset-head-unit-msbc", .handsFree), ("bap-sink", .leAudio), ("bap-duplex-lc3", .leAudio),
    ("bap-source", .other("bap-source")), ("asha-sink", .other("asha-sink")),
    ("audio-gateway", .other("audio-gateway")), ("a2dp-sinker", .other("a2dp-sinker")),
  ])
  func `a name of either server has its meaning`(name: String, meaning: AudioProfile) {
    #expect(AudioProfile(serverName: name) == meaning)
  }

  @Test func `off carries nothing`() {
    #expect(AudioProfile(serverName: "off") == nil)
  }

  @Test func `the best profile is the first available of its kind`() {
    let card = AudioCard(
      name: "c", description: "C", address: nil, activeProfile: "headset-head-unit",
      profiles: [
        CardProfile(name: "a2dp-sink-aac", description: "AAC", isAvailable: false),
        CardProfile(name: "a2dp-sink", description: "SBC"),
        CardProfile(name: "a2dp-sink-sbc_xq", description: "SBC-XQ"),
        CardProfile(name: "headset-head-unit", description: "Call"),
      ])
    #expect(card.bestProfile(.a2dp)?.name == "a2dp-sink")
    #expect(card.bestProfile(.leAudio) == nil)
    #expect(card.activeKind == .handsFree)
  }
}
